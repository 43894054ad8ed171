import type { FieldErrors } from '@liquidity-os/contract'
import type { StrategyInput } from './exact-definition.ts'

/**
 * Why no strategy may rest on the age of an oracle price. Whoever gives the service prices of oracles makes this
 * null where the pair has one; every refusal of the guard goes through it.
 */
const missingOracle =
  'must be null: it needs an oracle that prices the pair, and this release reads none'

/** What is wrong with a guard on the age of the oracle price: it would be kept and never looked at. */
export function oracleAgeFault(maxAgeSeconds: number | null): string | null {
  return maxAgeSeconds === null ? null : `${missingOracle}, got ${maxAgeSeconds}`
}

/** Faults of the guards of a definition, by field. */
export function guardFaults(
  { guards }: { guards: Pick<StrategyInput['guards'], 'oracleMaxAgeSeconds'> },
  at: string,
): FieldErrors {
  const fault = oracleAgeFault(guards.oracleMaxAgeSeconds)
  return fault === null ? {} : { [`${at}.guards.oracleMaxAgeSeconds`]: [fault] }
}
