import { PoolRevertError } from '../pool-revert.ts'
import { MAX_TICK, MIN_TICK } from './tick-math.ts'

/**
 * Refuses a range the contract refuses, in its order.
 *
 * @throws PoolRevertError TLU (not ascending), TLM (below the lowest), TUM (above the highest tick)
 */
export function assertTickRange(tickLower: number, tickUpper: number): void {
  if (tickLower >= tickUpper) throw new PoolRevertError({ reason: 'TLU' })
  if (tickLower < MIN_TICK) throw new PoolRevertError({ reason: 'TLM' })
  if (tickUpper > MAX_TICK) throw new PoolRevertError({ reason: 'TUM' })
}
