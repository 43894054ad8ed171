import { contract } from '@liquidity-os/contract'
import type { HandlerRequest } from '../../../http/handler.ts'
import { integerOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import { packages } from './records.ts'
import { runTwin } from './twin.ts'

const operation = contract.approveStrategyPackage
type Request = HandlerRequest<typeof operation>

/** Approves a package of another author, after recomputing its claim. */
export default packages.supersede(operation, {
  to: 'ACTIVE',
  decide: async (request, before) => {
    const { actor, services, fail } = request
    // A candidate has one version, so the writer of that version is its author.
    const isSelfApproved = before.createdBy.id === actor.userId
    if (isSelfApproved && !(await isAlone(request))) throw fail('LIQUIDITY_PACKAGE_SELF_APPROVAL')
    const { supersedes, ...content } = before.payload
    const result = await runTwin(services, { ...content, ...(supersedes ? { supersedes } : {}) })
    const { expectedResultHash } = content.twin
    if (result.resultHash !== expectedResultHash) {
      throw fail('LIQUIDITY_PACKAGE_TWIN_MISMATCH', {
        fieldErrors: {
          'payload.twin.expectedResultHash': [
            `must be ${result.resultHash}, the result of engine ${result.evidence.engineBuildHash}, got ${expectedResultHash}`,
          ],
        },
      })
    }
    const approval = {
      twinResultHash: result.resultHash,
      engineBuildHash: result.evidence.engineBuildHash,
      isSelfApproved,
    }
    return {
      payload: { ...before.payload, approval },
      event: 'strategy_package.approved',
      eventPayload: approval,
    }
  },
})

/** True if the organization has only one member, so that no one else can approve. */
async function isAlone({ records, organizationId }: Request): Promise<boolean> {
  const [rows] = await records.query([
    sql`select count(*) as members from memberships where organization_id = ${organizationId}`,
  ])
  return integerOf(rows?.[0] ?? {}, 'members') === 1
}
