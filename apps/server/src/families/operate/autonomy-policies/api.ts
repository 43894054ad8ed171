import type { contract } from '@liquidity-os/contract'
import { verdictOf } from '@liquidity-os/engine/policy'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Hex } from 'viem'
import type { Release } from '../../../market/adapters/release.ts'
import { sql } from '../../../store/database/sql.ts'
import { member } from '../../../store/records/find.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { commitmentAddress } from './compile-policy.ts'
import { evaluatePolicy, type PolicyCheckInput } from './evaluate-policy.ts'
import { termsOf } from './policy-terms.ts'
import type { ActivityReceipt } from './vault-activity.ts'

type Policy = VersionedRecord<contract.AutonomyPolicy>
type Receipt = Pick<
  contract.ExecutionReceipt,
  'block' | 'logIndex' | 'calls' | 'via' | 'safeAddress' | 'outcome' | 'effects'
>
type ExecutionEvaluation = Pick<contract.ExecutionReceipt, 'policyInForce' | 'verdict' | 'rules'>

/** Facts about an execution that its receipt lacks. */
export interface ExecutionFacts {
  /**
   * Agreed submission route; null if unknown. The chain does not show how a transaction was
   * submitted.
   */
  readonly route: PolicyCheckInput['route']
  /** Agreed terms that the calls do not contain. */
  readonly stated?: NonNullable<PolicyCheckInput['stated']>
  readonly adapterId?: PolicyCheckInput['adapterId']
  /** Code at the block of the execution, and positions before it. */
  readonly reads: PolicyCheckInput['reads']
  /** Executions of the same observation before this one. They are not stored yet. */
  readonly earlier?: readonly ActivityReceipt[]
}

const none: ExecutionEvaluation = { policyInForce: null, verdict: 'NO_POLICY', rules: [] }
const maxVersions = 1000

export {
  type ActionReads,
  checkCode,
  firstState,
  readState,
  unknownState,
  unlessUnavailable,
} from './action-state.ts'
export { policyHeldBy, stateOf } from './active-policy.ts'
export { checkPackets, currentPolicy } from './check-packets.ts'
export { commitmentAddress } from './compile-policy.ts'
export { evaluatePolicy, readVaultContext } from './evaluate-policy.ts'
export { releaseOrNull } from './policy-payload.ts'
export { policyHashOf, termsOf } from './policy-terms.ts'
export { type NewestPrice, newestPrice, quoteValue } from './vault-activity.ts'
export {
  isFresh,
  requireVault,
  type Vault,
  validateQualification,
  vaultOf,
} from './vault-of.ts'

/** All policies of a vault in their current version, in any state. */
export async function policiesOf(records: TenantRecords, vaultId: string): Promise<Policy[]> {
  return records.find<contract.AutonomyPolicy>('AutonomyPolicy', {
    where: sql`${member('payload.vaultId')} = ${vaultId}`,
  })
}

/** Policy version of a vault in force at a moment, in milliseconds since 1970; null if none. */
async function policyAt(
  records: TenantRecords,
  vaultId: string,
  at: number,
): Promise<Policy | null> {
  const found: Policy[] = []
  for (const { id } of await policiesOf(records, vaultId)) {
    const versions = await records.versions<contract.AutonomyPolicy>('AutonomyPolicy', id, {
      limit: maxVersions,
    })
    const last = versions.findLast(({ createdAt }) => Date.parse(createdAt) <= at)
    if (last) found.push(last)
  }
  return found.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0] ?? null
}

/**
 * Checks an execution against the policy in force at its block. Policies do not apply to changes of
 * the Safe itself or to policy commitments, because the owners decide those.
 */
export async function evaluateExecution(
  { records, release }: { readonly records: TenantRecords; readonly release: Release | null },
  vault: { readonly id: string; readonly payload: contract.QualifiedVault },
  { block, logIndex, calls, via, safeAddress, outcome, effects }: Receipt,
  { earlier = [], ...facts }: ExecutionFacts,
): Promise<ExecutionEvaluation> {
  const at = Date.parse(block.timestamp)
  const policy = await policyAt(records, vault.id, at)
  if (policy === null) return none
  const own = [safeAddress.toLowerCase(), commitmentAddress.toLowerCase()]
  const isControl = calls?.length && calls.every(({ to }) => own.includes(to.toLowerCase()))
  const isPaying = effects.net.some(({ delta }) => delta.startsWith('-'))
  if (isControl && !isPaying) return none
  const isOver = Date.parse(policy.payload.expiresAt) <= at
  const { verdicts, rules } = await evaluatePolicy(records, {
    terms: termsOf(policy.payload),
    vault,
    release,
    at: at / 1000,
    // Only the gas refund of a change of control is judged.
    calls:
      (isControl ? [] : calls)?.map(({ to, value, data, operation }) => ({
        to,
        value: BigInt(value),
        data: data as Hex,
        operation: operation === 'DELEGATECALL' ? (1 as const) : (0 as const),
      })) ?? null,
    status: isOver ? 'EXPIRED' : (policy.status as 'ACTIVE' | 'PAUSED' | 'REVOKED'),
    controlEpoch: BigInt(vault.payload.controlEpoch),
    // Owners sign prepared calls. A module acts without owner signatures.
    neededLevel: via === 'MODULE' ? 4 : 2,
    executed: { effects, outcome, safeAddress },
    place: { block, logIndex, earlier },
    ...facts,
  })
  const { id, resourceVersion } = policy
  const verdict = { ALLOW: 'COMPLIANT', DENY: 'VIOLATING', INDETERMINATE: 'INDETERMINATE' } as const
  return { policyInForce: { id, resourceVersion }, verdict: verdict[verdictOf(verdicts)], rules }
}
