import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'
import { capitalRequirements } from './records.ts'

export const family: Family = {
  contracts: [contract.capitalRequirementsFamily],
  operations: {
    listCapitalRequirements: capitalRequirements.list(contract.listCapitalRequirements),
    createCapitalRequirements: () => import('./createCapitalRequirements.ts'),
    previewCapitalRequirements: () => import('./previewCapitalRequirements.ts'),
    reserveTreasuryFromCapitalStudy: () => import('./reserveTreasuryFromCapitalStudy.ts'),
    getCapitalRequirements: capitalRequirements.get(contract.getCapitalRequirements),
  },
  kinds: [capitalRequirements.kind],
}
