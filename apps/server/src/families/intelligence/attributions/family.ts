import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'
import { attributions } from './records.ts'

export const family: Family = {
  contracts: [contract.attributionFamily],
  operations: {
    listAttributions: attributions.list(contract.listAttributions),
    createAttributions: () => import('./createAttributions.ts'),
    getAttributions: attributions.get(contract.getAttributions),
  },
  kinds: [attributions.kind],
  pictures: () => import('./pictures.ts'),
}
