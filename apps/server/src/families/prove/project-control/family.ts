import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import { dayMilliseconds } from '../../../units.ts'
import type { Family } from '../../family.ts'
import { controlChallenges, controlProofs } from './records.ts'

export const family: Family = {
  contracts: [contract.projectControlChallengeFamily, contract.projectControlProofFamily],
  operations: {
    issueProjectControlChallenge: () => import('./issueProjectControlChallenge.ts'),
    getProjectControlChallenge: () => import('./getProjectControlChallenge.ts'),
    getProjectControlProof: controlProofs.get(contract.getProjectControlProof),
    acceptProjectControlProof: () => import('./acceptProjectControlProof.ts'),
  },
  kinds: [controlChallenges.kind, controlProofs.kind],
  pictures: () => import('./pictures.ts'),
  sweeps: [
    {
      what: 'project control challenges and proofs',
      everyMilliseconds: limits.sweepMilliseconds,
      run: async (services) => {
        const { expireChallenges, expireProofs } = await import('./control-expiry.ts')
        await expireChallenges(services)
        await expireProofs(services)
      },
    },
    {
      what: 'project control paths',
      everyMilliseconds: dayMilliseconds,
      run: async (services) => (await import('./path-check.ts')).checkPaths(services),
    },
  ],
}
