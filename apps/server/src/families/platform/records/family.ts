import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'

export const family: Family = {
  contracts: [contract.recordsFamily],
  operations: {
    findRecords: () => import('./findRecords.ts'),
    listRecordVersions: () => import('./listRecordVersions.ts'),
    listRecordEvents: () => import('./listRecordEvents.ts'),
  },
}
