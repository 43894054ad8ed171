import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'
import { migrationPlans } from './records.ts'

const hour = 3_600_000

export const family: Family = {
  contracts: [contract.migrationPlanFamily],
  operations: {
    listMigrationPlans: migrationPlans.list(contract.listMigrationPlans),
    createMigrationPlans: () => import('./createMigrationPlans.ts'),
    getMigrationPlans: migrationPlans.get(contract.getMigrationPlans),
    getMigrationPlanState: () => import('./getMigrationPlanState.ts'),
    appendMigrationPlanTransition: () => import('./appendMigrationPlanTransition.ts'),
  },
  kinds: [migrationPlans.kind],
  sweeps: [
    {
      what: 'migration plans',
      everyMilliseconds: hour,
      run: async (services) => (await import('./migration-deadline.ts')).expireMigrations(services),
    },
  ],
  pictures: () => import('./pictures.ts'),
}
