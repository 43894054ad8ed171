import type { contract } from '@liquidity-os/contract'
import { type PictureFamily, payloadOf } from '../../../drawing/picture-family.ts'
import { isIdOf } from '../../../store/records/resource-types.ts'
import type { DrawnProposal } from './charts.ts'

/**
 * Charts of a proposal (effects, approvals) and of a comparison (metrics). One permission covers
 * both.
 */
export const pictures: PictureFamily = {
  operationId: 'getProposals',
  read: async ({ id, records }): Promise<DrawnProposal> => {
    if (isIdOf('ProposalComparison', id)) {
      return {
        comparison: await payloadOf<contract.ProposalComparison>(records, 'ProposalComparison', id),
      }
    }
    return {
      proposal: await payloadOf<contract.ProposalWorkspace>(records, 'ProposalWorkspace', id),
    }
  },
  drawings: new URL('./pictures/draw-task.ts', import.meta.url),
}
