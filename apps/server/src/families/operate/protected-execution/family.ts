import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import type { RecordSweeping } from '../../../services.ts'
import type { Family } from '../../family.ts'
import { dispatchTask } from './quotes/dispatch-task.ts'
import { executionPlans, executionQuotes, quoteRequests, quoteSets } from './records.ts'

type Ends = 'expireRequests' | 'expireQuotes' | 'expireSets'
const ends = (what: string, name: Ends) => ({
  what,
  everyMilliseconds: limits.sweepMilliseconds,
  run: async (services: RecordSweeping) => (await import('./records.ts'))[name](services),
})

export const family: Family = {
  contracts: [
    contract.executionPlanFamily,
    contract.quoteRequestFamily,
    contract.executionQuoteFamily,
    contract.quoteSetFamily,
  ],
  operations: {
    listQuoteRequests: quoteRequests.list(contract.listQuoteRequests),
    createProtectedExecutionQuoteRequest: () => import('./createProtectedExecutionQuoteRequest.ts'),
    getQuoteRequest: quoteRequests.get(contract.getQuoteRequest),
    admitProtectedExecutionQuotesForRequest: () =>
      import('./admitProtectedExecutionQuotesForRequest.ts'),
    listExecutionQuotes: executionQuotes.list(contract.listExecutionQuotes),
    listQuoteSets: quoteSets.list(contract.listQuoteSets),
    admitProtectedExecutionQuoteSet: () => import('./admitProtectedExecutionQuoteSet.ts'),
    getQuoteSets: quoteSets.get(contract.getQuoteSets),
    listProtectedExecutionPlans: executionPlans.list(contract.listProtectedExecutionPlans),
    prepareProtectedExecutionPlan: () => import('./prepareProtectedExecutionPlan.ts'),
    getProtectedExecutionPlans: executionPlans.get(contract.getProtectedExecutionPlans),
    getProtectedExecutionPlanState: () => import('./getProtectedExecutionPlanState.ts'),
    appendProtectedExecutionLegTransition: () =>
      import('./appendProtectedExecutionLegTransition.ts'),
  },
  kinds: [quoteRequests.kind, executionQuotes.kind, quoteSets.kind, executionPlans.kind],
  jobs: { [dispatchTask]: { run: () => import('./quotes/quote-dispatch-job.ts') } },
  pictures: () => import('./pictures.ts'),
  sweeps: [
    ends('quote requests', 'expireRequests'),
    ends('quotes', 'expireQuotes'),
    ends('quote sets', 'expireSets'),
    {
      what: 'expired legs',
      everyMilliseconds: limits.sweepMilliseconds,
      run: async (services) => (await import('./legs/follow-legs.ts')).expireLegs(services),
    },
    {
      what: 'sent legs',
      everyMilliseconds: limits.legFollowMilliseconds,
      run: async (services) => (await import('./legs/follow-legs.ts')).followLegs(services),
    },
  ],
}
