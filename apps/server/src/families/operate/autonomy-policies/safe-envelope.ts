import type { contract } from '@liquidity-os/contract'
import type { PolicyTerms } from '@liquidity-os/engine/policy'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { isAddressEqual } from 'viem'
import { Failure } from '../../../failure.ts'
import { sql } from '../../../store/database/sql.ts'
import { member } from '../../../store/records/find.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { weekSeconds } from '../../../units.ts'
import { commitmentAddress, commitmentData } from './compile-policy.ts'
import { policyHashOf } from './policy-terms.ts'
import { envelopeName } from './records.ts'
import { isFresh, type Vault } from './vault-of.ts'

export type Receipt = VersionedRecord<contract.ExecutionReceipt>

/**
 * Finds the execution that commits the owners to exactly these limits. It must be finalized,
 * successful, signed by the owners, at most 7 days old and unused. The commitment must be its only
 * call or its last call, and the control of the Safe must be unchanged.
 *
 * The service searches for it; the caller cannot name one.
 *
 * @throws Failure 409 that names the first fact that is missing
 */
export async function requireEnvelope(
  records: TenantRecords,
  vault: Vault,
  terms: PolicyTerms,
): Promise<Receipt> {
  const policyHash = policyHashOf(terms)
  if (!isFresh(vault, records.now)) {
    const read = `got one at ${vault.payload.snapshot.timestamp}`
    throw unavailable('VAULT_STALE', `the vault must have been read within the last hour, ${read}`)
  }
  const found = await records.find<contract.ExecutionReceipt>('ExecutionReceipt', {
    status: ['COMPLETED'],
    order: 'NEWEST',
    where: sql`${member('payload.vault.id')} = ${vault.id} and ${member('payload.via')} = 'SAFE'`,
  })
  const committed = found.filter(({ payload }) => commits(payload, policyHash, terms.controlEpoch))
  const [first] = committed
  if (!first) {
    const call = `${commitmentAddress} with ${commitmentData(policyHash, terms.controlEpoch)}`
    throw unavailable(
      'NO_COMMITMENT',
      `the owners must have called ${commitmentAddress} with the hash ${policyHash} and epoch ${terms.controlEpoch}: ${call}; got ${found.length} finalized executions without a match`,
    )
  }
  const successful = committed.filter(({ payload }) => payload.outcome === 'SUCCESS')
  if (successful.length === 0)
    throw unavailable('FAILED', `the call must have succeeded, but ${first.id} did not`)
  const recent = successful.filter(
    ({ payload: { block } }) => records.now - Date.parse(block.timestamp) <= weekSeconds * 1000,
  )
  if (recent.length === 0) {
    const { timestamp } = (successful[0] as Receipt).payload.block
    throw unavailable('TOO_OLD', `the commitment must be from the last 7 days, got ${timestamp}`)
  }
  const registered = await admittedByPacket(records, recent)
  for (const receipt of registered) {
    if ((await records.holder(envelopeName(receipt.id))) === null) return receipt
  }
  throw new Failure('LIQUIDITY_POLICY_SAFE_AUTHORITY_USED', {
    fieldErrors: {
      safeEnvelope: [
        `must not have activated a policy before, got ${registered.map(({ id }) => id)}`,
      ],
    },
  })
}

/** Commitments approved in the service before the owners signed, in a packet with no other call. */
async function admittedByPacket(
  records: TenantRecords,
  recent: readonly Receipt[],
): Promise<Receipt[]> {
  const packets = await records.find<contract.ProposalWorkspace>('ProposalWorkspace', {
    ids: recent.flatMap(({ payload: { proposal } }) => (proposal ? [proposal.id] : [])),
  })
  const admitted = recent.filter(({ payload: { proposal, reconciliation } }) =>
    packets.some(
      ({ id, payload }) =>
        id === proposal?.id &&
        reconciliation === 'MATCHED' &&
        payload.action.actionType === 'ADMIT_POLICY',
    ),
  )
  if (admitted.length > 0) return admitted
  throw unavailable(
    'NOT_AGREED',
    `the commitment must belong to an ADMIT_POLICY packet that was approved here before execution, got ${recent.map(({ id, payload }) => `${id}, ${payload.reconciliation}`)}`,
  )
}

const unavailable = (fact: string, message: string) =>
  new Failure('LIQUIDITY_POLICY_SAFE_AUTHORITY_UNAVAILABLE', {
    fieldErrors: { safeEnvelope: [`${fact}: ${message}`] },
  })

/**
 * True if an execution contains only the commitment. The compiler creates no role calls that could
 * precede it.
 */
function commits(
  { calls }: contract.ExecutionReceipt,
  policyHash: `0x${string}`,
  controlEpoch: bigint,
): boolean {
  const [call, ...others] = calls ?? []
  return (
    call !== undefined &&
    others.length === 0 &&
    isAddressEqual(call.to as `0x${string}`, commitmentAddress) &&
    call.value === '0' &&
    call.operation === 'CALL' &&
    call.data === commitmentData(policyHash, controlEpoch)
  )
}
