import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import { dayMilliseconds } from '../../../units.ts'
import type { Family } from '../../family.ts'
import { custodyEvidence } from './records.ts'

export const family: Family = {
  contracts: [contract.treasuryCustodyFamily],
  operations: {
    listTreasuryCustodyEvidence: custodyEvidence.list(contract.listTreasuryCustodyEvidence),
    admitTreasuryCustodyEvidence: () => import('./admitTreasuryCustodyEvidence.ts'),
    getTreasuryCustodyEvidence: () => import('./getTreasuryCustodyEvidence.ts'),
  },
  kinds: [custodyEvidence.kind],
  sweeps: [
    {
      what: 'custody evidence',
      everyMilliseconds: limits.sweepMilliseconds,
      run: async (services) =>
        (await import('./custody-expiry.ts')).expireCustodyEvidence(services),
    },
    {
      what: 'custody authorities',
      everyMilliseconds: dayMilliseconds,
      run: async (services) => (await import('./authority-check.ts')).checkAuthorities(services),
    },
  ],
}
