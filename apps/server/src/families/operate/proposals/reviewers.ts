import { type contract, permissionsOf } from '@liquidity-os/contract'
import { listMembers } from '../../../access/administration.ts'
import { Failure } from '../../../failure.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'

type Review = contract.ProposalWorkspaceInput['review']

/**
 * Checks that the named reviewers are members with review permission and can reach the quorum. The
 * preparer counts only if one approval is enough.
 *
 * @throws Failure 422 LIQUIDITY_PROPOSAL_REVIEWER_INELIGIBLE or
 * LIQUIDITY_PROPOSAL_QUORUM_IMPOSSIBLE
 */
export async function requireReviewers(
  records: TenantRecords,
  { required, reviewers }: Review,
  preparedBy: string,
): Promise<void> {
  const members = await listMembers(records.database, records.organizationId)
  const eligible = new Set(
    members
      .filter(({ role }) => permissionsOf[role].includes('review'))
      .map(({ userId }) => userId),
  )
  const unfit = (reviewers ?? []).filter((userId) => !eligible.has(userId))
  if (unfit.length > 0) {
    throw new Failure('LIQUIDITY_PROPOSAL_REVIEWER_INELIGIBLE', {
      fieldErrors: {
        'payload.review.reviewers': unfit.map(
          (userId) => `must be members who can review, got ${userId}`,
        ),
      },
    })
  }
  const requested = reviewers ?? [...eligible]
  const counted = requested.filter((userId) => required === 1 || userId !== preparedBy).length
  if (counted >= required) return
  throw new Failure('LIQUIDITY_PROPOSAL_QUORUM_IMPOSSIBLE', {
    fieldErrors: {
      'payload.review.required': [
        `must be at most ${counted}, the number of possible approvers${required > 1 ? ' other than the preparer' : ''}, got ${required}`,
      ],
    },
  })
}
