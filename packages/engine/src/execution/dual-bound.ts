import { divideRoundingUp, type Rat } from '../arithmetic/integer.ts'
import { isBelow } from '../routing/route.ts'
import { type ExecutionSource, rateOf } from './source.ts'

/** Prices are n / 2^128: fine enough for an atom of which 10^18 buy one. */
const SCALE_BITS = 128n
const SCALE = 1n << SCALE_BITS
/** Prices at which the bound is asked beside those of the quotes. */
const STEPS = 24

/** What a source could bring at one price at most, times 2^128. */
interface Worth {
  /** Used: its best use at this price, less its gas; below zero where its smallest fill is worth less than the price. */
  readonly used: bigint
  /** Open: used or not, whichever is more. */
  readonly open: bigint
}

/** Bounds from above of what sources bring, by weak duality; made once for an order. */
export interface DualBound {
  /**
   * What comes out at most, after gas, of any split of the order in which the `used` are used and at most `more` of the `open`.
   * Rounded up.
   */
  bound(used: readonly number[], open: readonly number[], more: number): bigint
}

/**
 * For any price λ ≥ 0 and any split x with Σx = A:
 *
 *     Σ fᵢ(xᵢ) ≤ λ·A + Σ max over x of ( fᵢ(x) − λ·x )
 *
 * so every price gives a bound, and the least of some is taken. Of a quote the maximum stands at an end of its range. Of a pool it
 * stands where its marginal rate is λ; what rounding and the search for that point may hide is added: an atom that comes out, and
 * what 1 + A/2^32 atoms bring at the best rate.
 *
 * @param amount what goes in, atoms, above zero
 * @see Boyd and Vandenberghe, Convex Optimization, 2004, §5.1.3
 */
export function dualBound(sources: readonly ExecutionSource[], amount: bigint): DualBound {
  const prices = pricesOf(sources, amount)
  const worths = prices.map((price) => sources.map((source) => worthAt(source, price, amount)))
  return {
    bound(used, open, more) {
      let least: bigint | null = null
      for (const [place, price] of prices.entries()) {
        const at = worths[place]!
        let sum = price * amount
        for (const index of used) sum += at[index]!.used
        sum += bestOf(
          open.map((index) => at[index]!.open),
          more,
        )
        if (least === null || sum < least) least = sum
      }
      return least === null || least <= 0n ? 0n : divideRoundingUp(least, SCALE)
    },
  }
}

function bestOf(worths: readonly bigint[], most: number): bigint {
  const chosen =
    worths.length <= most
      ? worths
      : worths.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)).slice(0, most)
  return chosen.reduce((sum, worth) => sum + worth, 0n)
}

function worthAt(source: ExecutionSource, price: bigint, amount: bigint): Worth {
  const gas = source.gasBuy << SCALE_BITS
  if (source.kind === 'QUOTE') {
    const { buyAmount, sellAmount, minimumFill } = source
    const most = sellAmount < amount ? sellAmount : amount
    const at = (x: bigint) =>
      divideRoundingUp((x * buyAmount) << SCALE_BITS, sellAmount) - price * x
    const [low, high] = [at(minimumFill), at(most)]
    const used = (low > high ? low : high) - gas
    return { used, open: used > 0n ? used : 0n }
  }
  const { route } = source
  const x = price === 0n ? amount : route.inputAt({ num: price, den: SCALE }, amount)
  const out = x === 0n ? 0n : (route.swap(x)?.amountOut ?? 0n)
  const hidden = 1n + divideRoundingUp(route.best.num * (1n + (amount >> 32n)), route.best.den)
  const best = ((out + hidden) << SCALE_BITS) - price * x
  // A pool that gets nothing costs no gas, so it is never forced.
  const used = best > gas ? best - gas : 0n
  return { used, open: used }
}

/** Prices of the quotes, and steps between the best rate of all and where the pools alone would end. */
function pricesOf(sources: readonly ExecutionSource[], amount: bigint): bigint[] {
  const rates = sources.map(rateOf)
  const scaled = ({ num, den }: Rat) => (num << SCALE_BITS) / den
  const top = rates.reduce((high, rate) => (isBelow(high, rate) ? rate : high), {
    num: 0n,
    den: 1n,
  })
  const high = scaled(top)
  const low = lowest(sources, amount, high)
  const quotes = sources.flatMap((source, place) =>
    source.kind === 'QUOTE' ? [scaled(rates[place]!)] : [],
  )
  const steps = Array.from(
    { length: STEPS + 1 },
    (_, step) => low + ((high - low) * BigInt(step)) / BigInt(STEPS),
  )
  return [...new Set([...quotes, ...steps])]
}

/** About the price at which the pools alone take the order; the bound holds at any, so a few halvings do. */
function lowest(sources: readonly ExecutionSource[], amount: bigint, high: bigint): bigint {
  const pools = sources.filter((source) => source.kind === 'POOL')
  if (pools.length === 0) return 0n
  const taken = (price: bigint) =>
    pools.reduce(
      (sum, { route }) =>
        sum + (price === 0n ? amount : route.inputAt({ num: price, den: SCALE }, amount)),
      0n,
    )
  let [below, above] = [0n, high]
  for (let round = 0; round < 12 && above - below > 1n; round += 1) {
    const middle = (below + above) >> 1n
    if (taken(middle) >= amount) below = middle
    else above = middle
  }
  return below
}
