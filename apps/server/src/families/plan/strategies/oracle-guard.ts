import type { FieldErrors } from '@liquidity-os/contract'
import type { StrategyInput } from './exact-definition.ts'

/**
 * Reason a strategy cannot depend on the age of an oracle price: rules read only the pool, not
 * price feeds. Every rejection by the guard goes through here. Make it null for pairs with a feed
 * once rules can read feeds.
 */
const unwatched = 'must be null: rules use only the pool, and no action depends on an oracle price'

/** Error for a guard on the oracle price age, because the guard would never take effect. */
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
