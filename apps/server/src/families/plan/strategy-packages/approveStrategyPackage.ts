import { contract } from '@liquidity-os/contract'
import { type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import { reviewedVersion } from '../../../http/reviewed-version.ts'
import { sql } from '../../../store/database/sql.ts'
import { recordReply } from '../../record-reply.ts'
import type { PackagePayload } from './candidate.ts'
import { runTwin } from './twin.ts'

const operation = contract.approveStrategyPackage
type Request = HandlerRequest<typeof operation>

/** Approves what somebody else wrote, after its claim was computed once more. */
export default handle(operation, async (request): Promise<Outcome> => {
  const { params, body, actor, records, services, precondition, fail } = request
  const reviewed = reviewedVersion(precondition, body.resourceVersion, 'resourceVersion')
  if (reviewed === null) throw fail('LIQUIDITY_STUDIO_PRECONDITION_REQUIRED')
  const current = await records.reviewed<PackagePayload>('StrategyPackage', params.id, reviewed)
  const { record } = current
  if (record.status === 'REVOKED') throw fail('LIQUIDITY_PACKAGE_TERMINAL')
  if (record.status !== 'DRAFT') throw fail('LIQUIDITY_PACKAGE_TRANSITION_REFUSED')
  // A candidate has one version, so who wrote that is its author.
  const isSelfApproved = record.createdBy.id === actor.userId
  if (isSelfApproved && !(await isAlone(request))) throw fail('LIQUIDITY_PACKAGE_SELF_APPROVAL')
  const { supersedes, ...content } = record.payload
  const result = await runTwin(services, { ...content, ...(supersedes ? { supersedes } : {}) })
  const { expectedResultHash } = content.twin
  if (result.resultHash !== expectedResultHash) {
    throw fail('LIQUIDITY_PACKAGE_TWIN_MISMATCH', {
      fieldErrors: {
        'payload.twin.expectedResultHash': [
          `is ${expectedResultHash}, and engine ${result.evidence.engineBuildHash} came to ${result.resultHash}`,
        ],
      },
    })
  }
  const approval = {
    twinResultHash: result.resultHash,
    engineBuildHash: result.evidence.engineBuildHash,
    isSelfApproved,
  }
  const { sealed, change } = records.supersede<PackagePayload>(current, {
    status: 'ACTIVE',
    payload: { ...record.payload, approval },
    reason: body.reason,
    evidenceHashes: body.evidenceHashes ?? record.evidenceHashes,
    event: 'strategy_package.approved',
    eventPayload: approval,
  })
  return recordReply(sealed, change)
})

/** Whether the organization has one member, who then has nobody to ask. */
async function isAlone({ records, organizationId }: Request): Promise<boolean> {
  const [rows] = await records.query([
    sql`select count(*) as members from memberships where organization_id = ${organizationId}`,
  ])
  return Number(rows?.[0]?.members) === 1
}
