import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'
import { treasuryAssumptions } from './records.ts'

export const family: Family = {
  contracts: [contract.treasuryAssumptionsFamily],
  operations: {
    listTreasuryAssumptions: treasuryAssumptions.list(contract.listTreasuryAssumptions),
    createTreasuryAssumptions: () => import('./createTreasuryAssumptions.ts'),
    getTreasuryAssumptions: treasuryAssumptions.get(contract.getTreasuryAssumptions),
    listTreasuryAssumptionsVersions: treasuryAssumptions.versions(
      contract.listTreasuryAssumptionsVersions,
    ),
    getTreasuryAssumptionsVersion: treasuryAssumptions.version(
      contract.getTreasuryAssumptionsVersion,
    ),
    reviseTreasuryAssumptions: () => import('./reviseTreasuryAssumptions.ts'),
  },
  kinds: [treasuryAssumptions.kind],
  pictures: () => import('./pictures.ts'),
}
