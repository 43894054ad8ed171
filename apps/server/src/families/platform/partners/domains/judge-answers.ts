import type { contract } from '@liquidity-os/contract'

type Answer = contract.PartnerDomainAnswer
type Verdict = contract.PartnerDomainCheck['verdict']

/**
 * What the answers of all servers come to. Those that are silent, or must not be asked, have no voice; an alias is heard by
 * what is answered under its other name. A server that finds the value everywhere has not been told it by whoever published
 * the record, so it counts as one that does not have it.
 */
export function judgeAnswers(answers: readonly Answer[]): Verdict {
  const heard = answers.filter(({ outcome }) => outcome !== 'SILENT' && outcome !== 'NOT_ASKED')
  const authorities = heard.filter(({ role }) => role === 'AUTHORITATIVE')
  if (authorities.length === 0) return 'UNANSWERED'
  const aliases = new Set(authorities.map(({ name, alias }) => JSON.stringify([name, alias])))
  const names = new Set(authorities.map(({ name }) => name))
  // Servers of one name that send to different names, or some to another and some nowhere, do not agree.
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
