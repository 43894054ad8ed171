import { contract } from '@liquidity-os/contract'
import { PoolRevertError, sqrtRatioAtTick } from '@liquidity-os/engine/amm'
import { type Address, getAddress } from 'viem'
import { handle, type Outcome } from '../../../http/handler.ts'
import { blockOf } from '../../../integrations/chain/block-of.ts'
import { requireValidated, type VenueRecord } from '../../../market/named-venue.ts'
import { takeSnapshot } from '../../../market/treasury/treasury-snapshot.ts'
import { venueOrientation } from '../../../market/venue-orientation.ts'
import { priceX36At } from '../../intelligence/venue-liquidity/api.ts'
import { releaseOrNull, vaultOf } from '../autonomy-policies/api.ts'
import { batchOf, decodePacketCall } from '../proposals/api.ts'
import { type CallTerms, depositCalls, withdrawalCalls } from './encode-calls.ts'
import {
  depositAmounts,
  fullRange,
  type LiquidityAmounts,
  rangeOfPrices,
  type TickRange,
  type TokenPair,
  withdrawalAmounts,
} from './liquidity-amounts.ts'
import { type PositionReads, readPosition } from './read-position.ts'
import {
  atoms,
  deadlineOf,
  invalidChange,
  type Market,
  managerOf,
  marketOf,
  type Query,
  requireSoundQuery,
} from './validate-change.ts'

/** Index of the base token in the pool. */
type Base = 0 | 1

export default handle(contract.prepareLiquidityCalls, async (request): Promise<Outcome> => {
  const { params, query, records, services, fail } = request
  const vault = await vaultOf(records, params.id)
  if (!vault) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const found = await records.current<VenueRecord['payload']>('VenueProfile', query.venueId)
  if (!found) {
    const message = `must be a venue of this organization, got ${query.venueId}`
    throw invalidChange({ 'query.venueId': [message] })
  }
  const venue = found.record
  requireValidated(venue, 'query.venueId')
  const { chainId, safeAddress } = vault.payload
  const market = marketOf(venue, chainId)
  requireSoundQuery(query)
  const deadline = deadlineOf(query, records.now)
  const manager = managerOf(venue, query)
  const safe = getAddress(safeAddress)
  const tokenId = query.tokenId === undefined ? null : BigInt(query.tokenId)
  const release = releaseOrNull(services, records.now)
  const { chains } = await takeSnapshot(records, services, [chainId], 'params.id')
  const chain = chains.get(chainId)
  if (!chain) throw new Error(`The snapshot is not of chain ${chainId}.`)
  const batch = batchOf(release, chainId)
  const reads = await readPosition(chain, {
    safe,
    manager,
    market,
    tokenId,
    isWithdrawal: query.change === 'REMOVE',
    batch,
  })
  if (reads.managerFault !== null) {
    const fieldErrors = { 'query.manager': [reads.managerFault] }
    throw fail('LIQUIDITY_MIGRATION_CONTRACT_UNKNOWN', { fieldErrors })
  }
  const base = venueOrientation(venue.payload).base as Base
  const change = changeOf(query, { market, reads, safe, base })
  const terms = { safe, manager, market, tokenId, deadline }
  const context = {
    chainId,
    safe,
    release,
    pair: venue.payload.pair,
    codes: reads.codes,
    factories: [getAddress(market.factory)],
  }
  const calls = callsOf(query, terms, change, reads)
  const decoded = calls.map((call) => decodePacketCall(context, call).decoded)
  const data: contract.LiquidityCalls = {
    change: query.change,
    venueId: venue.id,
    pool: market.pool,
    manager,
    tokenId: tokenId === null ? null : `${tokenId}`,
    block: blockOf(chainId, chain.block),
    ...figuresOf({ change, reads, base }),
    validUntil: new Date(Number(deadline) * 1000).toISOString(),
    packets: reads.hasBatch ? [decoded] : decoded.map((call) => [call]),
  }
  return { data }
})

interface Change {
  readonly range: TickRange
  readonly amounts: LiquidityAmounts
  /** Largest deposit of token0 and token1. */
  readonly most: TokenPair
}

interface Scene {
  readonly market: Market
  readonly reads: PositionReads
  readonly safe: Address
  readonly base: Base
}

/** @throws Failure 422 if the pool or the position does not allow the change */
function changeOf(query: Query, scene: Scene): Change {
  const { market, reads, base } = scene
  const pool = { ...market, sqrtPriceX96: reads.sqrtPriceX96, tick: reads.tick }
  const { range, liquidity } = positionOf(query, scene)
  const given = [atoms(query.base), atoms(query.quote)] as const
  const most: TokenPair = base === 0 ? given : [given[1], given[0]]
  const slippagePips = query.slippagePips ?? contract.liquidityCallDefaults.slippagePips
  const share = BigInt(query.sharePips ?? 1_000_000)
  const removed = (liquidity * share) / 1_000_000n
  if (query.change === 'REMOVE' && removed === 0n) {
    throw invalidChange({ 'query.tokenId': ['must have liquidity to withdraw, got none'] })
  }
  try {
    const amounts =
      query.change === 'ADD'
        ? depositAmounts(pool, range, most, slippagePips)
        : withdrawalAmounts(pool, range, removed, slippagePips)
    if (amounts.liquidity > 0n) return { range, amounts, most }
  } catch (error) {
    if (!(error instanceof PoolRevertError)) throw error
    throw invalidChange({ 'query.base': ['must be an amount that the pool can hold in the range'] })
  }
  const field = amountField(query, { reads, range, base })
  throw invalidChange({
    [`query.${field}`]: ['must be above zero: the range needs this token at the current price'],
  })
}

/** The token without which the range gets no liquidity. */
function amountField(
  query: Query,
  { reads: { tick }, range, base }: Pick<Scene, 'reads' | 'base'> & { range: TickRange },
): 'base' | 'quote' {
  const nameOf = (index: Base) => (index === base ? 'base' : 'quote')
  if (tick < range.tickLower) return nameOf(0)
  if (tick >= range.tickUpper) return nameOf(1)
  return atoms(query.base) === 0n ? 'base' : 'quote'
}

/** Range and liquidity of the position before the change. */
function positionOf(
  query: Query,
  { market, reads: { position }, safe, base }: Scene,
): { range: TickRange; liquidity: bigint } {
  if (query.tokenId !== undefined && position !== null) {
    if (position.state !== 'OF_POOL') {
      throw invalidChange({ 'query.tokenId': [`${query.tokenId} ${position.detail}`] })
    }
    if (position.heldBy.toLowerCase() !== safe.toLowerCase()) {
      const message = `must be a position of the Safe ${safe}, got one of ${position.heldBy}`
      throw invalidChange({ 'query.tokenId': [message] })
    }
    const { tickLower, tickUpper, liquidity } = position
    return { range: { tickLower, tickUpper }, liquidity }
  }
  const { lowX36, highX36 } = query
  if (lowX36 === undefined || highX36 === undefined) {
    return { range: fullRange(market.tickSpacing), liquidity: 0n }
  }
  const prices = { lowX36: BigInt(lowX36), highX36: BigInt(highX36) }
  const range = rangeOfPrices(prices, base, market.tickSpacing)
  if (range.tickLower < range.tickUpper) return { range, liquidity: 0n }
  throw invalidChange({ 'query.lowX36': ['must be a price that the pool can have'] })
}

type Terms = Pick<CallTerms, 'safe' | 'manager' | 'tokenId' | 'deadline'> & { market: Market }

function callsOf(
  query: Query,
  { market, ...terms }: Terms,
  { range, amounts, most }: Change,
  { allowances }: PositionReads,
) {
  const { token0, token1, feePips } = market
  const all: CallTerms = { ...terms, range, feePips, tokens: [token0, token1] }
  return query.change === 'REMOVE' && terms.tokenId !== null
    ? withdrawalCalls(all, terms.tokenId, amounts)
    : depositCalls(all, amounts, most, allowances)
}

function figuresOf({ change, reads, base }: Pick<Scene, 'reads' | 'base'> & { change: Change }) {
  const { range, amounts } = change
  const prices = [range.tickLower, range.tickUpper].map((tick) =>
    priceX36At(sqrtRatioAtTick(tick), base),
  )
  const [lowX36 = '0', highX36 = '0'] = base === 0 ? prices : prices.toReversed()
  const inPair = (pair: TokenPair) => ({ base: `${pair[base]}`, quote: `${pair[1 - base]}` })
  return {
    priceX36: priceX36At(reads.sqrtPriceX96, base),
    ...range,
    lowX36,
    highX36,
    liquidity: `${amounts.liquidity}`,
    expected: inPair(amounts.expected),
    minimum: inPair(amounts.minimum),
    owed: reads.owed === null ? null : inPair(reads.owed),
  }
}
