import type { Orientation } from '../market.ts'
import { FEE_DENOMINATOR, type StableState, scaledBalances } from './state.ts'

/**
 * The fee of a trade or an unbalanced change between two scaled balances, parts of 10^10. Only NG
 * raises it away from the peg:
 *
 *     m·f / ((m − 1)·4·x_i·x_j/(x_i + x_j)² + 1),   m the off-peg multiplier; rounded down
 *
 * @param baseFeeX10 fee at the peg
 */
export function dynamicFee(
  { variant, offpegFeeMultiplierX10: multiplier }: StableState,
  xi: bigint,
  xj: bigint,
  baseFeeX10: bigint,
): bigint {
  if (variant !== 'NG' || multiplier <= FEE_DENOMINATOR) return baseFeeX10
  const sum = xi + xj
  const closeness = ((multiplier - FEE_DENOMINATOR) * 4n * xi * xj) / (sum * sum)
  return (multiplier * baseFeeX10) / (closeness + FEE_DENOMINATOR)
}

/** The fee of the first atom between two coins, parts of 10^10: the same in both directions. */
export function feeAtPrice(state: StableState, { base, quote }: Orientation): bigint {
  const xp = scaledBalances(state.rates, state.balances)
  // Both indexes were checked with the price.
  return dynamicFee(state, xp[base]!, xp[quote]!, state.feeX10)
}

/** Fee per coin of an unbalanced deposit or withdrawal: fee·n/(4·(n − 1)), parts of 10^10. */
export function imbalanceFee({ feeX10, rates }: StableState): bigint {
  const coins = BigInt(rates.length)
  return (feeX10 * coins) / (4n * (coins - 1n))
}
