import type { Dir, PoolMarket } from '../amm/market.ts'
import { PoolRevertError } from '../amm/pool-revert.ts'
import { swapExactIn } from '../amm/swap.ts'
import { loadPool, type Pool } from '../amm/v3/pool.ts'
import { openLimit, walkSwap } from '../amm/v3/swap.ts'
import { divideRoundingUp } from '../arithmetic/integer.ts'

/** Maximum profit of a sandwich attack on a swap, in atoms of the swap's input token. */
export interface SandwichExposure {
  /** No trades in this pool around the swap earn more. */
  readonly bound: bigint
  /**
   * The best attack found, and its exact profit under the pool's rules; zero if no attack is
   * profitable.
   */
  readonly found: { readonly frontRunIn: bigint; readonly profit: bigint }
}

const MILLION = 1_000_000n
/** Resolution of the search, as a share of the largest front run. */
const SEARCH_BITS = 20n
/** Maximum doublings when the search extends the largest front run. */
const MOST_DOUBLINGS = 24

/**
 * Bounds the sandwich profit from a swap that fails below a minimum output.
 *
 * An attacker sells x before the swap for y, and sells y after the swap. The attacker ends with the
 * initial inventory plus a profit p in the swap's input token. In v3, fees f are outside of the
 * curve. On the curve, an output o costs I(o) from the initial state. With v the swap's input and
 * o(x) its output after the front run
 *
 *     p = v·(1 − f) − f·x − I(o(x) + f·y(x))
 *
 * exactly, except for rounding, which favors the pool. Since o falls and y rises with x, between
 * two front runs x₁ < x₂
 *
 *     p ≤ v·(1 − f) − f·x₁ − I(o(x₂) + f·y(x₁))
 *
 * The bound is the maximum over intervals that cover every front run with at least the minimum
 * output. It adds an atom per step, because every step rounds I up. In v2 the fee stays in the
 * reserves, and the last trader recovers a part. But the product of the reserves never falls: p ≤ v
 * − I(minimumOut).
 *
 * The attack found is the result of a search: it extends the largest front run, then uses ternary
 * search. The search is exact if the profit has one peak, and otherwise gives a lower bound.
 *
 * @param minimumOut above zero and at most the swap's output without an attack
 * @throws RangeError if the swap gets less than its minimum even without a front run
 * @see Uniswap v3 whitepaper, §6.2 (fees outside of the curve); the bound itself has no external
 * source
 */
export function sandwichExposure(
  market: PoolMarket,
  d: Dir,
  amountIn: bigint,
  minimumOut: bigint,
): SandwichExposure {
  const alone = swapExactIn(market, d, amountIn)
  if (minimumOut <= 0n || alone.amountOut < minimumOut) {
    throw new RangeError(`a minimum of ${minimumOut} for a swap that returns ${alone.amountOut}`)
  }
  const attack = new Attack(market, d, { amountIn, minimumOut })
  const most = attack.largestFrontRun()
  const bound =
    market.kind === 'UNISWAP_V2'
      ? boundOfPair(market, d, amountIn, minimumOut)
      : boundOfPool(market, d, { amountIn, minimumOut }, attack, most)
  // Rounding may put the bound on a swap of a few atoms above all that it sends in.
  return { bound: bound < amountIn ? bound : amountIn, found: attack.best(most) }
}

function boundOfPair(
  { reserve0, reserve1 }: Exclude<PoolMarket, { kind: 'UNISWAP_V3' }>,
  d: Dir,
  amountIn: bigint,
  minimumOut: bigint,
): bigint {
  const [reserveIn, reserveOut] = d.from === 0 ? [reserve0, reserve1] : [reserve1, reserve0]
  const needed = (reserveIn * minimumOut) / (reserveOut - minimumOut)
  return amountIn > needed ? amountIn - needed : 0n
}

/** Number of front-run intervals for the bound; spaced more densely for small front runs. */
const INTERVALS = 96n

function boundOfPool(
  market: Extract<PoolMarket, { kind: 'UNISWAP_V3' }>,
  d: Dir,
  { amountIn, minimumOut }: Swap,
  attack: Attack,
  most: bigint,
): bigint {
  const fee = BigInt(market.feePips)
  const net = divideRoundingUp(amountIn * (MILLION - fee), MILLION)
  const free = loadPool({ ...market, feePips: 0 })
  const zeroForOne = d.from === 0
  const costs = (output: bigint): bigint => {
    const request = {
      zeroForOne,
      amountSpecified: -output,
      sqrtPriceLimitX96: openLimit(zeroForOne),
    }
    const walk = walkSwap(free, request)
    // Output that the pool does not have would cost more than any amount.
    return walk.remaining > 0n ? net : walk.amountIn - BigInt(walk.crossed.length) - 2n
  }
  let bound = 0n
  let from = { frontRunIn: 0n, got: 0n }
  for (let step = 1n; step <= INTERVALS; step += 1n) {
    const frontRunIn = (most * step * step) / (INTERVALS * INTERVALS)
    const isLast = step === INTERVALS
    const after = isLast || frontRunIn === 0n ? null : attack.staged(frontRunIn)
    if (after === null && !isLast) continue
    const kept = after === null ? minimumOut : after.swapGets
    const profit =
      net - (from.frontRunIn * fee) / MILLION - costs(kept + (from.got * fee) / MILLION)
    if (profit > bound) bound = profit
    if (after) from = { frontRunIn, got: after.got }
  }
  return bound
}

const none = { frontRunIn: 0n, profit: 0n }

/** A pool for consecutive trial swaps, without changes to the original. */
interface Tried {
  /** Null if the pool cannot take the whole amount or its contract would revert. */
  swap(isForward: boolean, amountIn: bigint): { amountOut: bigint; after: Tried } | null
}

const triedOf = (market: PoolMarket, d: Dir): Tried =>
  market.kind === 'UNISWAP_V3' ? triedPool(loadPool(market), d) : triedPair(market, d)

/** Amounts of later swaps depend only on price, tick and liquidity, so only these are updated. */
const triedPool = (pool: Pool, d: Dir): Tried => ({
  swap(isForward, amountSpecified) {
    const zeroForOne = (isForward ? d.from : d.to) === 0
    const request = { zeroForOne, amountSpecified, sqrtPriceLimitX96: openLimit(zeroForOne) }
    const walk = orRevert(() => walkSwap(pool, request))
    if (walk === null || walk.remaining > 0n) return null
    const { sqrtPriceX96, tick, cursor, liquidity, amountOut } = walk
    return { amountOut, after: triedPool({ ...pool, sqrtPriceX96, tick, cursor, liquidity }, d) }
  },
})

const triedPair = (pair: Exclude<PoolMarket, { kind: 'UNISWAP_V3' }>, d: Dir): Tried => ({
  swap(isForward, amountIn) {
    const direction = isForward ? d : { from: d.to, to: d.from }
    const swap = orRevert(() => swapExactIn(pair, direction, amountIn))
    return swap && { amountOut: swap.amountOut, after: triedPair(swap.state, d) }
  },
})

/** Result of a pool call, or null if the contract would revert. */
function orRevert<Result>(call: () => Result): Result | null {
  try {
    return call()
  } catch (error) {
    if (error instanceof PoolRevertError) return null
    throw error
  }
}

interface Swap {
  readonly amountIn: bigint
  readonly minimumOut: bigint
}

/** Evaluates front runs before one swap. */
class Attack {
  readonly #pool: Tried
  readonly #swap: Swap
  readonly #known = new Map<bigint, bigint | null>()

  constructor(market: PoolMarket, d: Dir, swap: Swap) {
    this.#pool = triedOf(market, d)
    this.#swap = swap
  }

  /**
   * Output of a front run, and the pool after the victim's swap; null if the victim's swap would
   * fail.
   */
  staged(frontRunIn: bigint) {
    const front = this.#pool.swap(true, frontRunIn)
    if (front === null || front.amountOut === 0n) return null
    const swap = front.after.swap(true, this.#swap.amountIn)
    if (swap === null || swap.amountOut < this.#swap.minimumOut) return null
    return { got: front.amountOut, swapGets: swap.amountOut, after: swap.after }
  }

  /**
   * Profit of the whole attack. Null if the victim's swap would fail, or the pool pays zero for the
   * back run.
   */
  #profit(frontRunIn: bigint): bigint | null {
    const known = this.#known.get(frontRunIn)
    if (known !== undefined) return known
    const staged = this.staged(frontRunIn)
    const back = staged?.after.swap(false, staged.got) ?? null
    const profit = back && back.amountOut - frontRunIn
    this.#known.set(frontRunIn, profit)
    return profit
  }

  /** The largest front run after which the swap still gets its minimum; it gets less the larger the front run is. */
  largestFrontRun(): bigint {
    let low = 0n
    let high = this.#swap.amountIn
    for (let doubling = 0; doubling < MOST_DOUBLINGS && this.staged(high) !== null; doubling += 1) {
      low = high
      high *= 2n
    }
    while (high - low > 1n && high - low > low >> SEARCH_BITS) {
      const middle = (low + high) >> 1n
      if (this.staged(middle) === null) high = middle
      else low = middle
    }
    return low
  }

  best(most: bigint): SandwichExposure['found'] {
    if (most === 0n) return none
    const fine = (most >> SEARCH_BITS) + 1n
    let [low, high] = [1n, most]
    while (high - low > 2n * fine) {
      const third = (high - low) / 3n
      const [a, b] = [low + third, high - third]
      if (this.#atLeast(a) < this.#atLeast(b)) low = a
      else high = b
    }
    const ends = [low, (low + high) / 2n, high, most].map((frontRunIn) => ({
      frontRunIn,
      profit: this.#profit(frontRunIn) ?? 0n,
    }))
    return ends.reduce((best, one) => (one.profit > best.profit ? one : best), none)
  }

  /** A failed attack counts as a loss of its front-run input. */
  #atLeast(frontRunIn: bigint): bigint {
    return this.#profit(frontRunIn) ?? -frontRunIn
  }
}
