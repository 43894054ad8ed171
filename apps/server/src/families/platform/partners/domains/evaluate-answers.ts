import type { contract } from '@liquidity-os/contract'

type Answer = contract.PartnerDomainAnswer
type Verdict = contract.PartnerDomainCheck['verdict']

/**
 * Combined verdict of all servers. Silent and unqueried servers do not count; an alias counts by
 * the answer for its target. A server that returns the value for every name proves no ownership, so
 * it counts as missing.
 */
export function combineAnswers(answers: readonly Answer[]): Verdict {
  const heard = answers.filter(({ outcome }) => outcome !== 'SILENT' && outcome !== 'NOT_ASKED')
  const authorities = heard.filter(({ role }) => role === 'AUTHORITATIVE')
  if (authorities.length === 0) return 'UNANSWERED'
  const aliases = new Set(authorities.map(({ name, alias }) => JSON.stringify([name, alias])))
  const names = new Set(authorities.map(({ name }) => name))
  // Servers of one name disagree if they return different targets, or if only some return a target.
  const agree = aliases.size === names.size
  const last = heard.filter(({ outcome }) => outcome !== 'ALIAS')
  const proven = last.filter(({ outcome }) => outcome === 'PROVEN').length
  if (proven === 0) return 'NOT_PROVEN'
  const isKnownToAuthority = last.some(
    ({ role, outcome }) => role === 'AUTHORITATIVE' && outcome === 'PROVEN',
  )
  if (!isKnownToAuthority) return 'NOT_PROVEN'
  return agree && proven === last.length ? 'PROVEN' : 'SPLIT'
}
