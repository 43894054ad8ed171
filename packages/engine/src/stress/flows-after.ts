import { type Leg, type LegObservations, type MarkedAsset, markLegs } from './legs.ts'

/** Expected payment, with its value in quote atoms before the scenario. */
export interface StressFlow {
  readonly quote: bigint
  /** Payment asset; the quote if absent. */
  readonly asset?: MarkedAsset
}

/** Money that will leave. */
export interface StressObligation extends StressFlow {
  readonly kind: string
  readonly dueDays: number
}

export interface FlowsAfter {
  /** Quote atoms of thirty days. */
  readonly outflow: bigint
  readonly inflow: bigint
  readonly gaps: readonly {
    readonly assetId: string
    readonly leg: number
    readonly code: string
  }[]
}

const MILLION = 1_000_000n
const days = 30

/**
 * Outflows and inflows within thirty days of a scenario. Amounts in an asset use its price after
 * the scenario. For a peg that recovers, outflows use the higher price and inflows the lower. Legs
 * can accelerate a share of later obligations; of several legs the largest share applies. Outflow
 * is rounded up, inflow down.
 */
export function flowsAfter(
  flows: {
    readonly obligations: readonly StressObligation[]
    readonly inflows: readonly StressFlow[]
  },
  legs: readonly Leg[],
  observed: LegObservations,
): FlowsAfter {
  const gaps = new Map<string, FlowsAfter['gaps'][number]>()
  const pricesOf = (asset: MarkedAsset) => {
    const [marked] = markLegs([asset], legs, observed)
    // One asset is one price.
    const { priceX36, recovery, gaps: missed } = marked!
    for (const gap of missed) {
      gaps.set(`${gap.leg} ${asset.assetId}`, { assetId: asset.assetId, ...gap })
    }
    const recovered = recovery?.priceX36 ?? priceX36
    return priceX36 < recovered
      ? { low: priceX36, high: recovered }
      : { low: recovered, high: priceX36 }
  }
  let outflow = 0n
  for (const { kind, dueDays, quote, asset } of flows.obligations) {
    const sharePips = dueDays <= days ? MILLION : BigInt(acceleratedPips(kind, legs))
    if (sharePips === 0n) continue
    const due = ceilOf(quote * sharePips, MILLION)
    outflow += asset ? ceilOf(due * pricesOf(asset).high, asset.priceX36) : due
  }
  let inflow = 0n
  for (const { quote, asset } of flows.inflows) {
    inflow += asset ? (quote * pricesOf(asset).low) / asset.priceX36 : quote
  }
  for (const leg of legs) {
    if (leg.kind === 'REVENUE') inflow = (inflow * BigInt(leg.multiplierPips)) / MILLION
  }
  return { outflow, inflow, gaps: [...gaps.values()] }
}

const acceleratedPips = (kind: string, legs: readonly Leg[]): number =>
  legs.reduce(
    (most, leg) =>
      leg.kind === 'OBLIGATION_ACCELERATION' &&
      leg.toDays <= days &&
      leg.obligationKinds.includes(kind)
        ? Math.max(most, leg.sharePips ?? 1_000_000)
        : most,
    0,
  )

const ceilOf = (numerator: bigint, denominator: bigint) =>
  (numerator + denominator - 1n) / denominator
