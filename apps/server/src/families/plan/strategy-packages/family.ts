import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'
import { packages } from './records.ts'

export const family: Family = {
  contracts: [contract.strategyPackageFamily],
  operations: {
    listStrategyPackages: packages.list(contract.listStrategyPackages),
    createStrategyPackageCandidate: () => import('./createStrategyPackageCandidate.ts'),
    getStrategyPackages: packages.get(contract.getStrategyPackages),
    approveStrategyPackage: () => import('./approveStrategyPackage.ts'),
    revokeStrategyPackage: () => import('./revokeStrategyPackage.ts'),
    seedStrategyFromApprovedPackage: () => import('./seedStrategyFromApprovedPackage.ts'),
  },
  kinds: [packages.kind],
}
