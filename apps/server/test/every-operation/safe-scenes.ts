import { signSafeTransaction } from '@liquidity-os/localchain'
import { decide, safeTransactionOf } from '../support/proposing.ts'
import { callOperation } from '../support/requests.ts'
import type { SafeServiceServer } from '../support/safe-service.ts'
import { ownersOf } from '../support/vaults.ts'
import type { Scene } from './scene.ts'
import { aProposal } from './vault-scenes.ts'
import { ofVault } from './vaulted.ts'

const reason = 'For the walk'

/** Requests that need a Safe Transaction Service. */
export const safeScenes = (
  safeService: () => SafeServiceServer,
): Readonly<Record<string, Scene>> => ({
  proposeToSafe: ofVault(async (vaulted) => {
    const { owner, safe, test } = vaulted
    const { url } = safeService()
    await callOperation(owner, 'putOperatingSystemProvider', {
      body: {
        payload: {
          providerId: 'safe-service',
          kind: 'SAFE_SERVICE',
          displayName: 'Safe Transaction Service',
          endpoint: url,
          configuration: { chainId: 31_337 },
        },
        reason,
      },
    })
    const { id } = await aProposal(vaulted)
    const { data } = await decide(owner, id, 'APPROVE')
    const { proposal } = data
    const [signer] = ownersOf(test)
    const signature = await signSafeTransaction(31_337, safe, safeTransactionOf(proposal), [
      signer!,
    ])
    return {
      request: { params: { id }, ifMatch: proposal.resourceVersion },
      bodies: [{ packetIndex: 0, owner: signer!.address, signature, reason }],
    }
  }),
})
