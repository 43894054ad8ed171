import { divideRoundingUp, type Rat } from '../arithmetic/integer.ts'
import { isBelow } from '../routing/route.ts'
import { type ExecutionSource, rateOf } from './source.ts'

/** Prices are n / 2^128: precise enough for a rate of 10^-18 output atoms per input atom. */
const SCALE_BITS = 128n
const SCALE = 1n << SCALE_BITS
/** Number of prices that the bound evaluates, in addition to the prices of the quotes. */
const STEPS = 24

/** Maximum value of a source at one price, times 2^128. */
interface Worth {
  /** Used: its best use at this price, less its gas; below zero where its smallest fill is worth less than the price. */
  readonly used: bigint
  /** Open: the larger value of used and not used. */
  readonly open: bigint
}

/** Bounds from above of what sources bring, by weak duality; made once for an order. */
export interface DualBound {
  /**
   * Maximum output after gas over all splits that use every `used` source and at most `more` of the
   * `open` ones. Rounded up.
   */
  bound(used: readonly number[], open: readonly number[], more: number): bigint
}

/**
 * For any price λ ≥ 0 and any split x with Σx = A:
 *
 *     Σ fᵢ(xᵢ) ≤ λ·A + Σ max over x of ( fᵢ(x) − λ·x )
 *
 * So every price gives a bound, and the function takes the smallest of several. The maximum of a
 * quote is at an end of its range. The maximum of a pool is at marginal rate λ. Two terms cover
 * rounding and the search for this point: one output atom, and the output of 1 + A/2^32 atoms at
 * the best rate.
 *
 * @param amount input, atoms, above zero
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
  // A pool without input costs no gas, so it is never forced.
  const used = best > gas ? best - gas : 0n
  return { used, open: used }
}

/** Prices of the quotes, and steps from the best rate to the final rate of the pools alone. */
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

/**
 * Approximate final price if the pools alone fill the order. The bound is valid at any price, so a
 * few bisections suffice.
 */
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
