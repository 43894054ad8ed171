import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'
import { stepKind, trialKind } from './advance-run.ts'
import { agentRuns } from './records.ts'

export const family: Family = {
  contracts: [contract.agentRunFamily],
  operations: {
    startHealthAgentRun: () => import('./startHealthAgentRun.ts'),
    listAgentRuns: agentRuns.list(contract.listAgentRuns),
    getAgentRun: agentRuns.get(contract.getAgentRun),
    listAgentRunEvents: () => import('./listAgentRunEvents.ts'),
    getResearchPlanning: () => import('./getResearchPlanning.ts'),
    getResearchProgress: () => import('./getResearchProgress.ts'),
    getResearchTrialInput: () => import('./getResearchTrialInput.ts'),
    getAgentRunResult: () => import('./getAgentRunResult.ts'),
    getAgentRunEvidence: () => import('./getAgentRunEvidence.ts'),
    applyAgentRunCommand: () => import('./applyAgentRunCommand.ts'),
  },
  kinds: [agentRuns.kind],
  pictures: () => import('./pictures.ts'),
  jobs: {
    [stepKind]: {
      run: () => import('./agent-run-step-job.ts'),
      cancelled: () => import('./cancelled-step.ts'),
    },
    [trialKind]: {
      run: () => import('./research-trial-job.ts'),
      cancelled: () => import('./cancelled-step.ts'),
    },
  },
}
