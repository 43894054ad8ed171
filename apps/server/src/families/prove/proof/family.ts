import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import type { Family } from '../../family.ts'

export const family: Family = {
  contracts: [contract.proofFamily],
  operations: { listProofV2: () => import('./listProofV2.ts') },
  sweeps: [
    {
      what: 'proof log',
      everyMilliseconds: limits.logMilliseconds,
      run: async (services) => {
        const { sequenceEvents } = await import('./sequence-events.ts')
        await sequenceEvents(services)
      },
    },
  ],
  dispatches: async (services) => new (await import('./ask-witnesses.ts')).WitnessAsker(services),
}
