import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { reviewOf } from './review.ts'

/** Returns the inputs of a decision for the version that the reader has seen. */
export default handle(
  contract.getProposalWorkspaceReview,
  async ({ params, query, records }): Promise<Outcome> => {
    const current = await records.reviewed<contract.ProposalWorkspace>(
      ...(['ProposalWorkspace', params.id, query.resourceVersion] as const),
    )
    return { data: await reviewOf(records, current.record) }
  },
)
