import type { ExecutionLimits, ExecutionSource, PoolSource, QuoteSource } from './source.ts'

/** Fillable part of an order, and the reason for the limit. */
export interface Fillable {
  /** The largest amount at most the order that some choice of sources takes within the limits. */
  readonly largest: bigint
  /**
   * FIRM: limited by the firm minimum. CAPACITY: limited by the sources, their smallest fills and
   * the limits.
   */
  readonly reason: 'CAPACITY' | 'FIRM'
}

/**
 * The largest fillable part of an order. Enumerates all subsets of quotes (at most 2^12). A subset
 * can take any amount between its smallest fills and its capacity including the pools. Maker bounds
 * still refer to the whole order.
 */
export function largestFillable(
  sources: readonly ExecutionSource[],
  amount: bigint,
  limits: ExecutionLimits,
): Fillable {
  const quotes = sources.filter((source) => source.kind === 'QUOTE')
  const pools = sources.filter((source) => source.kind === 'POOL')
  const capacities = pools
    .map((pool) => capacityOf(pool, amount))
    .toSorted((a, b) => (a < b ? 1 : -1))
  const any = best(quotes, capacities, amount, { ...limits, minimumFirm: 0n })
  if (limits.minimumFirm === 0n || any < amount) {
    return { largest: any, reason: 'CAPACITY' }
  }
  return { largest: best(quotes, capacities, amount, limits), reason: 'FIRM' }
}

const least = (a: bigint, b: bigint) => (a < b ? a : b)

function best(
  quotes: readonly QuoteSource[],
  capacities: readonly bigint[],
  amount: bigint,
  limits: ExecutionLimits,
): bigint {
  let largest = 0n
  for (let mask = 0; mask < 1 << quotes.length; mask += 1) {
    const chosen = quotes.filter((_, place) => (mask >> place) & 1)
    const room = limits.maximumLegs - chosen.length
    if (room < 0) continue
    const range = rangeOf(chosen, limits.maximumMaker)
    if (range === null || range.least > amount) continue
    const firm = rangeOf(
      chosen.filter(({ isFirm }) => isFirm),
      limits.maximumMaker,
    )
    if ((firm?.most ?? 0n) < limits.minimumFirm) continue
    const pools = capacities.slice(0, room).reduce((sum, one) => sum + one, 0n)
    const takes = least(amount, range.most + pools)
    if (takes > largest) largest = takes
  }
  return largest
}

/** What quotes take together: at least their smallest fills, at most what they and their makers allow; null where those contradict. */
function rangeOf(quotes: readonly QuoteSource[], mostOfMaker: bigint | null) {
  let sum = { least: 0n, most: 0n }
  for (const ofMaker of Map.groupBy(quotes, ({ maker }) => maker).values()) {
    const smallest = ofMaker.reduce((total, { minimumFill }) => total + minimumFill, 0n)
    const whole = ofMaker.reduce((total, { sellAmount }) => total + sellAmount, 0n)
    const most = mostOfMaker === null ? whole : least(whole, mostOfMaker)
    if (smallest > most) return null
    sum = { least: sum.least + smallest, most: sum.most + most }
  }
  return sum
}

function capacityOf({ route }: PoolSource, amount: bigint): bigint {
  return route.swap(amount)?.amountIn ?? 0n
}
