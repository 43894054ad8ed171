import type { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import {
  agreedProposals,
  executionName,
  executionTask,
  hasHash,
  type Proposal,
} from '../../../market/proposals/agreed-packets.ts'
import { optionalTextOf, type Row, textOf } from '../../../store/database/row.ts'
import { sql, values } from '../../../store/database/sql.ts'
import { type Change, emptyChange } from '../../../store/records/change.ts'
import { member } from '../../../store/records/find.ts'
import { newId } from '../../../store/records/ids.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { dayMilliseconds } from '../../../units.ts'
import type { ChainReceipt } from './receipts-of-block.ts'
import { receipts } from './records.ts'

/** Maximum age of an execution that a reading still registers. */
const registeredWithin = 2 * dayMilliseconds

type Execution = Pick<
  contract.ExecutionReceipt,
  'outcome' | 'safeTxHash' | 'nonce' | 'transactionHash' | 'block' | 'safeAddress'
>

interface Registration {
  readonly proposal: Proposal
  readonly transactionHash: string
  /** Unix time in ms. */
  readonly executedAt: number
}

/**
 * Queues the registration of executions with open packets: new receipts, and recent receipts after a
 * failed registration. A refusal of the evidence is final, and so is the last of some failures: then
 * a user can still register the execution. Null if no registration is due.
 */
export async function queueRegistrations(
  records: TenantRecords,
  vaultId: string,
  fresh: readonly ChainReceipt[],
): Promise<Change | null> {
  const open = (await agreedProposals(records, vaultId)).filter(({ payload }) =>
    payload.packets.some(({ state }) => state === 'OPEN'),
  )
  if (open.length === 0) return null
  const since = new Date(records.now - registeredWithin).toISOString()
  const recent = await receipts.find(records, {
    where: sql`${member('payload.vault.id')} = ${vaultId}
      and ${member('payload.outcome')} = 'SUCCESS' and ${member('payload.proposal')} is not null
      and ${member('payload.block.timestamp')} >= ${since}`,
  })
  const found: Registration[] = []
  for (const execution of [...recent.map(({ payload }) => payload), ...fresh]) {
    const registration = registrationOf(open, execution)
    if (registration && !(await isBound(records, execution))) found.push(registration)
  }
  const due = found.length === 0 ? [] : await withoutEnded(records, found)
  if (due.length === 0) return null
  const jobs = due.map(({ proposal: { id, resourceType, resourceVersion }, ...input }) => ({
    id: newId('job', records.now),
    kind: executionTask,
    subject: { resourceType, id, resourceVersion },
    input: { transactionHash: input.transactionHash, executedAt: input.executedAt },
  }))
  return { ...emptyChange(records.organizationId, records.now), jobs }
}

/** The oldest proposal with an open packet of an execution. */
function registrationOf(
  open: readonly Proposal[],
  { outcome, safeTxHash, nonce, transactionHash, block }: Execution,
): Registration | null {
  if (outcome !== 'SUCCESS' || safeTxHash === null || nonce === null) return null
  const executedAt = Date.parse(block.timestamp)
  const proposal = open.find(
    (one) =>
      Date.parse(one.payload.review.expiresAt) > executedAt &&
      one.payload.packets.some(
        (packet) => packet.state === 'OPEN' && hasHash(one, packet, BigInt(nonce), safeTxHash),
      ),
  )
  return proposal ? { proposal, transactionHash, executedAt } : null
}

/** True if a packet, perhaps an equal one, already has the execution. */
async function isBound(records: TenantRecords, execution: Execution): Promise<boolean> {
  const { safeTxHash, block, safeAddress } = execution
  if (safeTxHash === null) return false
  const { chainId } = block
  return (await records.holder(executionName({ chainId, safeAddress, safeTxHash }))) !== null
}

/** Registrations without a job that waits, runs or ended the attempts. */
async function withoutEnded(
  records: TenantRecords,
  found: readonly Registration[],
): Promise<readonly Registration[]> {
  const subjects = [...new Set(found.map(({ proposal }) => proposal.id))]
  const [rows = []] = await records.query([
    sql`select subject_id, status, input, error from jobs
      where organization_id = ${records.organizationId} and kind = ${executionTask}
      and subject_id in ${values(subjects)} and status <> 'COMPLETED'`,
  ])
  return found.filter(({ proposal, transactionHash }) =>
    isDue(
      rows.filter(
        (row) =>
          textOf(row, 'subject_id') === proposal.id &&
          JSON.parse(textOf(row, 'input')).transactionHash === transactionHash,
      ),
    ),
  )
}

/** @param jobs earlier registrations of the execution that did not complete */
const isDue = (jobs: readonly Row[]): boolean =>
  jobs.length < limits.executionRegistrations && jobs.every(mayBeRepeated)

/** True for a failed read. Other refusals of the evidence are final. */
function mayBeRepeated(job: Row): boolean {
  const error = optionalTextOf(job, 'error')
  if (textOf(job, 'status') !== 'FAILED' || error === null) return false
  const { code, retryable } = JSON.parse(error)
  return retryable || code.startsWith('LIQUIDITY_CHAIN_')
}
