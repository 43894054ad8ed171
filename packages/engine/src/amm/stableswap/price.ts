import type { Rat } from '../../arithmetic/integer.ts'
import type { Orientation } from '../market.ts'
import { PoolRevertError } from '../pool-revert.ts'
import { pointOf, type StablePoint } from './exchange.ts'
import { amplificationPrecision, type StableState } from './state.ts'

/**
 * Marginal price without fee, quote atoms per base atom, exact for the pool's integer D.
 *
 *     −dx_q/dx_b = (Ann·x_q + Dr·x_q/x_b)/(Ann·x_q + Dr),   Dr = D^(n+1)/(n^n·Πx)
 *
 * @throws PoolRevertError without a reason if the pool is empty or D has no solution
 */
export function stableMidPrice(state: StableState, o: Orientation): Rat {
  return priceAt(pointOf(state), state, o)
}

/**
 * As `stableMidPrice`, at the point of the state.
 *
 * @throws PoolRevertError without a reason when one of the two coins is missing
 */
export function priceAt(
  { xp, curve, d }: StablePoint,
  { rates }: StableState,
  o: Orientation,
): Rat {
  const coins = BigInt(xp.length)
  // Both indexes were checked by the caller.
  const [base, quote] = [xp[o.base]!, xp[o.quote]!]
  if (base === 0n || quote === 0n) throw new PoolRevertError({ reason: '' })
  // Both sides of the fraction times n^n·Πx and the precision of A.
  const ann = curve.amplification * coins * xp.reduce((product, x) => product * x, coins ** coins)
  const rest = d ** (coins + 1n) * amplificationPrecision(curve.variant)
  return {
    num: quote * (ann * base + rest) * rates[o.base]!,
    den: base * (ann * quote + rest) * rates[o.quote]!,
  }
}
