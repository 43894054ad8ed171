import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import type { Family } from '../../family.ts'
import { migrationPlans } from './records.ts'

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
      everyMilliseconds: limits.sweepMilliseconds,
      run: async (services) => (await import('./migration-deadline.ts')).expireMigrations(services),
    },
  ],
  pictures: () => import('./pictures.ts'),
}
