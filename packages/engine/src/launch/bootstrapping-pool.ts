import { divideRoundingUp, type Rat } from '../arithmetic/integer.ts'
import { powerX36, X36 } from '../numerics/fixed-point.ts'
import { type Bid, inOrder, isAtMost, type Sale, type SalePoint } from './demand.ts'

/** A liquidity bootstrapping pool, whose weights go in a straight line from start to end. */
export interface BootstrappingPool {
  readonly startAt: number
  readonly endAt: number
  /** Atoms in the pool. */
  readonly token: bigint
  readonly quote: bigint
  readonly startWeightPips: number
  readonly endWeightPips: number
}

const MILLION = 1_000_000n

/**
 * Exact price without trades: (Q·w_t)/(T·w_q).
 *
 * @param time unix seconds; before the start and after the end the weights are constant
 * @returns quote atoms per token atom
 * @throws RangeError for a pool that ends before it begins
 * @see Balancer, “Building liquidity into token distribution” (2020)
 */
export function priceWithoutTrades(pool: BootstrappingPool, time: number): Rat {
  const { startAt, endAt, token, quote, startWeightPips, endWeightPips } = pool
  if (endAt <= startAt) throw new RangeError('a pool that ends before it starts')
  const duration = BigInt(endAt - startAt)
  const passed = BigInt(Math.min(Math.max(time, startAt), endAt) - startAt)
  // Weight of the token in millionths, times the duration.
  const weight =
    BigInt(startWeightPips) * duration + BigInt(endWeightPips - startWeightPips) * passed
  return { num: quote * weight, den: token * (MILLION * duration - weight) }
}

/**
 * Simulates a bootstrapping pool with a given demand. At each moment, all arrived bids above the
 * price buy in order of arrival, up to their limit or budget. The fee stays in the pool. With x =
 * Q/(Q + net)
 *
 *     net to a price r times higher = Q·(r^w − 1),   tokens = T·(1 − x^(w_q/w))
 *
 * Powers are enclosed with 36 decimals. Tokens are rounded down and payments up.
 *
 * @param moments number of moments between start and end, from 2
 * @throws RangeError for a pool that ends before it begins
 */
export function sellFromBootstrappingPool(
  pool: BootstrappingPool & { readonly feePips: number },
  bids: readonly Bid[],
  moments = 24,
): Sale {
  const { startAt, endAt, feePips } = pool
  let [token, quote, sold, raised] = [pool.token, pool.quote, 0n, 0n]
  let waiting = inOrder(bids).map((bid, index) => ({ ...bid, index }))
  const filled = new Set<number>()
  const path: SalePoint[] = []
  for (let moment = 0; moment < moments; moment += 1) {
    const at = startAt + Math.floor(((endAt - startAt) * moment) / (moments - 1))
    const now = { ...pool, token, quote }
    const weight = weightAt(pool, at)
    const come = waiting.filter(({ atSeconds, budget }) => budget > 0n && startAt + atSeconds <= at)
    for (const bid of come) {
      const bought = buyUpTo({ token, quote, weight, feePips }, bid)
      if (bought.tokens === 0n) continue
      filled.add(bid.index)
      token -= bought.tokens
      quote += bought.paid
      sold += bought.tokens
      raised += bought.paid
      waiting = waiting.map((one) =>
        one.index === bid.index ? { ...one, budget: one.budget - bought.paid } : one,
      )
    }
    const price = priceWithoutTrades({ ...now, token, quote }, at)
    path.push({ atSeconds: at - startAt, price, sold, raised })
  }
  return { sold, raised, filled: filled.size, isSuccessful: true, path }
}

/** Weight of the token at a time, an exact share. */
function weightAt(
  { startAt, endAt, startWeightPips, endWeightPips }: BootstrappingPool,
  time: number,
): Rat {
  const duration = BigInt(endAt - startAt)
  const passed = BigInt(time - startAt)
  const num = BigInt(startWeightPips) * duration + BigInt(endWeightPips - startWeightPips) * passed
  return { num, den: MILLION * duration }
}

interface Standing {
  readonly token: bigint
  readonly quote: bigint
  readonly weight: Rat
  readonly feePips: number
}

/** Purchase of a bid up to its limit or budget. The price rises at most fourfold per step. */
function buyUpTo(pool: Standing, { budget, maximumPrice }: Bid): { tokens: bigint; paid: bigint } {
  const { num: w, den } = pool.weight
  let { token, quote } = pool
  let [tokens, paid] = [0n, 0n]
  for (;;) {
    const price = { num: quote * w, den: token * (den - w) }
    if (isAtMost(maximumPrice, price)) break
    const rise = { num: maximumPrice.num * price.den, den: maximumPrice.den * price.num }
    const isFar = rise.num > 4n * rise.den
    const { low } = powerX36(isFar ? { num: 4n, den: 1n } : rise, pool.weight)
    const room = (quote * (low - X36)) / X36
    const kept = MILLION - BigInt(pool.feePips)
    const needed = (room * MILLION) / kept
    const left = budget - paid
    const spent = needed < left ? needed : left
    const net = (spent * kept) / MILLION
    const out = tokensFor(token, quote, net, pool.weight)
    if (out === 0n) break
    token -= out
    quote += spent
    tokens += out
    paid += spent
    if (spent === left || !isFar) break
  }
  return { tokens, paid }
}

/** T·(1 − (Q/(Q + net))^(w_q/w_t)), rounded down; the whole part of the exponent is multiplied out. */
function tokensFor(token: bigint, quote: bigint, net: bigint, { num: w, den }: Rat): bigint {
  const x = { num: quote, den: quote + net }
  const whole = (den - w) / w
  const fraction = { num: den - w - whole * w, den: w }
  let left = powerX36(x, fraction).high
  for (let k = 0n; k < whole; k += 1n) left = divideRoundingUp(left * x.num, x.den)
  return left >= X36 ? 0n : (token * (X36 - left)) / X36
}
