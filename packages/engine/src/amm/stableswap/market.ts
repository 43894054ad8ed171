import { divideRoundingUp, type Rat } from '../../arithmetic/integer.ts'
import { largestWithin } from '../bisection.ts'
import type { Dir, Orientation, SwapOut } from '../market.ts'
import { PoolRevertError } from '../pool-revert.ts'
import { exchangeStable, pointOf, type StablePoint } from './exchange.ts'
import { priceAt, stableMidPrice } from './price.ts'
import { isSmall, PriceSearch, tryExchange } from './price-search.ts'
import { amplificationPrecision, PRECISION, type StableState } from './state.ts'

/** Largest input that is tried: no balance of a token comes near it. */
const LARGEST_INPUT = 1n << 128n

/** Digits of the slope. The slope is a statistic, not an amount. */
const X54 = 10n ** 54n

/**
 * The virtual quote L·√p of the constant product with the same price sensitivity as this pool,
 * quote atoms, rounded down. For x·y = L² the sensitivity is dq = L·√p/2 · d ln p, so here
 *
 *     2·dq/d ln p,   d ln p = dq/q + dx/x − (Ann·dx + ρ)/(Ann·x + r) − (Ann·dq − ρ)/(Ann·q + r)
 *
 * with dx = dq/p the outgoing base, r = D^(n+1)/(n^n·Πx), and ρ = r·(dq/q − dx/x) the decrease of
 * r, all scaled.
 *
 * @throws PoolRevertError without a reason if the pool is empty
 */
export function stableVirtualQuote(state: StableState, o: Orientation): bigint {
  const { rates, variant } = state
  const point = pointOf(state)
  const { xp, curve, d } = point
  const coins = BigInt(xp.length)
  const precision = amplificationPrecision(variant)
  // Both indexes were checked by the caller.
  const [base, quote] = [xp[o.base]!, xp[o.quote]!]
  const price = priceAt(point, state, o)
  const dQuote = X54
  const dBase = (X54 * price.den * rates[o.base]!) / (price.num * rates[o.quote]!)
  const ann = (curve.amplification * coins) / precision
  const r = xp.reduce((rest, x) => (rest * d) / (x * coins), d)
  const lost = (r * dQuote) / quote - (r * dBase) / base
  const dLogPrice =
    dQuote / quote +
    dBase / base -
    (ann * dBase + lost) / (ann * base + r) -
    (ann * dQuote - lost) / (ann * quote + r)
  return dLogPrice <= 0n ? 0n : (2n * X54 * PRECISION) / (dLogPrice * rates[o.quote]!)
}

/**
 * Exchanges an exact input, or the part that leaves the marginal price at or above `limit`.
 *
 * @param limit worst marginal price, atoms of `to` per atom of `from`
 * @throws PoolRevertError like the contract
 */
export function stableSwapExactIn(
  state: StableState,
  d: Dir,
  amountIn: bigint,
  limit?: Rat,
): SwapOut<StableState> {
  if (limit === undefined) return trade(state, d, amountIn)
  const most = largestInputWithin(state, d, limit)
  if (amountIn <= most) return trade(state, d, amountIn)
  return { ...tradeMost(state, d, most), exhausted: true }
}

/**
 * Exchanges the smallest input that pays at least `amountOut`, by bisection: the contract has no
 * exact output. If the input coin is coarser, the output can slightly exceed `amountOut`.
 *
 * @throws PoolRevertError if the pool cannot pay this amount
 */
export function stableSwapExactOut(
  state: StableState,
  d: Dir,
  amountOut: bigint,
  limit?: Rat,
): SwapOut<StableState> {
  const point = pointOf(state)
  const short = largestWithin(
    (amountIn) => paidFor(state, d, amountIn, point) < amountOut,
    LARGEST_INPUT,
  )
  const needed = short + 1n
  const reachable = short < LARGEST_INPUT
  if (limit === undefined) {
    if (!reachable) throw new PoolRevertError({ reason: '' })
    return trade(state, d, needed)
  }
  const most = largestInputWithin(state, d, limit)
  if (reachable && needed <= most) return trade(state, d, needed)
  return { ...tradeMost(state, d, most), exhausted: true }
}

/** The largest exchange whose marginal price afterwards does not pass a target, quote per base. */
export function stableSwapToPrice(
  state: StableState,
  o: Orientation,
  target: Rat,
): SwapOut<StableState> {
  const mid = stableMidPrice(state, o)
  const buys = target.num * mid.den > mid.num * target.den
  const d = buys ? { from: o.quote, to: o.base } : { from: o.base, to: o.quote }
  const limit = buys ? { num: target.den, den: target.num } : target
  return tradeMost(state, d, largestInputWithin(state, d, limit))
}

/** Largest input after which the marginal price is still at least `limit`, `to` per `from`. */
function largestInputWithin(state: StableState, d: Dir, limit: Rat): bigint {
  const search = new PriceSearch(state, d)
  return search.isWithin(0n, limit) ? largestWithin(search.within(limit), LARGEST_INPUT) : 0n
}

/**
 * Output of an input, for a bisection. Inputs too small for any output revert and count as zero.
 * Inputs too large for the contract's arithmetic count as infinite output.
 */
function paidFor(state: StableState, d: Dir, amountIn: bigint, point: StablePoint): bigint {
  const exchange = tryExchange(state, d, amountIn, point)
  if (exchange !== null) return exchange.amountOut
  // The coin was checked by the caller.
  return isSmall(state, d, amountIn) ? 0n : state.balances[d.to]!
}

/**
 * The trade for an input found by bisection; an empty trade if the input is too small for any
 * output.
 */
function tradeMost(state: StableState, d: Dir, amountIn: bigint): SwapOut<StableState> {
  const isNothing = amountIn === 0n || tryExchange(state, d, amountIn) === null
  if (!isNothing) return trade(state, d, amountIn)
  return { state, amountIn: 0n, amountOut: 0n, fee: 0n, crossed: 0, exhausted: false }
}

function trade(state: StableState, d: Dir, amountIn: bigint): SwapOut<StableState> {
  const exchange = exchangeStable(state, d, amountIn)
  const { amountOut, feeScaled } = exchange
  // The coin was checked with the price.
  const paidScaled = amountOut * state.rates[d.to]!
  const gross = paidScaled + feeScaled * PRECISION
  const fee = gross === 0n ? 0n : divideRoundingUp(amountIn * feeScaled * PRECISION, gross)
  return { state: exchange.state, amountIn, amountOut, fee, crossed: 0, exhausted: false }
}
