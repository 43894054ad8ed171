import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import type { Family } from '../../family.ts'
import { treasurySettings } from './records.ts'

export const family: Family = {
  contracts: [contract.treasurySettingsFamily],
  operations: {
    getTreasurySettings: () => import('./getTreasurySettings.ts'),
    putTreasurySettings: () => import('./putTreasurySettings.ts'),
    confirmTreasurySettings: () => import('./confirmTreasurySettings.ts'),
  },
  kinds: [treasurySettings.kind],
  jobs: { TREASURY_SETTINGS_NOTICE: { run: () => import('./settings-notice-job.ts') } },
  sweeps: [
    {
      what: 'treasury settings',
      everyMilliseconds: limits.sweepMilliseconds,
      run: async (services) => (await import('./settings-sweep.ts')).settleSettings(services),
    },
  ],
}
