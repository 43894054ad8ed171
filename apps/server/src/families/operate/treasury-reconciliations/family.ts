import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'
import { reconciliations } from './records.ts'

export const family: Family = {
  contracts: [contract.treasuryReconciliationsFamily],
  operations: {
    previewTreasuryReconciliation: () => import('./previewTreasuryReconciliation.ts'),
    listTreasuryReconciliations: reconciliations.list(contract.listTreasuryReconciliations),
    createTreasuryReconciliation: () => import('./createTreasuryReconciliation.ts'),
    getTreasuryReconciliation: reconciliations.get(contract.getTreasuryReconciliation),
    listTreasuryReconciliationVersions: reconciliations.versions(
      contract.listTreasuryReconciliationVersions,
    ),
    getTreasuryReconciliationVersion: reconciliations.version(
      contract.getTreasuryReconciliationVersion,
    ),
    acknowledgeTreasuryReconciliation: () => import('./acknowledgeTreasuryReconciliation.ts'),
  },
  kinds: [reconciliations.kind],
  pictures: () => import('./pictures.ts'),
}
