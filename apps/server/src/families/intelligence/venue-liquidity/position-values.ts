import type { contract } from '@liquidity-os/contract'
import {
  burn,
  type ClmmState,
  midPrice,
  type Orientation,
  PoolRevertError,
  type PositionState,
} from '@liquidity-os/engine/amm'
import { areAllPositions, bandOf, tradedQuote } from '../../../market/depth-by-owner.ts'
import { isMatching, type OwnPosition } from '../../../market/own-positions.ts'
import {
  type Performance,
  type PositionFlows,
  positionPerformance,
  type TokenPair,
} from './position-performance.ts'
import { type LiquiditySegment, priceX36At, segmentOf, segmentsOf } from './price-ranges.ts'
import type { FlowsRead } from './read-flows.ts'

type Position = contract.VenuePosition
type Amounts = NonNullable<Position['amounts']>

/** A position of the profile; `token` is its observed state, null if none was observed. */
export type NamedPosition = contract.OwnedPosition & {
  readonly token?: contract.PositionToken | null
  /** Of a position by wallet and ticks. */
  readonly flows?: Flows
}

const usualBandPips = 20_000
const MILLION = 1_000_000n

/**
 * Positions of a profile at the state of their pool.
 *
 * The engine, which equals the pool contract, withdraws all liquidity of each position: the
 * withdrawn amounts are the principal. The other amounts owed are the uncollected fees. A position
 * token has its own fee accounting in the manager, by the same formulas. A token that is burned,
 * sold or of another pool counts as closed.
 */
export function positionValues(
  pool: ClmmState,
  orientation: Orientation,
  named: readonly NamedPosition[],
): Position[] {
  const areAllKnown = areAllPositions(pool)
  const shareOf = depthShares(pool, orientation)
  return named.map((position) => {
    const found = findPosition(pool, position, areAllKnown)
    const identity = {
      owner: position.owner,
      manager:
        ('tokenId' in position ? (position.token?.manager ?? position.manager) : null) ?? null,
      tokenId: 'tokenId' in position ? position.tokenId : null,
    }
    const flows: Flows =
      'tokenId' in position
        ? { missing: 'RESULTS_NEED_WALLET_POSITION' }
        : (position.flows ?? { missing: 'HISTORY_INCOMPLETE' })
    return { ...identity, ...describe(pool, orientation, found, shareOf, flows) }
  })
}

type Flows = FlowsRead | { readonly missing: contract.ResultReason }

interface Found {
  /** Null if the position is unknown. */
  readonly state: PositionState | null
  readonly hasFees: boolean
  /** True for a token that is burned, sold or of another pool. */
  readonly isGone?: boolean
  readonly reasons: Position['reasons']
}

/** True unless the owner may have liquidity behind the token. */
const isGone = ({ state }: contract.PositionToken) => state !== 'UNKNOWN_MANAGER'

const unknown = (reason: Position['reasons'][number]): Found => ({
  state: null,
  hasFees: false,
  reasons: [reason],
})

function findPosition(pool: ClmmState, position: NamedPosition, areAllKnown: boolean): Found {
  if (!('tokenId' in position)) {
    const state = pool.positions.find((one) => isMatching(one, position))
    if (state) return { state, hasFees: true, reasons: [] }
    if (!areAllKnown) return unknown('POSITION_NOT_OBSERVED')
    return { state: { ...position, liquidity: 0n, ...noFees }, hasFees: true, reasons: [] }
  }
  const { token } = position
  if (!token) return unknown('POSITION_NOT_OBSERVED')
  const { tickLower, tickUpper, fees } = token
  if (token.state !== 'OWNED')
    return { ...unknown(`POSITION_${token.state}`), isGone: isGone(token) }
  if (tickLower === null || tickUpper === null) return unknown('POSITION_NOT_OBSERVED')
  const range = { owner: token.manager, tickLower, tickUpper, liquidity: BigInt(token.liquidity) }
  if (!fees) {
    const state = { ...range, ...noFees }
    return { state, hasFees: false, reasons: ['POSITION_FEES_NOT_OBSERVED'] }
  }
  const accounting = {
    feeGrowthInside0LastX128: BigInt(fees.feeGrowthInside0LastX128),
    feeGrowthInside1LastX128: BigInt(fees.feeGrowthInside1LastX128),
    tokensOwed0: BigInt(fees.tokensOwed0),
    tokensOwed1: BigInt(fees.tokensOwed1),
  }
  return { state: { ...range, ...accounting }, hasFees: true, reasons: [] }
}

const noFees = {
  feeGrowthInside0LastX128: 0n,
  feeGrowthInside1LastX128: 0n,
  tokensOwed0: 0n,
  tokensOwed1: 0n,
}

type Described = Omit<Position, 'owner' | 'manager' | 'tokenId'>

function describe(
  pool: ClmmState,
  orientation: Orientation,
  found: Found,
  shareOf: ReturnType<typeof depthShares>,
  flows: Flows,
): Described {
  const nothing = {
    state: 'UNKNOWN',
    lowX36: null,
    highX36: null,
    liquidity: null,
    amounts: null,
    uncollected: null,
    depthSharePips: null,
    ...noPerformance,
  } as const
  const { state: position, hasFees, reasons } = found
  if (found.isGone) {
    const amounts = { base: '0', quote: '0', valueQuote: '0' }
    return {
      ...nothing,
      state: 'CLOSED',
      liquidity: '0',
      amounts,
      uncollected: amounts,
      depthSharePips: 0,
      reasons,
    }
  }
  if (position === null) return { ...nothing, reasons }
  const settled = settle(pool, position)
  if (settled === null) return { ...nothing, reasons: ['POSITION_NOT_OBSERVED'] }
  const result = resultOf(flows, (known) =>
    positionPerformance(pool, orientation, known, { now: settled.principal, owed: settled.fees }),
  )
  const { base } = orientation
  const { from, to } = segmentOf(position)
  const prices = [priceX36At(from, base), priceX36At(to, base)] as const
  const [lowX36, highX36] = base === 0 ? prices : [prices[1], prices[0]]
  return {
    state: stateOf(pool, position, base),
    lowX36,
    highX36,
    liquidity: `${position.liquidity}`,
    amounts: serializeAmounts(pool, orientation, settled.principal),
    uncollected: hasFees ? serializeAmounts(pool, orientation, settled.fees) : null,
    depthSharePips: shareOf(position),
    ...(typeof result === 'string' ? noPerformance : result),
    reasons: typeof result === 'string' ? [...reasons, result] : reasons,
  }
}

/** The result of a position, or the reason for a missing result. */
function resultOf(
  flows: Flows,
  performanceOf: (known: PositionFlows) => Performance | null,
): Performance | contract.ResultReason {
  if ('missing' in flows) return flows.missing
  return performanceOf(flows.flows) ?? 'FLOWS_CONTRADICT_STATE'
}

const noPerformance = {
  feesQuote: null,
  ilQuote: null,
  netVsHodlQuote: null,
  netVsHodlPips: null,
  since: null,
} as const

/** Principal and uncollected fees; null for a position that the pool state does not contain. */
function settle(
  pool: ClmmState,
  position: PositionState,
): Record<'principal' | 'fees', TokenPair> | null {
  const { liquidity, tokensOwed0, tokensOwed1 } = position
  const owed = { amount0: tokensOwed0, amount1: tokensOwed1 }
  if (liquidity === 0n) return { principal: { amount0: 0n, amount1: 0n }, fees: owed }
  try {
    const { state, amount0, amount1 } = burn(
      { ...pool, positions: [position] },
      position,
      liquidity,
    )
    const after = state.positions.find((one) => isMatching(one, position))
    if (!after) return null
    return {
      principal: { amount0, amount1 },
      fees: { amount0: after.tokensOwed0 - amount0, amount1: after.tokensOwed1 - amount1 },
    }
  } catch (error) {
    if (error instanceof PoolRevertError) return null
    throw error
  }
}

function stateOf(
  { tick }: ClmmState,
  { tickLower, tickUpper, liquidity }: PositionState,
  base: number,
): Position['state'] {
  if (liquidity === 0n) return 'CLOSED'
  if (tick >= tickLower && tick < tickUpper) return 'IN_RANGE'
  return tick < tickLower === (base === 0) ? 'BELOW' : 'ABOVE'
}

function serializeAmounts(
  pool: ClmmState,
  orientation: Orientation,
  { amount0, amount1 }: TokenPair,
): Amounts {
  const [base, quote] = orientation.base === 0 ? [amount0, amount1] : [amount1, amount0]
  const { num, den } = midPrice(pool, orientation)
  return { base: `${base}`, quote: `${quote}`, valueQuote: `${quote + (base * num) / den}` }
}

/** Shares of the 2 % depth of a pool by position, rounded down; null without depth. */
function depthShares(pool: ClmmState, { base }: Orientation) {
  const [low, high] = bandOf(pool.sqrtPriceX96, base, BigInt(usualBandPips))
  const tradedBy = ({ from, to, liquidity }: LiquiditySegment) => {
    const start = from > low ? from : low
    const end = to < high ? to : high
    return start < end ? tradedQuote(liquidity, [start, end], base) : 0n
  }
  const total = segmentsOf(pool)!.segments.reduce((sum, one) => sum + tradedBy(one), 0n)
  return (position: PositionState): number | null =>
    total === 0n ? null : Number((tradedBy(segmentOf(position)) * MILLION) / total)
}

/** Sums over positions; null if a figure is missing. */
export function totalOf(positions: readonly Position[]): contract.VenuePositions['total'] {
  const sumOf = (all: readonly (Amounts | null)[]): Amounts | null => {
    const sum = { base: 0n, quote: 0n, valueQuote: 0n }
    for (const one of all) {
      if (one === null) return null
      sum.base += BigInt(one.base)
      sum.quote += BigInt(one.quote)
      sum.valueQuote += BigInt(one.valueQuote)
    }
    return { base: `${sum.base}`, quote: `${sum.quote}`, valueQuote: `${sum.valueQuote}` }
  }
  const amounts = sumOf(positions.map((one) => one.amounts))
  const uncollected = sumOf(positions.map((one) => one.uncollected))
  return amounts && uncollected && { amounts, uncollected }
}

/**
 * True if the state shows every own position that the pool itself records. A position that was named
 * after the observation can be missing from an incomplete state.
 */
export function areOwnPositionsKnown(pool: ClmmState, own: readonly OwnPosition[]): boolean {
  const direct = own.filter(({ liquidity }) => liquidity === null)
  return (
    direct.every((mine) => pool.positions.some((one) => isMatching(one, mine))) ||
    areAllPositions(pool)
  )
}
