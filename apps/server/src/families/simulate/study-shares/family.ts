import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import type { Family } from '../../family.ts'
import { shareLinks, shares } from './records.ts'

export const family: Family = {
  contracts: [contract.studyShareFamily],
  operations: {
    getSharedSimulationStudy: () => import('./getSharedSimulationStudy.ts'),
    downloadSharedStudyReport: () => import('./downloadSharedStudyReport.ts'),
    getSharedStudyPicture: () => import('./getSharedStudyPicture.ts'),
    readSharedStudySeries: () => import('./readSharedStudySeries.ts'),
    createStudyShareLink: () => import('./createStudyShareLink.ts'),
    listStudyShares: shares.list(contract.listStudyShares),
    getStudyShares: shares.get(contract.getStudyShares),
    revokeStudyShareLink: () => import('./revokeStudyShareLink.ts'),
  },
  kinds: [shares.kind],
  departures: [shareLinks.departure()],
  sweeps: [
    {
      what: 'study shares',
      everyMilliseconds: limits.sweepMilliseconds,
      run: (services) => shareLinks.expire(services),
    },
  ],
}
