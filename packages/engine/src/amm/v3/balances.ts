import { PoolRevertError } from '../pool-revert.ts'
import type { Pool } from './pool.ts'

/** Books tokens that enter the pool; an unknown balance stays unknown. */
export function payIn(pool: Pool, amount0: bigint, amount1: bigint): void {
  if (pool.balance0 !== null) pool.balance0 += amount0
  if (pool.balance1 !== null) pool.balance1 += amount1
}

/**
 * Books tokens that leave the pool.
 *
 * @throws PoolRevertError TF when the pool does not hold them; nothing is booked then
 */
export function payOut(pool: Pool, amount0: bigint, amount1: bigint): void {
  if (pool.balance0 !== null && pool.balance0 < amount0) throw new PoolRevertError({ reason: 'TF' })
  if (pool.balance1 !== null && pool.balance1 < amount1) throw new PoolRevertError({ reason: 'TF' })
  payIn(pool, -amount0, -amount1)
}
