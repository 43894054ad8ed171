import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'
import { shares } from './records.ts'

const hour = 3_600_000

export const family: Family = {
  contracts: [contract.studyShareFamily],
  operations: {
    getSharedSimulationStudy: () => import('./getSharedSimulationStudy.ts'),
    createStudyShareLink: () => import('./createStudyShareLink.ts'),
    listStudyShares: shares.list(contract.listStudyShares),
    getStudyShares: shares.get(contract.getStudyShares),
    revokeStudyShareLink: () => import('./revokeStudyShareLink.ts'),
  },
  kinds: [shares.kind],
  sweeps: [
    {
      what: 'study shares',
      everyMilliseconds: hour,
      run: async (services) => (await import('./share-expiry.ts')).expireStudyShares(services),
    },
  ],
}
