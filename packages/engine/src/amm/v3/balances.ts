import { PoolRevertError } from '../pool-revert.ts'
import type { Pool } from './pool.ts'

/** Books tokens that enter the pool; an unknown balance stays unknown. */
export function payIn(pool: Pool, amount0: bigint, amount1: bigint): void {
  if (pool.balance0 !== null) pool.balance0 += amount0
  if (pool.balance1 !== null) pool.balance1 += amount1
}

/**
 * Records tokens that leave the pool.
 *
 * @throws PoolRevertError TF if the pool's balance is too small; the state is unchanged then
 */
export function payOut(pool: Pool, amount0: bigint, amount1: bigint): void {
  if (pool.balance0 !== null && pool.balance0 < amount0) throw new PoolRevertError({ reason: 'TF' })
  if (pool.balance1 !== null && pool.balance1 < amount1) throw new PoolRevertError({ reason: 'TF' })
  payIn(pool, -amount0, -amount1)
}
