import type { contract } from '@liquidity-os/contract'
import { limits } from '../../../../limits.ts'

type Payload = contract.PartnerDomainChallenge
type Check = contract.PartnerDomainCheck

/** True if the token has expired. An earlier proof is evaluated separately. */
export const isOver = ({ expiresAt }: Payload, now: number): boolean => Date.parse(expiresAt) <= now

/** Adds a check to a challenge, which retains only the newest ones. */
export function observed(payload: Payload, check: Check): Payload {
  return {
    ...payload,
    observations: [check, ...payload.observations].slice(0, limits.partnerDomainObservations),
  }
}

export type Rechecked =
  | { readonly kind: 'UNCHANGED' }
  | { readonly kind: 'CONFIRMED' | 'DOUBTED' | 'LAPSED'; readonly payload: Payload }

/**
 * A verified domain becomes doubtful after the first failed recheck. It lapses with the third or
 * later failure, at least 72 hours after the first. A successful recheck clears all doubt.
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
