import { divideRoundingUp, MAX_UINT160, MAX_UINT256, Q96 } from '../../arithmetic/integer.ts'
import { PoolRevertError } from '../pool-revert.ts'

/**
 * token0 between two root prices at constant liquidity, rounded up: the amount that enters the
 * pool.
 *
 *     ⌈⌈L·2^96·(b − a) / b⌉ / a⌉
 *
 * @param lower a, Q64.96, above zero
 * @param upper b, Q64.96, not below a
 * @param liquidity L, uint128
 * @see Uniswap v3 whitepaper, §6.2.3
 */
export function amount0RoundingUp(lower: bigint, upper: bigint, liquidity: bigint): bigint {
  return divideRoundingUp(divideRoundingUp((liquidity << 96n) * (upper - lower), upper), lower)
}

/**
 * token0 between two root prices at constant liquidity, rounded down: the amount that leaves the
 * pool.
 */
export function amount0RoundingDown(lower: bigint, upper: bigint, liquidity: bigint): bigint {
  return ((liquidity << 96n) * (upper - lower)) / upper / lower
}

/** token1 between two root prices at constant liquidity, L·(b − a) / 2^96, rounded up: what enters. */
export function amount1RoundingUp(lower: bigint, upper: bigint, liquidity: bigint): bigint {
  return (liquidity * (upper - lower) + (Q96 - 1n)) >> 96n
}

/**
 * token1 between two root prices at constant liquidity, rounded down: the amount that leaves the
 * pool.
 */
export function amount1RoundingDown(lower: bigint, upper: bigint, liquidity: bigint): bigint {
  return (liquidity * (upper - lower)) >> 96n
}

/**
 * Root price after `amount` of token0 enters the range.
 *
 *     L·√P / (L + amount·√P), rounded up: the pool never pays out more than the curve allows
 *
 * If the product exceeds 256 bits, the deployed contract divides first and loses precision. This
 * function reproduces that branch.
 *
 * @param sqrtPriceX96 Q64.96, above zero
 * @param liquidity uint128, above zero
 * @param amount atomic units of token0
 */
export function sqrtPriceAfterAmount0In(
  sqrtPriceX96: bigint,
  liquidity: bigint,
  amount: bigint,
): bigint {
  if (amount === 0n) return sqrtPriceX96
  const numerator = liquidity << 96n
  const product = amount * sqrtPriceX96
  const denominator = numerator + product
  if (denominator <= MAX_UINT256) return divideRoundingUp(numerator * sqrtPriceX96, denominator)
  return divideRoundingUp(numerator, numerator / sqrtPriceX96 + amount)
}

/** Root price after `amount` of token1 enters: √P + amount / L, rounded down. */
export function sqrtPriceAfterAmount1In(
  sqrtPriceX96: bigint,
  liquidity: bigint,
  amount: bigint,
): bigint {
  const next = sqrtPriceX96 + (amount << 96n) / liquidity
  if (next > MAX_UINT160) throw new PoolRevertError({ reason: '' })
  return next
}

/**
 * Root price after `amount` of token0 leaves: L·√P / (L − amount·√P), rounded up.
 *
 * @throws PoolRevertError without a reason if the product exceeds 256 bits or the range runs empty
 * first
 */
export function sqrtPriceAfterAmount0Out(
  sqrtPriceX96: bigint,
  liquidity: bigint,
  amount: bigint,
): bigint {
  if (amount === 0n) return sqrtPriceX96
  const numerator = liquidity << 96n
  const product = amount * sqrtPriceX96
  if (product > MAX_UINT256 || numerator <= product) throw new PoolRevertError({ reason: '' })
  const next = divideRoundingUp(numerator * sqrtPriceX96, numerator - product)
  if (next > MAX_UINT160) throw new PoolRevertError({ reason: '' })
  return next
}

/**
 * Root price after `amount` of token1 leaves: √P − ⌈amount / L⌉, rounded down.
 *
 * @throws PoolRevertError without a reason when the price would fall to zero
 */
export function sqrtPriceAfterAmount1Out(
  sqrtPriceX96: bigint,
  liquidity: bigint,
  amount: bigint,
): bigint {
  const fall = divideRoundingUp(amount << 96n, liquidity)
  if (sqrtPriceX96 <= fall) throw new PoolRevertError({ reason: '' })
  return sqrtPriceX96 - fall
}
