import { divideRoundingUp, integerSquareRoot, type Rat } from '../../arithmetic/integer.ts'
import type { Dir } from '../market.ts'
import { PoolRevertError } from '../pool-revert.ts'
import { exchangeStable, pointOf, type StableExchange, type StablePoint } from './exchange.ts'
import { unsettledD } from './invariant.ts'
import { priceAt } from './price.ts'
import { amplificationPrecision, FEE_DENOMINATOR, PRECISION, type StableState } from './state.ts'

/** One, in the fixed point of gaps and ratios: finer than an atom moves the price of the largest pool. */
const ONE_BITS = 128n
const ONE = 1n << ONE_BITS
/**
 * Error margin in units of the common scale: within it, rounding alone can decide whether a price
 * meets its limit.
 */
const SLACK_UNITS = 64n
/** A balance of fewer units is more rounding than curve; a larger D may overflow in the contract. */
const LEAST_BALANCE = 10n ** 9n
const MOST_INVARIANT = 1n << 100n
/** Maximum error of D, in units, with ordinary rounding. */
const MOST_NOISE = 8n
/** Parts of 10^10 to which a fee may rise off the peg: a twentieth. */
const MOST_FEE = FEE_DENOMINATOR / 20n
/** Rounds that use the model of the curve's steep part. Later rounds use the last two results. */
const MODEL_ROUNDS = 2
/** Maximum doublings of the margin before the search fails. */
const MAX_WIDENINGS = 24
/** Maximum rounds to close a bracket. Without a bracket, the search evaluates every input. */
const MAX_ROUNDS = 96

/** An input and the pool's state after it. */
interface Priced {
  readonly amountIn: bigint
  readonly feeX10: bigint
  readonly point: StablePoint
  /** `to` per `from`. */
  readonly price: Rat
}

/** Up to `low` every input is within a limit, from `high` on none. */
interface Bracket {
  readonly low: bigint
  readonly high: bigint
}

/** Price divided by limit, minus one. Negative if the price violates the limit. */
interface Gap {
  readonly amountIn: bigint
  readonly gap: bigint
}

/**
 * Marginal prices after exchanges in one direction from one state, for repeated queries.
 *
 * A bisection checks one limit for a hundred or more inputs, mostly far from the point where the
 * price passes it. `within` locates this point first and then evaluates only nearby inputs, where
 * rounding matters. Its results equal those of `isWithin`, so a bisection ends at the same atom
 * with either.
 */
export class PriceSearch {
  readonly #state: StableState
  readonly #d: Dir
  readonly #start: StablePoint
  readonly #known = new Map<bigint, Priced | 'REFUSED' | 'PRICELESS'>()

  /** @throws PoolRevertError where the pool has no D */
  constructor(state: StableState, d: Dir) {
    this.#state = state
    this.#d = d
    this.#start = pointOf(state)
  }

  /**
   * Whether the marginal price after an input is at least `limit`, `to` per `from`. An input too
   * small for any output leaves the price unchanged. If D does not converge, its last round
   * determines the price. A pool without any price does not meet a limit.
   */
  isWithin(amountIn: bigint, limit: Rat): boolean {
    const after = this.#after(amountIn)
    if (after === 'REFUSED') return isSmall(this.#state, this.#d, amountIn)
    return after !== 'PRICELESS' && isAtLeast(after.price, limit)
  }

  /** `isWithin` for many inputs. The current price must meet the limit. */
  within(limit: Rat): (amountIn: bigint) => boolean {
    const ask = (amountIn: bigint) => this.isWithin(amountIn, limit)
    const mayBeFound = limit.num > 0n && isFeeOrdinary(this.#state) && isOrdinary(this.#start)
    const found = mayBeFound ? this.#locate(limit) : null
    if (found === null) return ask
    return (amountIn) => amountIn <= found.low || (amountIn < found.high && ask(amountIn))
  }

  /** How many inputs were tried so far. */
  get tried(): number {
    return this.#known.size
  }

  #after(amountIn: bigint): Priced | 'REFUSED' | 'PRICELESS' {
    const known = this.#known.get(amountIn)
    if (known !== undefined) return known
    const found = this.#price(amountIn)
    this.#known.set(amountIn, found)
    return found
  }

  #price(amountIn: bigint): Priced | 'REFUSED' | 'PRICELESS' {
    const o = { base: this.#d.from, quote: this.#d.to }
    if (amountIn === 0n) {
      const price = priceAt(this.#start, this.#state, o)
      return { amountIn, feeX10: this.#state.feeX10, point: this.#start, price }
    }
    const exchange = tryExchange(this.#state, this.#d, amountIn, this.#start)
    if (exchange === null) return 'REFUSED'
    const { state, feeX10 } = exchange
    return (
      unlessReverted(() => {
        const point = pointOf(state, unsettledD)
        return { amountIn, feeX10, point, price: priceAt(point, state, o) }
      }) ?? 'PRICELESS'
    )
  }

  /**
   * Bracket around the point where the price passes a limit; null if rounding makes the point
   * ambiguous.
   */
  #locate(limit: Rat): Bracket | null {
    // The output coin leaves in whole atoms, so the price moves in steps of one atom in both
    // directions. The caller checked the coin with the direction.
    const noise = SLACK_UNITS + (2n * this.#state.rates[this.#d.to]!) / PRECISION
    const passed = this.#close(limit, this.#atoms(noise, limit))
    const clear = passed && this.#clear(passed, noise, limit)
    const found = clear && this.#clearOfFees(passed, clear, limit)
    if (found === null) return null
    // A galloping bisection tries up to twice this input, so rounding must be ordinary up to there.
    const beyond = this.#after(2n * found.high)
    return typeof beyond === 'string' || !isOrdinary(beyond.point) ? null : found
  }

  /** Neighbouring inputs, no further apart than `slack`, between which the price passes its limit. */
  #close(limit: Rat, slack: bigint): Bracket | null {
    let low: Gap = { amountIn: 0n, gap: this.#gap(0n, limit) ?? 0n }
    let high: Gap | null = null
    let previous = low
    let next = this.#firstGuess(limit)
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const gap = this.#gap(next, limit)
      if (gap === null) return null
      const last: Gap = { amountIn: next, gap }
      if (gap >= 0n) low = last
      else high = last
      const width: bigint | null = high && high.amountIn - low.amountIn
      if (width !== null && width <= slack) return { low: low.amountIn, high: low.amountIn + width }
      const guess =
        round < MODEL_ROUNDS ? this.#steepGuess(next, limit) : secantGuess(previous, last)
      previous = last
      // Every fourth round bisects, which guarantees progress on any curve.
      next = inside(round % 4 === 3 ? null : guess, low.amountIn, high?.amountIn ?? null, slack)
    }
    return null
  }

  #gap(amountIn: bigint, limit: Rat): bigint | null {
    const after = this.#after(amountIn)
    if (typeof after === 'string') return null
    const { num, den } = after.price
    return ((num * limit.den) << ONE_BITS) / (den * limit.num) - ONE
  }

  /** What buys half of the coin at its limit. */
  #firstGuess(limit: Rat): bigint {
    // The coins were checked with the direction.
    return this.#atoms(this.#start.xp[this.#d.to]! >> 1n, limit) >> 1n
  }

  /**
   * Input that meets the limit if the price falls like 1/p − 1 ∝ 1/x², its shape far from balance.
   * Here p and the balance x of the output coin are both scaled. Null if the price has not begun to
   * fall.
   */
  #steepGuess(amountIn: bigint, limit: Rat): bigint | null {
    const after = this.#after(amountIn)
    if (typeof after === 'string') return null
    const here = this.#scaledInverse(after.price)
    const there = this.#scaledInverse(limit)
    if (here <= ONE || there <= ONE) return null
    // The coins were checked with the direction.
    const x = after.point.xp[this.#d.to]!
    const wanted = integerSquareRoot((x * x * (here - ONE)) / (there - ONE))
    const units = ((x - wanted) * (here + there)) >> (ONE_BITS + 1n)
    return amountIn + (units * PRECISION) / this.#state.rates[this.#d.from]!
  }

  /** 1/p on the common scale, in the fixed point. */
  #scaledInverse({ num, den }: Rat): bigint {
    const { rates } = this.#state
    // The coins were checked with the direction.
    return ((den * rates[this.#d.from]!) << ONE_BITS) / (num * rates[this.#d.to]!)
  }

  /**
   * Input worth a number of units of the common scale, by its value and its output at the limit.
   * Rounded up, at least one.
   */
  #atoms(units: bigint, limit: Rat): bigint {
    const both = (units * (ONE + this.#scaledInverse(limit))) >> ONE_BITS
    return divideRoundingUp((both + 1n) * PRECISION, this.#state.rates[this.#d.from]!)
  }

  /**
   * A wider bracket. At both ends, the distance from the limit exceeds the effect of noise in the
   * output coin.
   */
  #clear(passed: Bracket, noise: bigint, limit: Rat): Bracket | null {
    const doubt = 2n * this.#effect(passed.low, noise)
    let margin = this.#atoms(noise, limit)
    for (let round = 0; round < MAX_WIDENINGS; round++, margin *= 2n) {
      const low = passed.low - margin
      const high = passed.high + margin
      const [before, after] = [this.#gap(low < 1n ? 0n : low, limit), this.#gap(high, limit)]
      const isClear = low < 1n || (before !== null && before > doubt)
      if (isClear && after !== null && after < -doubt) return { low: low < 0n ? 0n : low, high }
    }
    return null
  }

  /**
   * A fee that follows the balances moves in steps of 10^-10 of the output. Each step moves the
   * price back by the same ratio. The bracket is unchanged if no such step is close enough to
   * matter.
   */
  #clearOfFees(passed: Bracket, clear: Bracket, limit: Rat): Bracket | null {
    if (this.#state.variant !== 'NG') return clear
    // The coin was checked with the direction.
    const step = this.#start.xp[this.#d.to]! / FEE_DENOMINATOR + 1n
    const wide = this.#clear(passed, 2n * step, limit)
    const [before, after] = [wide?.low ?? 0n, wide?.high ?? 0n].map((amountIn) =>
      this.#after(amountIn < 1n ? 1n : amountIn),
    ) as [Priced | string, Priced | string]
    const isSteady =
      typeof before !== 'string' && typeof after !== 'string' && before.feeX10 === after.feeX10
    if (wide === null || !isSteady) return wide
    return clear
  }

  /**
   * Relative change of the price after an input, if the balance of the output coin is `units`
   * higher.
   */
  #effect(amountIn: bigint, units: bigint): bigint {
    const after = this.#after(amountIn)
    if (typeof after === 'string') return 0n
    const { point, price } = after
    const xp = point.xp.map((x, coin) => (coin === this.#d.to ? x + units : x))
    const o = { base: this.#d.from, quote: this.#d.to }
    const moved = priceAt({ ...point, xp, d: unsettledD(xp, point.curve) }, this.#state, o)
    const apart = ((moved.num * price.den) << ONE_BITS) / (moved.den * price.num) - ONE
    return apart < 0n ? -apart : apart
  }
}

/**
 * The next guess, clamped between two inputs, or above the first one if the second is unknown.
 * Without a guess, the middle.
 */
function inside(guess: bigint | null, low: bigint, high: bigint | null, slack: bigint): bigint {
  if (high === null) return guess !== null && guess > low + slack ? guess : 2n * low + slack
  const width = high - low
  if (guess === null || width <= 2n * slack) return low + (width >> 1n)
  // Never nearer to an end than the bracket may stay wide: the next answer then closes it from the other side.
  if (guess < low + slack) return low + slack
  return guess > high - slack ? high - slack : guess
}

function secantGuess(a: Gap, b: Gap): bigint | null {
  if (a.gap === b.gap) return null
  return b.amountIn - (b.gap * (b.amountIn - a.amountIn)) / (b.gap - a.gap)
}

/** Whether the fee stays so small off the peg that a larger exchange never leaves more of the coin paid out. */
function isFeeOrdinary({ variant, feeX10, offpegFeeMultiplierX10 }: StableState): boolean {
  return variant !== 'NG' || offpegFeeMultiplierX10 * feeX10 <= MOST_FEE * FEE_DENOMINATOR
}

/**
 * Whether the pool's D is off by a few units at most, so that prices fall with the input except for
 * rounding. Each division in D^(n+1)/(n^n·Πx) has an error below one unit, which the later coins
 * multiply. D takes this share of the total:
 *
 *     n·Π max(1, r) / (Ann − 1 + (n + 1)·Πr),   r = D/(n·x) per coin
 */
function isOrdinary({ xp, d, curve }: StablePoint): boolean {
  if (d >= MOST_INVARIANT || xp.some((x) => x < LEAST_BALANCE)) return false
  const coins = BigInt(xp.length)
  let [all, above] = [ONE, ONE]
  for (const x of xp) {
    const r = (d << ONE_BITS) / (coins * x)
    all = (all * r) >> ONE_BITS
    above = (above * (r > ONE ? r : ONE)) >> ONE_BITS
  }
  const ann = (curve.amplification * coins * ONE) / amplificationPrecision(curve.variant)
  return coins * above <= MOST_NOISE * (ann - ONE + (coins + 1n) * all)
}

function isAtLeast(price: Rat, limit: Rat): boolean {
  return price.num * limit.den >= limit.num * price.den
}

/** Whether a refused input is too small rather than too large. */
export function isSmall(state: StableState, { from }: Dir, amountIn: bigint): boolean {
  // The coin was checked by the caller.
  return amountIn <= state.balances[from]!
}

/** An exchange, or null if the contract reverts. */
export function tryExchange(
  state: StableState,
  d: Dir,
  amountIn: bigint,
  point?: StablePoint,
): StableExchange | null {
  return unlessReverted(() => exchangeStable(state, d, amountIn, point))
}

function unlessReverted<T>(operation: () => T): T | null {
  try {
    return operation()
  } catch (error) {
    if (error instanceof PoolRevertError) return null
    throw error
  }
}
