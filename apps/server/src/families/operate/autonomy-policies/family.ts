import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import type { Family } from '../../family.ts'
import { policyDrafts } from './draft-records.ts'
import { policies } from './records.ts'

export const family: Family = {
  contracts: [contract.policyFamily, contract.policyCheckFamily, contract.policyDraftFamily],
  operations: {
    listAutonomyPolicies: policies.list(contract.listAutonomyPolicies),
    createAutonomyPolicies: () => import('./createAutonomyPolicies.ts'),
    checkAutonomyPolicy: () => import('./checkAutonomyPolicy.ts'),
    getAutonomyPolicies: policies.get(contract.getAutonomyPolicies),
    supersedeAutonomyPolicies: () => import('./supersedeAutonomyPolicies.ts'),
    listPolicyIntentDrafts: policyDrafts.list(contract.listPolicyIntentDrafts),
    createPolicyIntentDrafts: () => import('./createPolicyIntentDrafts.ts'),
    createStructuredPolicyIntentDraft: () => import('./createStructuredPolicyIntentDraft.ts'),
    getPolicyIntentDrafts: policyDrafts.get(contract.getPolicyIntentDrafts),
    compilePolicyIntent: () => import('./compilePolicyIntent.ts'),
  },
  kinds: [policies.kind, policyDrafts.kind],
  pictures: () => import('./pictures.ts'),
  sweeps: [
    {
      what: 'policy drafts',
      everyMilliseconds: limits.sweepMilliseconds,
      run: async (services) => (await import('./draft-records.ts')).expireDrafts(services),
    },
    {
      what: 'policies',
      everyMilliseconds: limits.sweepMilliseconds,
      run: async (services) => (await import('./records.ts')).expirePolicies(services),
    },
  ],
}
