import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import type { Family } from '../../family.ts'
import { treasuryAssets } from './records.ts'

export const family: Family = {
  contracts: [contract.treasuryAssetsFamily],
  operations: {
    listTreasuryAssets: () => import('./listTreasuryAssets.ts'),
    createTreasuryAssets: () => import('./createTreasuryAssets.ts'),
    changeTreasuryAsset: () => import('./changeTreasuryAsset.ts'),
    confirmTreasuryAsset: () => import('./confirmTreasuryAsset.ts'),
  },
  kinds: [treasuryAssets.kind],
  jobs: { TREASURY_ASSET_NOTICE: { run: () => import('./asset-notice-job.ts') } },
  sweeps: [
    {
      what: 'treasury assets',
      everyMilliseconds: limits.sweepMilliseconds,
      run: async (services) => (await import('./asset-sweep.ts')).settleAssets(services),
    },
  ],
}
