import type { Rat } from '../arithmetic/integer.ts'

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
 * Price while nobody trades, exact: (Q·w_t)/(T·w_q).
 *
 * @param time unix seconds; before the start and after the end the weights stand still
 * @returns quote atoms per token atom
 * @throws RangeError for a pool that ends before it begins
 * @see Balancer, “Building liquidity into token distribution” (2020)
 */
export function priceWithoutTrades(pool: BootstrappingPool, time: number): Rat {
  const { startAt, endAt, token, quote, startWeightPips, endWeightPips } = pool
  if (endAt <= startAt) throw new RangeError('a pool that ends before it begins')
  const duration = BigInt(endAt - startAt)
  const passed = BigInt(Math.min(Math.max(time, startAt), endAt) - startAt)
  // Weight of the token in millionths, times the duration.
  const weight =
    BigInt(startWeightPips) * duration + BigInt(endWeightPips - startWeightPips) * passed
  return { num: quote * weight, den: token * (MILLION * duration - weight) }
}
