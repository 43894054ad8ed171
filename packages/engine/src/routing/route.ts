import type { Dir, Market } from '../amm/market.ts'
import { PoolRevertError } from '../amm/pool-revert.ts'
import { PriceSearch } from '../amm/stableswap/price-search.ts'
import { FEE_DENOMINATOR } from '../amm/stableswap/state.ts'
import { priceOrNull, swapExactIn } from '../amm/swap.ts'
import type { CpmmState } from '../amm/v2/state.ts'
import { clmmMidPrice } from '../amm/v3/market.ts'
import { loadPool, type Pool } from '../amm/v3/pool.ts'
import { openLimit, quoterOfPool, type SwapQuoter } from '../amm/v3/swap.ts'
import { MAX_SQRT_RATIO, MIN_SQRT_RATIO } from '../amm/v3/tick-math.ts'
import { integerSquareRoot, type Rat } from '../arithmetic/integer.ts'

/**
 * One market seen from a router that sends one token in and takes another out. Rates are all-in: output
 * per input after the fee of the market, as the last atom gets it.
 */
export interface Route {
  /** All-in rate of the first atom; zero without liquidity. */
  readonly best: Rat
  /**
   * The input, at most `most`, after which the all-in rate has fallen to `rate`: every atom before was
   * better. Falls when the rate rises.
   */
  inputAt(rate: Rat, most: bigint): bigint
  /** Exact input and output under the market's own rules; null if the market rejects it. */
  swap(amountIn: bigint): Fill | null
}

/** An executed swap; `fee` is part of `amountIn`. */
export interface Fill {
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly fee: bigint
}

const MILLION = 1_000_000n
const NOTHING: Rat = { num: 0n, den: 1n }
/** int256: only the price stops the swap. */
const UNLIMITED = (1n << 255n) - 1n

/** Prepares a market for many questions about one direction. */
export function routeOf(market: Market, d: Dir): Route {
  switch (market.kind) {
    case 'UNISWAP_V2':
      return pairRoute(market, d)
    case 'UNISWAP_V3':
      return poolRoute(loadPool(market), d)
    case 'STABLESWAP':
      return stableRoute(market, d)
    case 'ORDER_BOOK':
      return bookRoute(market, d)
  }
}

/**
 * A pair: d(out)/d(in) = γ·R_in·R_out/(R_in + γ·x)², so x = (√(γ·R_in·R_out/λ) − R_in)/γ, rounded down.
 */
function pairRoute(m: CpmmState, d: Dir): Route {
  const [reserveIn, reserveOut] = d.from === 0 ? [m.reserve0, m.reserve1] : [m.reserve1, m.reserve0]
  if (reserveIn === 0n || reserveOut === 0n) return noRoute
  const { denominator } = m.fee
  const kept = denominator - m.fee.numerator
  return {
    best: { num: kept * reserveOut, den: denominator * reserveIn },
    inputAt(rate, most) {
      const product = kept * reserveIn * reserveOut * rate.den
      const root = integerSquareRoot(product / (denominator * rate.num))
      if (root <= reserveIn) return 0n
      return least(((root - reserveIn) * denominator) / kept, most)
    },
    swap: (amountIn) => refusable(() => swapExactIn(m, d, amountIn)),
  }
}

/** A market without liquidity. */
export const noRoute: Route = { best: NOTHING, inputAt: () => 0n, swap: () => null }

/** Result of a swap, or null if the market rejects it. */
function refusable(swap: () => Fill): Fill | null {
  try {
    const { amountIn, amountOut, fee } = swap()
    return amountOut === 0n ? null : { amountIn, amountOut, fee }
  } catch (error) {
    if (error instanceof PoolRevertError) return null
    throw error
  }
}

/**
 * The working form of a v3 pool, which remains unchanged, or other quotes of the same pool. The fee
 * is outside of the curve, so the all-in rate λ is the pool's price λ/(1 − f).
 */
export function poolRoute(pool: Pool, d: Dir, quote: SwapQuoter = quoterOfPool(pool)): Route {
  if (pool.sqrtPriceX96 === 0n) return noRoute
  const zeroForOne = d.from === 0
  const kept = pool.feeComplement
  const mid = clmmMidPrice(pool.sqrtPriceX96, { base: d.from, quote: d.to })
  return {
    best: { num: mid.num * kept, den: mid.den * MILLION },
    inputAt(rate, most) {
      const limit = rootLimit({ num: rate.num * MILLION, den: rate.den * kept }, zeroForOne)
      const isBehind = zeroForOne ? limit >= pool.sqrtPriceX96 : limit <= pool.sqrtPriceX96
      if (isBehind) return 0n
      const request = { zeroForOne, amountSpecified: UNLIMITED, sqrtPriceLimitX96: limit }
      return least(quote(request).amountIn, most)
    },
    swap(amountSpecified) {
      const request = { zeroForOne, amountSpecified, sqrtPriceLimitX96: openLimit(zeroForOne) }
      return refusable(() => quote(request))
    },
  }
}

/** Root price where a pool of token0/token1 gives `rate`, one step inside the range of ticks. */
function rootLimit(rate: Rat, zeroForOne: boolean): bigint {
  const [num, den] = zeroForOne ? [rate.num, rate.den] : [rate.den, rate.num]
  const root = integerSquareRoot((num << 192n) / den)
  if (root <= MIN_SQRT_RATIO) return MIN_SQRT_RATIO + 1n
  return root >= MAX_SQRT_RATIO ? MAX_SQRT_RATIO - 1n : root
}

/** How often the bracket of a StableSwap input is narrowed: 2^32 parts of the order are fine enough. */
const STABLE_ROUNDS = 32

/**
 * A StableSwap pool: its marginal price less the fee. No closed form exists. The input is bisected
 * to 2^-32 of the order, within the bounds of earlier results, because it falls when the rate
 * rises.
 */
function stableRoute(m: Extract<Market, { kind: 'STABLESWAP' }>, d: Dir): Route {
  const price = priceOrNull(m, { base: d.from, quote: d.to })
  if (price === null) return noRoute
  const kept = FEE_DENOMINATOR - m.feeX10
  const best = { num: price.num * kept, den: price.den * FEE_DENOMINATOR }
  const search = new PriceSearch(m, d)
  const known: { rate: Rat; amountIn: bigint }[] = []
  return {
    best,
    inputAt(rate, most) {
      if (isBelow(best, rate)) return 0n
      const limit = { num: rate.num * FEE_DENOMINATOR, den: rate.den * kept }
      let [low, high] = bracket(known, rate, most)
      const fine = (most >> BigInt(STABLE_ROUNDS)) + 1n
      while (high - low > fine) {
        const middle = (low + high) >> 1n
        if (search.isWithin(middle, limit)) low = middle
        else high = middle
      }
      known.push({ rate, amountIn: low })
      return low
    },
    swap: (amountIn) => refusable(() => swapExactIn(m, d, amountIn)),
  }
}

/** Between the largest input known for a better rate and the smallest known for a worse one. */
function bracket(
  known: readonly { rate: Rat; amountIn: bigint }[],
  rate: Rat,
  most: bigint,
): [bigint, bigint] {
  let low = 0n
  let high = most + 1n
  for (const { rate: asked, amountIn } of known) {
    if (isBelow(asked, rate)) high = least(high, amountIn + 1n)
    else if (amountIn > low) low = amountIn
  }
  return [least(low, most), high]
}

/** An order book: every level whose price after the taker's fee is at least the rate. */
function bookRoute(m: Extract<Market, { kind: 'ORDER_BOOK' }>, d: Dir): Route {
  const buys = d.from === 1
  const kept = MILLION - BigInt(m.takerFeePips)
  const levels = (buys ? m.asks : m.bids).map(({ ticks, base }) => {
    const price = { num: ticks * m.tickSize.num, den: m.tickSize.den }
    const gross = buys ? { num: price.den, den: price.num } : price
    const amountIn = buys ? (base * price.num + price.den - 1n) / price.den : base
    return { rate: { num: gross.num * kept, den: gross.den * MILLION }, amountIn }
  })
  return {
    best: levels[0]?.rate ?? NOTHING,
    inputAt(rate, most) {
      let sum = 0n
      for (const level of levels) {
        if (isBelow(level.rate, rate)) break
        sum += level.amountIn
      }
      return least(sum, most)
    },
    swap: (amountIn) => refusable(() => swapExactIn(m, d, amountIn)),
  }
}

/** Whether one rate is worse than another. */
export function isBelow(a: Rat, b: Rat): boolean {
  return a.num * b.den < b.num * a.den
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
