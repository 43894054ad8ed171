import type { Block, contract, Ref } from '@liquidity-os/contract'
import { type PolicyTerms, smallestFix, verdictOf } from '@liquidity-os/engine/policy'
import { H } from '@liquidity-os/evidence'
import type { PolicyCheckResult } from './evaluate-policy.ts'
import { policyHashOf } from './policy-terms.ts'

interface Checked {
  readonly terms: PolicyTerms
  /** The checked action as requested. The hash covers it. */
  readonly action: object
  readonly policyRef: Ref | null
  readonly block: Block
  readonly now: number
  /** True if the last read of the vault is recent enough. */
  readonly fresh: boolean
}

const stale = { code: 'VAULT_STALE', detail: 'The vault was not read within the last hour.' }

/** Response of a check, with the smallest policy change that would allow the action. */
export function checkResult(
  { verdicts, facts, rules, amountIn, minimumOut, quotedOut, gaps }: PolicyCheckResult,
  { terms, action, policyRef, block, now, fresh }: Checked,
): contract.PolicyCheckResult {
  const fix = smallestFix(terms, facts, verdicts, { amountIn, minimumOut, quotedOut })
  const found = {
    verdict: verdictOf(verdicts),
    policyHash: policyHashOf(terms),
    policyRef,
    evaluatedAt: new Date(now).toISOString(),
    block,
    rules,
    fix: fix && { changes: [...fix.changes], reachable: fix.isReachable },
    gaps: [...gaps, ...(fresh ? [] : [stale])],
    policyActivated: false as const,
    executionAuthorityGranted: false as const,
  }
  return { checkHash: H('check/v1', { ...found, action }), ...found }
}
