import type { FieldErrors } from '@liquidity-os/contract'
import type { StrategyInput } from './exact-definition.ts'

/**
 * Why no strategy may rest on the age of an oracle price: rules look at the pool alone, whatever feeds the organization has.
 * Whoever shows them prices of feeds makes this null where the pair has one; every refusal of the guard goes through it.
 */
const unwatched =
  'must be null: rules look at the pool alone, and no action rests on an oracle price'

/** What is wrong with a guard on the age of the oracle price: it would be kept and never looked at. */
export function oracleAgeFault(maxAgeSeconds: number | null): string | null {
  return maxAgeSeconds === null ? null : `${unwatched}, got ${maxAgeSeconds}`
}

/** Faults of the guards of a definition, by field. */
export function validateGuard(
  { guards }: { guards: Pick<StrategyInput['guards'], 'oracleMaxAgeSeconds'> },
  at: string,
): FieldErrors {
  const fault = oracleAgeFault(guards.oracleMaxAgeSeconds)
  return fault === null ? {} : { [`${at}.guards.oracleMaxAgeSeconds`]: [fault] }
}
