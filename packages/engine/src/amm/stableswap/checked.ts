import { MAX_UINT256 } from '../../arithmetic/integer.ts'
import { PoolRevertError } from '../pool-revert.ts'

/**
 * Overflow check that the contracts' compiler inserts: a result outside of uint256 reverts without
 * a reason.
 */
export function checked(value: bigint): bigint {
  if (value < 0n || value > MAX_UINT256) throw new PoolRevertError({ reason: '' })
  return value
}

/** Quotient rounded down; a divisor of zero reverts. */
export function divide(dividend: bigint, divisor: bigint): bigint {
  if (divisor === 0n) throw new PoolRevertError({ reason: '' })
  return dividend / divisor
}

/** @throws PoolRevertError without a reason, as an `assert` of the contracts */
export function require(condition: boolean): void {
  if (!condition) throw new PoolRevertError({ reason: '' })
}
