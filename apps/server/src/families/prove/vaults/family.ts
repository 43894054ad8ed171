import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import { sql } from '../../../store/database/sql.ts'
import type { Family } from '../../family.ts'
import { isLiquidityHolding } from './holdings.ts'
import { observationTask, queueObservation } from './queue-observation.ts'
import { receipts, vaults } from './records.ts'

export const family: Family = {
  contracts: [contract.vaultFamily, contract.receiptFamily],
  operations: {
    listQualifiedVaultsV2: vaults.list(contract.listQualifiedVaultsV2),
    getQualifiedVaultV2: vaults.get(contract.getQualifiedVaultV2),
    readVaultSafe: () => import('./readVaultSafe.ts'),
    observeVaults: () => import('./observeVaults.ts'),
    declareVaultControl: () => import('./declareVaultControl.ts'),
    listExecutionReceiptsV2: receipts.list(contract.listExecutionReceiptsV2),
    getExecutionReceiptV2: receipts.get(contract.getExecutionReceiptV2),
  },
  kinds: [vaults.kind, receipts.kind],
  jobs: { [observationTask]: { run: () => import('./vault-observation-job.ts') } },
  schedules: [
    {
      // The first observation creates the vault, so the schedule belongs to the holding.
      task: observationTask,
      type: 'TreasuryBucket',
      activeStatus: 'ACTIVE',
      inactiveStatuses: [],
      appliesTo: isLiquidityHolding,
      everySeconds: (_, { vaultSnapshotSeconds }) => vaultSnapshotSeconds,
      refreshes: sql`true`,
      queue: queueObservation,
    },
  ],
  pictures: () => import('./pictures.ts'),
  sweeps: [
    {
      what: 'Safes with an approved packet',
      everyMilliseconds: limits.safeWatchMilliseconds,
      run: async (services) => (await import('./safe-watch.ts')).watchSafes(services),
    },
    {
      what: 'vaults',
      everyMilliseconds: limits.sweepMilliseconds,
      run: async (services) => (await import('./vault-sweep.ts')).sweepVaults(services),
    },
  ],
}
