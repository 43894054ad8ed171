import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import type { Family } from '../../family.ts'
import { shares } from './records.ts'
import { closeSlug } from './slug.ts'

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
  departures: [
    shares.departure({
      outcome: 'REVOKED',
      title: ({ url }) => url,
      event: 'study_share.revoked',
      eventPayload: ({ study }) => ({ studyId: study.id }),
      statements: ({ payload }, { now }) => [closeSlug(payload.slug, now)],
    }),
  ],
  sweeps: [
    {
      what: 'study shares',
      everyMilliseconds: limits.sweepMilliseconds,
      run: async (services) => (await import('./share-expiry.ts')).expireStudyShares(services),
    },
  ],
}
