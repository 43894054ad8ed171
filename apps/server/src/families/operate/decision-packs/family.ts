import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import type { Family } from '../../family.ts'
import { decisionPacks, expireDecisionPacks } from './records.ts'

export const family: Family = {
  contracts: [contract.decisionPackFamily],
  operations: {
    createDecisionPackFromTreasury: () => import('./createDecisionPackFromTreasury.ts'),
    createDecisionPackFromResearch: () => import('./createDecisionPackFromResearch.ts'),
    listDecisionPacks: decisionPacks.list(contract.listDecisionPacks),
    createDecisionPack: () => import('./createDecisionPack.ts'),
    getDecisionPack: decisionPacks.get(contract.getDecisionPack),
    listDecisionPackVersions: decisionPacks.versions(contract.listDecisionPackVersions),
    getDecisionPackVersion: decisionPacks.version(contract.getDecisionPackVersion),
    applyDecisionPackCommand: () => import('./applyDecisionPackCommand.ts'),
    readDecisionPackSection: () => import('./readDecisionPackSection.ts'),
    downloadDecisionPack: () => import('./downloadDecisionPack.ts'),
  },
  kinds: [decisionPacks.kind],
  sweeps: [
    {
      what: 'decision packs',
      everyMilliseconds: limits.sweepMilliseconds,
      run: expireDecisionPacks,
    },
  ],
  pictures: () => import('./pictures.ts'),
}
