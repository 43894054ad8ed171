import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import { executionTask } from '../../../market/proposals/agreed-packets.ts'
import type { Family } from '../../family.ts'
import { comparisons, proposals } from './records.ts'

export const family: Family = {
  contracts: [contract.proposalFamily, contract.proposalComparisonFamily],
  operations: {
    listProposals: proposals.list(contract.listProposals),
    createProposals: () => import('./createProposals.ts'),
    getProposals: proposals.get(contract.getProposals),
    getProposalWorkspaceReview: () => import('./getProposalWorkspaceReview.ts'),
    listProposalComments: () => import('./listProposalComments.ts'),
    appendProposalComment: () => import('./appendProposalComment.ts'),
    decideProposal: () => import('./decideProposal.ts'),
    registerProposalSafeSubmission: () => import('./registerProposalSafeSubmission.ts'),
    proposeToSafe: () => import('./proposeToSafe.ts'),
    readClearSigning: () => import('./readClearSigning.ts'),
    listSafeConfirmations: () => import('./listSafeConfirmations.ts'),
    compareProposals: () => import('./compareProposals.ts'),
    listProposalComparisons: comparisons.list(contract.listProposalComparisons),
  },
  kinds: [proposals.kind, comparisons.kind],
  jobs: { [executionTask]: { run: () => import('./execution-job.ts') } },
  pictures: () => import('./pictures.ts'),
  sweeps: [
    {
      what: 'proposals',
      everyMilliseconds: limits.sweepMilliseconds,
      run: async (services) => (await import('./proposal-sweep.ts')).expireProposals(services),
    },
    {
      what: 'sources of proposals',
      everyMilliseconds: limits.sweepMilliseconds,
      run: async (services) => (await import('./proposal-sweep.ts')).notifyMovedSources(services),
    },
  ],
}
