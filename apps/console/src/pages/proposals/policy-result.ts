import type { contract } from '@liquidity-os/contract'

const verdicts = [
  { verdict: 'DENY', text: 'Denied by the policy', short: 'Denied' },
  { verdict: 'INDETERMINATE', text: 'Not decided by the policy', short: 'Not decided' },
  { verdict: 'ALLOW', text: 'Allowed by the policy', short: 'Allowed' },
] as const

/** The worst result of the policy checks; null if no policy was checked. */
export function policyResult(packets: contract.ProposalWorkspace['packets']) {
  const checked = packets.flatMap(({ policyCheck }) => (policyCheck ? [policyCheck] : []))
  for (const result of verdicts) {
    const check = checked.find(({ verdict }) => verdict === result.verdict)
    if (check) return { ...result, check }
  }
  return null
}
