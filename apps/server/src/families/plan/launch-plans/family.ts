import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import type { Family } from '../../family.ts'
import { launchPlans } from './records.ts'

export const family: Family = {
  contracts: [contract.launchPlanFamily],
  operations: {
    listLaunchPlans: launchPlans.list(contract.listLaunchPlans),
    createLaunchPlans: () => import('./createLaunchPlans.ts'),
    getLaunchPlans: launchPlans.get(contract.getLaunchPlans),
    appendLaunchTimelineEvent: () => import('./appendLaunchTimelineEvent.ts'),
    getLaunchTimeline: () => import('./getLaunchTimeline.ts'),
    completeLaunchTimelineEvent: () => import('./completeLaunchTimelineEvent.ts'),
    seedLaunchWorkspace: () => import('./seedLaunchWorkspace.ts'),
    seedLaunchPlanFromCapitalStudy: () => import('./seedLaunchPlanFromCapitalStudy.ts'),
  },
  kinds: [launchPlans.kind],
  sweeps: [
    {
      what: 'overdue launches',
      everyMilliseconds: limits.launchSlipMilliseconds,
      run: async (services) =>
        (await import('./timeline/slip-notices.ts')).notifySlippedLaunches(services),
    },
  ],
  pictures: () => import('./pictures.ts'),
}
