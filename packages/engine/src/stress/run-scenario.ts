import { type Coverage, liquidityCoverage, type Tiers } from './coverage.ts'
import { flowsAfter, type StressFlow, type StressObligation } from './flows-after.ts'
import {
  type Leg,
  type LegObservations,
  type MarkedAsset,
  type MarkedPrice,
  markLegs,
} from './legs.ts'
import { type ExitedLot, type ExitLot, sellLots } from './liquidation.ts'
import { type ExitVenue, exitDepth, poolCapacity, poolExit } from './pool-exit.ts'

/** A holding: some atoms of an asset in one place. */
export interface StressHolding extends MarkedAsset {
  /** Atoms. */
  readonly quantity: bigint
  /** Account, contract or custodian that may be frozen. */
  readonly container: string
  /** Days until it is unlocked; null if never. */
  readonly lockedDays: number | null
}

export interface StressMarket {
  /** ADV in atoms and σ_d as a share; null without observations. */
  readonly volume: { readonly daily: bigint; readonly volatility: number } | null
  /** Pools with this asset as base. */
  readonly venues: readonly ExitVenue[]
}

/** A treasury before a scenario. */
export interface StressBooks {
  readonly holdings: readonly StressHolding[]
  /** By asset. */
  readonly markets: ReadonlyMap<string, StressMarket>
  readonly obligations: readonly StressObligation[]
  /** Expected inflows within thirty days. */
  readonly inflows: readonly StressFlow[]
  /** Whether tier 4 counts; issuers may not count their own token as money. */
  readonly countsOwnToken: boolean
  readonly haircutPips: readonly [number, number, number, number, number]
}

/** How holdings are sold. */
export interface StressSale {
  /** Most of a day's volume, millionths. */
  readonly participationPips: number
  readonly days: number
  /** Y of the square-root law. */
  readonly y: number
}

/** Quote atoms of some holdings after a scenario, rounded down. */
export interface Realised {
  readonly beforeQuote: bigint
  readonly markQuote: bigint
  readonly realisableQuote: bigint
  /** Worth before the scenario less what can be realised after it. */
  readonly lossQuote: bigint
}

export interface ScenarioOutcome {
  /** What counts: tiers 0 to 3, and the own token where the books say so. */
  readonly counted: Realised
  /** The own token where it does not count. */
  readonly apart: Realised
  readonly unsold: readonly {
    readonly assetId: string
    readonly tier: number
    readonly quantity: bigint
    readonly markQuote: bigint
    readonly cause: UnsoldCause
  }[]
  readonly coverage: Coverage
  /**
   * Runway in months: countable assets over the net outflow of thirty days; null without a net
   * outflow.
   */
  readonly runwayMonthsX3: bigint | null
  /**
   * Loss of countable assets per price leg, then from sale costs and unsold amounts. The parts sum
   * exactly to the loss.
   */
  readonly drivers: readonly { readonly subject: string; readonly lossQuote: bigint }[]
  /** Depth down to 2 % per pool after withdrawals, in the pool's quote atoms. */
  readonly depths: readonly { readonly venueId: string; readonly quote: bigint }[]
  /** Last day with a sale, from 0; null without sales. */
  readonly lastDay: number | null
  readonly flags: readonly { readonly assetId: string; readonly code: string }[]
  readonly gaps: readonly {
    readonly assetId: string
    readonly leg: number | null
    readonly code: string
  }[]
}

/** Why something is left: it was never free, its container was frozen, or the market does not take it in time. */
export type UnsoldCause = 'LOCKED' | 'FROZEN' | 'UNSOLD'

const ONE_X36 = 10n ** 36n

interface Sold {
  readonly holding: StressHolding
  readonly marked: MarkedPrice
  readonly exited: ExitedLot
  readonly cause: UnsoldCause
  readonly hasExit: boolean
  /** Sold once along the pools' curves, because no volume was observed. */
  readonly isOnePass: boolean
}

/**
 * Value of a treasury after a scenario. Legs mark prices one by one, depth is withdrawn and
 * containers freeze. The remaining assets are sold evenly over the days, at the more expensive of
 * the square-root law and the observed pools. Legs accelerate obligations and reduce revenue. The
 * result is deterministic and exact, and rounded against the treasury.
 *
 * @see Basel Committee, “Principles for sound stress testing practices” (2009), for marking before
 * realizing
 */
export function runScenario(
  books: StressBooks,
  legs: readonly Leg[],
  sale: StressSale,
  observed: LegObservations,
): ScenarioOutcome {
  const sold = sellAll(books, legs, sale, observed)
  const isCounted = ({ holding }: Sold) => holding.tier !== 4 || books.countsOwnToken
  const counted = sold.filter(isCounted)
  const realised = realisedOf(counted)
  const { outflow, inflow, gaps: flowGaps } = flowsAfter(books, legs, observed)
  const coverage = liquidityCoverage(tiersOf(books, counted), outflow, inflow)
  const { netOutflowQuote } = coverage
  const lastDays = sold.flatMap(({ exited }) => exited.lastDay ?? [])
  return {
    counted: realised,
    apart: realisedOf(sold.filter((one) => !isCounted(one))),
    unsold: sold.flatMap(({ holding: { assetId, tier }, marked, exited, cause }) =>
      exited.unsold > 0n
        ? [
            {
              assetId,
              tier,
              quantity: exited.unsold,
              cause,
              markQuote: worthOf(exited.unsold, marked.priceX36),
            },
          ]
        : [],
    ),
    coverage,
    runwayMonthsX3:
      netOutflowQuote === 0n ? null : (realised.realisableQuote * 1000n) / netOutflowQuote,
    drivers: [...legDrivers(counted, legs), ...exitDrivers(counted)],
    depths: [...books.markets.values()].flatMap(({ venues }) =>
      exitDepth(venues, withdrawalsOf(legs)),
    ),
    lastDay: lastDays.length === 0 ? null : Math.max(...lastDays),
    flags: sold.flatMap(({ marked: { assetId, flags } }) =>
      flags.map((code) => ({ assetId, code })),
    ),
    gaps: [
      ...sold.flatMap(({ marked: { assetId, gaps } }) => gaps.map((gap) => ({ assetId, ...gap }))),
      ...sold
        .filter(({ hasExit }) => !hasExit)
        .map(({ holding: { assetId } }) => ({ assetId, leg: null, code: 'NO_EXIT_LIQUIDITY' })),
      ...sold
        .filter(({ isOnePass, holding: { quantity } }) => isOnePass && quantity > 0n)
        .map(({ holding: { assetId } }) => ({ assetId, leg: null, code: 'VOLUME_UNAVAILABLE' })),
      ...flowGaps,
    ],
  }
}

const withdrawalsOf = (legs: readonly Leg[]) =>
  legs.flatMap((leg) => (leg.kind === 'DEPTH_WITHDRAWAL' ? [leg] : []))

/** Everything sold, in the order of the holdings. */
function sellAll(
  { holdings, markets }: StressBooks,
  legs: readonly Leg[],
  sale: StressSale,
  observed: LegObservations,
): Sold[] {
  const marked = markLegs(holdings, legs, observed)
  const exits = new Map<
    StressHolding,
    { exited: ExitedLot; hasExit: boolean; isOnePass: boolean }
  >()
  const groups = Map.groupBy(holdings.entries(), ([, { assetId }]) => assetId)
  for (const [assetId, some] of groups) {
    const { volume = null, venues = [] } = markets.get(assetId) ?? {}
    const isQuote = some[0]?.[1].isQuote ?? false
    const withdrawals = withdrawalsOf(legs)
    const poolCost = isQuote ? () => 0n : poolExit(venues, withdrawals)
    const poolTakes = isQuote ? null : poolCapacity(venues, withdrawals)
    const lots = some.map(
      ([place, holding]): ExitLot => ({
        quantity: holding.quantity,
        priceX36: marked[place]!.priceX36,
        recovery: marked[place]!.recovery,
        fromDay: firstDay(holding, legs, sale.days),
      }),
    )
    const terms = { ...sale, volume: isQuote ? null : volume, poolCost, poolTakes }
    const exited = sellLots(lots, terms)
    const hasExit = volume !== null || poolCost !== null
    const isOnePass = !isQuote && volume === null && poolCost !== null
    for (const [index, [, holding]] of some.entries()) {
      exits.set(holding, { exited: exited[index]!, hasExit, isOnePass })
    }
  }
  return holdings.map((holding, place) => {
    const { exited, hasExit, isOnePass } = exits.get(holding)!
    const isLocked = holding.lockedDays === null || holding.lockedDays >= sale.days
    const isFrozen = frozenDays(holding, legs) >= sale.days
    const cause = isLocked ? 'LOCKED' : isFrozen ? 'FROZEN' : 'UNSOLD'
    return { holding, marked: marked[place]!, exited, hasExit, isOnePass, cause }
  })
}

function frozenDays({ container }: StressHolding, legs: readonly Leg[]): number {
  return legs.reduce(
    (most, leg) =>
      leg.kind === 'FREEZE' && leg.containers.includes(container) ? Math.max(most, leg.days) : most,
    0,
  )
}

/** First day when a holding can be sold; null if not within the period. */
function firstDay(holding: StressHolding, legs: readonly Leg[], days: number): number | null {
  if (holding.lockedDays === null) return null
  const day = Math.max(holding.lockedDays, frozenDays(holding, legs))
  return day < days ? day : null
}

function realisedOf(sold: readonly Sold[]): Realised {
  const beforeQuote = sumOf(
    sold.map(({ holding: { quantity, priceX36 } }) => worthOf(quantity, priceX36)),
  )
  const realisableQuote = sumOf(sold.map(({ exited }) => exited.realisedQuote))
  return {
    beforeQuote,
    markQuote: sumOf(
      sold.map(({ holding: { quantity }, marked }) => worthOf(quantity, marked.priceX36)),
    ),
    realisableQuote,
    lossQuote: beforeQuote - realisableQuote,
  }
}

/** Liquidation value per tier. */
function tiersOf({ haircutPips }: StressBooks, sold: readonly Sold[]): Tiers {
  const tier = (number: 0 | 1 | 2 | 3 | 4) => ({
    valueQuote: sumOf(
      sold.map(({ holding, exited }) => (holding.tier === number ? exited.realisedQuote : 0n)),
    ),
    haircutPips: haircutPips[number],
  })
  return [tier(0), tier(1), tier(2), tier(3), tier(4)]
}

/** Mark-to-market loss per leg, in scenario order. */
function legDrivers(sold: readonly Sold[], legs: readonly Leg[]) {
  const losses = new Map<number, bigint>()
  for (const { holding, marked } of sold) {
    let worth = worthOf(holding.quantity, holding.priceX36)
    for (const step of marked.steps) {
      const next = worthOf(holding.quantity, step.priceX36)
      losses.set(step.leg, (losses.get(step.leg) ?? 0n) + worth - next)
      worth = next
    }
  }
  return [...losses]
    .sort(([a], [b]) => a - b)
    .map(([leg, lossQuote]) => ({ subject: `${leg} ${legs[leg]!.kind}`, lossQuote }))
}

/**
 * Difference between marked and liquidation value, by cause: unsold holdings at the mark, the
 * recovery of a peg until the sale, and the sale cost. A gain from a recovery is negative.
 */
function exitDrivers(sold: readonly Sold[]) {
  const stays = { LOCKED: 0n, FROZEN: 0n, UNSOLD: 0n }
  let [recovery, impact] = [0n, 0n]
  for (const { holding, marked, exited, cause } of sold) {
    const stay = worthOf(exited.unsold, marked.priceX36)
    stays[cause] += stay
    const atMark = worthOf(holding.quantity, marked.priceX36) - stay
    if (marked.recovery === null) impact += atMark - exited.realisedQuote
    else {
      recovery += atMark - exited.soldQuote
      impact += exited.soldQuote - exited.realisedQuote
    }
  }
  return [
    ...(recovery === 0n ? [] : [{ subject: 'RECOVERY', lossQuote: recovery }]),
    { subject: 'IMPACT', lossQuote: impact },
    ...(['LOCKED', 'FROZEN'] as const).flatMap((subject) =>
      stays[subject] === 0n ? [] : [{ subject, lossQuote: stays[subject] }],
    ),
    { subject: 'UNSOLD', lossQuote: stays.UNSOLD },
  ]
}

const worthOf = (quantity: bigint, priceX36: bigint) => (quantity * priceX36) / ONE_X36

const sumOf = (values: readonly bigint[]) => values.reduce((sum, value) => sum + value, 0n)
