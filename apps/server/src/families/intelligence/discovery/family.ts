import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'

export const family: Family = {
  contracts: [contract.discoveryFamily],
  operations: {
    searchDiscoveredProjects: () => import('./searchDiscoveredProjects.ts'),
    getDiscoveredProjectMarket: () => import('./getDiscoveredProjectMarket.ts'),
    getMarketDiscoveryCapabilities: () => import('./getMarketDiscoveryCapabilities.ts'),
    resolvePublicProject: () => import('./resolvePublicProject.ts'),
    investigatePublicProjectLiquidity: () => import('./investigatePublicProjectLiquidity.ts'),
  },
}
