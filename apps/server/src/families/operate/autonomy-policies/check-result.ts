import type { Block, contract, Ref } from '@liquidity-os/contract'
import { type PolicyTerms, smallestFix, verdictOf } from '@liquidity-os/engine/policy'
import { H } from '@liquidity-os/evidence'
import type { Address } from 'viem'
import { agreeOnAnswer, readAtBlock } from '../../../integrations/chain/finalized.ts'
import { codeAt } from '../../../integrations/chain/safe-account.ts'
import { keccak256 } from '../../../keccak256.ts'
import type { PinnedChain } from '../../../market/treasury/treasury-snapshot.ts'
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

/**
 * True if each contract runs the code that a release signs, at the block of a chain.
 *
 * @throws ChainError if a read fails
 */
export async function runsCode(
  { clients, block }: PinnedChain,
  expected: ReadonlyMap<string, string>,
): Promise<boolean> {
  for (const [address, hash] of expected) {
    const code = await agreeOnAnswer(clients, (client) =>
      readAtBlock(client, block, (pin) => codeAt(client, pin, address as Address)),
    )
    if (keccak256(code) !== hash) return false
  }
  return true
}
