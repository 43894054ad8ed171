import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'

export const family: Family = {
  contracts: [contract.artifactFamily],
  operations: {
    listOperatingSystemArtifacts: () => import('./listOperatingSystemArtifacts.ts'),
    downloadArtifact: () => import('./downloadArtifact.ts'),
  },
}
