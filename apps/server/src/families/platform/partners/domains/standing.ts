import type { contract } from '@liquidity-os/contract'
import { limits } from '../../../../limits.ts'

type Payload = contract.PartnerDomainChallenge
type Check = contract.PartnerDomainCheck

/** Whether the token proves nothing any more; what it proved in time is looked at apart from it. */
export const isOver = ({ expiresAt }: Payload, now: number): boolean => Date.parse(expiresAt) <= now

/** A challenge with one more check, of which it keeps the newest. */
export function observed(payload: Payload, check: Check): Payload {
  return {
    ...payload,
    observations: [check, ...payload.observations].slice(0, limits.partnerDomainObservations),
  }
}

/** What a recheck of a domain comes to. */
export type Rechecked =
  | { readonly kind: 'UNCHANGED' }
  | { readonly kind: 'CONFIRMED' | 'DOUBTED' | 'LAPSED'; readonly payload: Payload }

/**
 * A domain that was proven before is doubted with the first recheck that does not prove it, and lapses with the third or a
 * later one that comes 72 hours after that first. One that proves it ends all doubt.
 */
export function recheck(payload: Payload, check: Check): Rechecked {
  if (check.verdict === 'PROVEN') {
    if (payload.failing === null) return { kind: 'UNCHANGED' }
    return { kind: 'CONFIRMED', payload: { ...observed(payload, check), failing: null } }
  }
  const since = payload.failing?.since ?? check.at
  const checks = (payload.failing?.checks ?? 0) + 1
  const failing = { since, checks }
  const isLong = Date.parse(check.at) - Date.parse(since) >= limits.partnerDomainFailingMilliseconds
  const isOften = checks >= limits.partnerDomainFailures
  const kind = isLong && isOften ? 'LAPSED' : 'DOUBTED'
  return { kind, payload: { ...observed(payload, check), failing } }
}
