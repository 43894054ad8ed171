import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import type { Family } from '../../family.ts'
import { artifactsJob, passports } from './records.ts'

export const family: Family = {
  contracts: [contract.passportFamily],
  operations: {
    listPassports: passports.list(contract.listPassports),
    getPassports: passports.get(contract.getPassports),
    preparePassport: () => import('./preparePassport.ts'),
    publishLiquidityPassport: () => import('./publishLiquidityPassport.ts'),
    revokeLiquidityPassport: () => import('./revokeLiquidityPassport.ts'),
    getPublicLiquidityPassport: () => import('./getPublicLiquidityPassport.ts'),
    downloadPublicLiquidityPassport: () => import('./downloadPublicLiquidityPassport.ts'),
    downloadLiquidityPassportVerificationBundle: () =>
      import('./downloadLiquidityPassportVerificationBundle.ts'),
  },
  kinds: [passports.kind],
  jobs: { [artifactsJob]: { run: () => import('./artifacts-job.ts') } },
  pictures: () => import('./pictures.ts'),
  sweeps: [
    {
      what: 'passports',
      everyMilliseconds: limits.sweepMilliseconds,
      run: async (services) => (await import('./passport-sweep.ts')).sweepPassports(services),
    },
  ],
}
