import type { Market, Orientation } from '../amm/market.ts'
import { quoteValue } from '../depth/value.ts'
import { openSession } from '../montecarlo/market-session.ts'
import { type Coverage, DEFAULT_HAIRCUT_PIPS, liquidityCoverage, type Tiers } from './coverage.ts'
import { type Leg, type LegObservations, type MarkedAsset, markLegs } from './legs.ts'
import { liquidate } from './square-root-impact.ts'

/** A holding and what is known of where it can be sold. */
export interface StressAsset extends MarkedAsset {
  /** Atoms. */
  readonly quantity: bigint
  /** Custodian, account or contract that may be frozen. */
  readonly container: string
  /** The quote itself need not be sold. */
  readonly isQuote?: boolean
  /** ADV in atoms of the asset and σ_d; absent where nothing was observed. */
  readonly volume?: { readonly daily: number; readonly volatility: number }
  /** Pools in which it is the base. */
  readonly venues?: readonly {
    readonly venueId: string
    readonly market: Market
    readonly orientation: Orientation
  }[]
}

/** Money that will leave, quote atoms. */
export interface StressObligation {
  readonly kind: string
  readonly dueDays: number
  readonly quote: bigint
}

/** A treasury before a scenario. */
export interface StressBooks {
  readonly assets: readonly StressAsset[]
  readonly obligations: readonly StressObligation[]
  /** Expected inflow of thirty days, quote atoms. */
  readonly inflowQuote: bigint
}

/** How holdings are sold. */
export interface StressSale {
  /** Most of a day's volume, as 0.1. */
  readonly participation: number
  readonly days: number
  /** Y of the square-root law. */
  readonly y: number
}

/** What a scenario leaves. Quote atoms; assets rounded down. */
export interface ScenarioOutcome {
  readonly markQuote: bigint
  readonly realisableQuote: bigint
  /** Mark before the scenario less what can be realised after it. */
  readonly lossQuote: bigint
  readonly unsold: readonly { readonly assetId: string; readonly quantity: bigint }[]
  readonly coverage: Coverage
  /** Months for which what can be realised pays the net outflow of thirty days; null where none flows out. */
  readonly runwayMonthsX3: bigint | null
  /** Loss per leg that moved prices, then by impact and by what is not sold; sums to the loss exactly. */
  readonly drivers: readonly { readonly subject: string; readonly lossQuote: bigint }[]
  readonly flags: readonly { readonly assetId: string; readonly code: string }[]
  readonly gaps: readonly {
    readonly assetId: string
    readonly leg: number | null
    readonly code: string
  }[]
}

const X18 = 10n ** 18n
const MILLION = 1_000_000n

/**
 * What a treasury is worth after a scenario: prices are marked leg by leg, depth leaves, containers freeze, and
 * what is left is sold evenly over the days at the dearer of the square-root law and the observed pools.
 * Obligations come due earlier and revenue falls as the legs say. Nothing is drawn.
 */
export function runScenario(
  books: StressBooks,
  legs: readonly Leg[],
  sale: StressSale,
  observed: LegObservations,
): ScenarioOutcome {
  const marked = markLegs(books.assets, legs, observed)
  const sold = books.assets.map((asset, i) => {
    // One marked price per asset.
    const { priceX18, recovery } = marked[i]!
    return sellAsset(asset, priceX18, recovery, legs, sale)
  })
  const before = sumOf(books.assets.map(({ quantity, priceX18 }) => worthOf(quantity, priceX18)))
  const markQuote = sumOf(
    books.assets.map(({ quantity }, i) => worthOf(quantity, marked[i]!.priceX18)),
  )
  const realisableQuote = sumOf(sold.map(({ realised }) => realised))
  const unsoldQuote = sumOf(sold.map(({ unsold }, i) => worthOf(unsold, marked[i]!.priceX18)))
  const { outflow, inflow } = flowsAfter(books, legs)
  const coverage = liquidityCoverage(tiersOf(books.assets, sold), outflow, inflow)
  const { netOutflowQuote } = coverage
  return {
    markQuote,
    realisableQuote,
    lossQuote: before - realisableQuote,
    unsold: books.assets.flatMap(({ assetId }, i) =>
      sold[i]!.unsold > 0n ? [{ assetId, quantity: sold[i]!.unsold }] : [],
    ),
    coverage,
    runwayMonthsX3: netOutflowQuote === 0n ? null : (realisableQuote * 1000n) / netOutflowQuote,
    drivers: [
      ...legDrivers(books.assets, marked, legs),
      { subject: 'IMPACT', lossQuote: markQuote - unsoldQuote - realisableQuote },
      { subject: 'UNSOLD', lossQuote: unsoldQuote },
    ],
    flags: marked.flatMap(({ assetId, flags }) => flags.map((code) => ({ assetId, code }))),
    gaps: [
      ...marked.flatMap(({ assetId, gaps }) => gaps.map((gap) => ({ assetId, ...gap }))),
      ...books.assets
        .filter((_, i) => !sold[i]!.hasExit)
        .map(({ assetId }) => ({ assetId, leg: null, code: 'NO_EXIT_LIQUIDITY' })),
    ],
  }
}

/** What one holding brings and what stays. */
function sellAsset(
  asset: StressAsset,
  priceX18: bigint,
  recovery: { fromDay: number; priceX18: bigint } | null,
  legs: readonly Leg[],
  { participation, days, y }: StressSale,
) {
  const { quantity, volume, venues = [] } = asset
  const frozenDays = legs.reduce(
    (most, leg) =>
      leg.kind === 'FREEZE' && leg.container === asset.container ? Math.max(most, leg.days) : most,
    0,
  )
  if (asset.isQuote === true) {
    const realised = frozenDays >= days ? 0n : worthOf(quantity, priceX18)
    return { realised, unsold: realised === 0n ? quantity : 0n, hasExit: true }
  }
  if (volume === undefined && venues.length === 0) {
    return { realised: 0n, unsold: quantity, hasExit: false }
  }
  const { proceeds, unsold } = liquidate({
    quantity: Number(quantity),
    price: Number(priceX18) / 1e18,
    ...(recovery === null
      ? {}
      : { recovery: { fromDay: recovery.fromDay, price: Number(recovery.priceX18) / 1e18 } }),
    days,
    // Where no volume was observed, the pools alone say what a sale costs.
    participation: volume === undefined ? 1 : participation,
    dailyVolume: volume?.daily ?? Number(quantity),
    dailyVolatility: volume?.volatility ?? 0,
    y,
    frozenDays,
    ...(venues.length === 0 ? {} : { poolCost: poolCost(venues, legs) }),
  })
  // Floats of large quantities may end an atom above what was held.
  const left = BigInt(Math.ceil(unsold))
  return {
    realised: BigInt(Math.floor(proceeds)),
    unsold: left < quantity ? left : quantity,
    hasExit: true,
  }
}

/**
 * Share of the price that the pools cost for a quantity once others have left: sold in proportion to the depth
 * that remains, which is what equal marginal prices come to for pools of like shape. What a pool cannot take
 * brings nothing.
 */
function poolCost(
  venues: NonNullable<StressAsset['venues']>,
  legs: readonly Leg[],
): (quantity: number) => number {
  const pools = venues.map(({ venueId, market, orientation }) => {
    const session = openSession(market, orientation)
    for (const leg of legs) {
      if (leg.kind !== 'DEPTH_WITHDRAWAL') continue
      if (leg.venueIds?.includes(venueId) ?? true) session.exitOthers(leg.removePips)
    }
    const depth = session.depth([20_000]).find(({ side }) => side === 'SELL')?.quote ?? 0n
    return { session, depth }
  })
  const total = sumOf(pools.map(({ depth }) => depth))
  return (quantity) => {
    const size = BigInt(Math.floor(quantity))
    if (total === 0n || size === 0n) return total === 0n ? 1 : 0
    let [worth, received] = [0n, 0n]
    for (const { session, depth } of pools) {
      const part = (size * depth) / total
      worth += quoteValue(part, session.mid())
      received += session.planInput(false, part)?.amountOut ?? 0n
    }
    return worth === 0n ? 1 : Math.max(0, 1 - Number(received) / Number(worth))
  }
}

/** Outflow and inflow of thirty days after the legs that change them. */
function flowsAfter({ obligations, inflowQuote }: StressBooks, legs: readonly Leg[]) {
  let outflow = 0n
  let inflow = inflowQuote
  for (const { kind, dueDays, quote } of obligations) {
    const due = legs.reduce(
      (day, leg) =>
        leg.kind === 'OBLIGATION_ACCELERATION' && leg.obligationKinds.includes(kind)
          ? Math.min(day, leg.toDays)
          : day,
      dueDays,
    )
    if (due <= 30) outflow += quote
  }
  for (const leg of legs) {
    if (leg.kind === 'REVENUE') inflow = (inflow * BigInt(leg.multiplierPips)) / MILLION
  }
  return { outflow, inflow }
}

/** What each tier can be realised for. */
function tiersOf(
  assets: readonly StressAsset[],
  sold: readonly { readonly realised: bigint }[],
): Tiers {
  const tier = (number: number) => ({
    valueQuote: sumOf(sold.map(({ realised }, i) => (assets[i]!.tier === number ? realised : 0n))),
    // A haircut per tier.
    haircutPips: DEFAULT_HAIRCUT_PIPS[number]!,
  })
  return [tier(0), tier(1), tier(2), tier(3), tier(4)]
}

/** What each leg took off the mark, in the order of the legs in the scenario. */
function legDrivers(
  assets: readonly StressAsset[],
  marked: ReturnType<typeof markLegs>,
  legs: readonly Leg[],
) {
  const losses = new Map<number, bigint>()
  for (const [i, { steps }] of marked.entries()) {
    // A marked price per asset.
    const { quantity, priceX18 } = assets[i]!
    let worth = worthOf(quantity, priceX18)
    for (const step of steps) {
      const next = worthOf(quantity, step.priceX18)
      losses.set(step.leg, (losses.get(step.leg) ?? 0n) + worth - next)
      worth = next
    }
  }
  return [...losses]
    .sort(([a], [b]) => a - b)
    .map(([leg, lossQuote]) => ({ subject: `${leg} ${legs[leg]!.kind}`, lossQuote }))
}

const worthOf = (quantity: bigint, priceX18: bigint) => (quantity * priceX18) / X18

const sumOf = (values: readonly bigint[]) => values.reduce((sum, value) => sum + value, 0n)
