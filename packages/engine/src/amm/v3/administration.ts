import { divideRoundingUp, wrapUint256 } from '../../arithmetic/integer.ts'
import { PoolRevertError } from '../pool-revert.ts'
import { payIn, payOut } from './balances.ts'
import { assertUnlocked, type TokenAmounts } from './liquidity.ts'
import { initializeOracle } from './oracle.ts'
import { countTicksUpTo, type Pool } from './pool.ts'
import { tickAtSqrtRatio } from './tick-math.ts'

/**
 * Sets the first price of a pool and opens it.
 *
 * @throws PoolRevertError AI when it is open already, R for a price out of range
 */
export function initializePool(pool: Pool, sqrtPriceX96: bigint): void {
  if (pool.sqrtPriceX96 !== 0n) throw new PoolRevertError({ reason: 'AI' })
  pool.tick = tickAtSqrtRatio(sqrtPriceX96)
  pool.sqrtPriceX96 = sqrtPriceX96
  pool.cursor = countTicksUpTo(pool.ticks, pool.tick)
  initializeOracle(pool)
}

/**
 * Lends tokens within one call. Repayment above the loan is income of the liquidity in range, less
 * the protocol's share.
 *
 * @param loan borrowed amounts
 * @param paid amounts repaid above the loan
 * @returns the due fees, rounded up
 * @throws PoolRevertError LOK, L (no liquidity in range), TF (more than the pool's balance), F0, F1
 * (fee not paid)
 * @see Uniswap v3 whitepaper, §4
 */
export function flashLoan(pool: Pool, loan: TokenAmounts, paid: TokenAmounts): TokenAmounts {
  assertUnlocked(pool)
  if (pool.liquidity === 0n) throw new PoolRevertError({ reason: 'L' })
  const due = {
    amount0: divideRoundingUp(loan.amount0 * pool.fee, 1_000_000n),
    amount1: divideRoundingUp(loan.amount1 * pool.fee, 1_000_000n),
  }
  const held = { balance0: pool.balance0, balance1: pool.balance1 }
  payOut(pool, loan.amount0, loan.amount1)
  pool.balance0 = held.balance0
  pool.balance1 = held.balance1
  if (paid.amount0 < due.amount0) throw new PoolRevertError({ reason: 'F0' })
  if (paid.amount1 < due.amount1) throw new PoolRevertError({ reason: 'F1' })
  const share0 = pool.feeProtocol0 === 0 ? 0n : paid.amount0 / BigInt(pool.feeProtocol0)
  const share1 = pool.feeProtocol1 === 0 ? 0n : paid.amount1 / BigInt(pool.feeProtocol1)
  pool.protocolFees0 = BigInt.asUintN(128, pool.protocolFees0 + share0)
  pool.protocolFees1 = BigInt.asUintN(128, pool.protocolFees1 + share1)
  const growth = (fees: bigint): bigint => (fees << 128n) / pool.liquidity
  pool.feeGrowthGlobal0X128 = wrapUint256(pool.feeGrowthGlobal0X128 + growth(paid.amount0 - share0))
  pool.feeGrowthGlobal1X128 = wrapUint256(pool.feeGrowthGlobal1X128 + growth(paid.amount1 - share1))
  payIn(pool, paid.amount0, paid.amount1)
  return due
}

/**
 * Sets the protocol's share of the fees as 1/n per token.
 *
 * @param feeProtocol0 0 (off) or 4..10
 * @param feeProtocol1 0 (off) or 4..10
 * @throws PoolRevertError LOK, or without a reason for another share
 */
export function setProtocolShare(pool: Pool, feeProtocol0: number, feeProtocol1: number): void {
  assertUnlocked(pool)
  for (const share of [feeProtocol0, feeProtocol1]) {
    if (share !== 0 && !(share >= 4 && share <= 10)) throw new PoolRevertError({ reason: '' })
  }
  pool.feeProtocol0 = feeProtocol0
  pool.feeProtocol1 = feeProtocol1
}

/**
 * Pays out protocol fees, at most the requested amounts. A full request leaves one atom per token:
 * the contract avoids clearing its storage slot.
 */
export function collectProtocolFees(pool: Pool, requested: TokenAmounts): TokenAmounts {
  assertUnlocked(pool)
  const amount0 = withdrawable(requested.amount0, pool.protocolFees0)
  const amount1 = withdrawable(requested.amount1, pool.protocolFees1)
  payOut(pool, amount0, amount1)
  pool.protocolFees0 -= amount0
  pool.protocolFees1 -= amount1
  return { amount0, amount1 }
}

function withdrawable(requested: bigint, held: bigint): bigint {
  if (requested < held) return requested
  return held > 0n ? held - 1n : 0n
}
