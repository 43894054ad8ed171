import type { RequestActor } from '../../../../access/request-actor.ts'
import { Failure } from '../../../../failure.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import type { Run } from '../records.ts'

/**
 * Reason a user may not read the findings of a run, or null. Reviewers can read a proposal review
 * while the reviewed version is current; other findings have no limit.
 */
export async function readerFault(
  records: TenantRecords,
  { permissions, role }: Pick<RequestActor, 'permissions' | 'role'>,
  { subject }: Pick<Run, 'subject'>,
): Promise<Failure | null> {
  if (!('proposal' in subject)) return null
  if (!permissions.has('review')) {
    return new Failure('LIQUIDITY_ROLE_REQUIRED', {
      fieldErrors: { runId: [`must be read with a role that can review, got ${role}`] },
    })
  }
  const { id, resourceVersion } = subject.proposal
  const now = (await records.current('ProposalWorkspace', id))?.record.resourceVersion
  if (now === resourceVersion) return null
  return new Failure('LIQUIDITY_PRECONDITION_FAILED', {
    message: `The review covers version ${resourceVersion}, but the proposal is now at version ${now}.`,
  })
}
