import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'
import { runs } from './records.ts'

export const family: Family = {
  contracts: [contract.workflowRunFamily],
  operations: {
    getWorkflowContext: () => import('./getWorkflowContext.ts'),
    listCompletedWorkflowRuns: runs.list(contract.listCompletedWorkflowRuns),
    getCompletedWorkflowRun: runs.get(contract.getCompletedWorkflowRun),
    runWorkflowResearch: () => import('./runWorkflowResearch.ts'),
  },
  kinds: [runs.kind],
  pictures: () => import('./pictures.ts'),
}
