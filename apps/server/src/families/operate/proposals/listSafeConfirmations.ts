import { contract } from '@liquidity-os/contract'
import type { Address, Hex } from 'viem'
import { handle, type Outcome } from '../../../http/handler.ts'
import { feedHost } from '../../../integrations/providers/feed-providers.ts'
import { readQueued, readWaitingHashes } from '../../../integrations/safe-service/safe-service.ts'
import type { Packet } from '../../../market/proposals/agreed-packets.ts'
import { requireVault } from '../autonomy-policies/api.ts'
import { verifyQueued } from './queued-signatures.ts'
import { proposals } from './records.ts'
import { activeService, fromService } from './safe-service-of.ts'

type Listed = contract.SafeConfirmations['packets'][number]

export default handle(contract.listSafeConfirmations, async (request): Promise<Outcome> => {
  const { params, records, services, organizationId, now, fail } = request
  const current = await proposals.current(records, params.id)
  if (!current) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const { action, packets, vaultId } = current.record.payload
  const provider = await activeService(records, action.chainId)
  const host = feedHost(provider, organizationId)
  const { control } = (await requireVault(records, vaultId, 'id')).payload
  const safe = action.safeAddress as Address
  const read = async ({ packetIndex, hashes }: Packet): Promise<Listed> => {
    const { nonce } = hashes
    const safeTxHash = hashes.safeTxHash as Hex
    const queued = await readQueued(host, safeTxHash, services)
    const waiting = await readWaitingHashes(host, { safe, nonce }, services)
    const confirmations = await verifyQueued(queued?.signatures ?? [], {
      safeTxHash,
      owners: control.owners,
    })
    const valid = confirmations.filter(({ state }) => state === 'VALID').length
    return {
      packetIndex,
      safeTxHash: hashes.safeTxHash,
      nonce,
      state: stateOf({ queued, isReady: valid >= control.threshold }),
      valid,
      confirmations,
      conflicts: waiting.filter((hash) => hash !== safeTxHash),
      transactionHash: queued?.transactionHash ?? null,
    }
  }
  const open = packets.filter(({ state }) => state === 'OPEN')
  const listed: Listed[] = []
  await fromService(provider, async () => {
    for (const packet of open) listed.push(await read(packet))
  })
  const data: contract.SafeConfirmations = {
    providerId: provider.providerId,
    readAt: new Date(now).toISOString(),
    threshold: control.threshold,
    packets: listed,
  }
  return { data }
})

function stateOf({
  queued,
  isReady,
}: {
  queued: { readonly isExecuted: boolean } | null
  isReady: boolean
}): Listed['state'] {
  if (queued === null) return 'NOT_PROPOSED'
  if (queued.isExecuted) return 'EXECUTED'
  return isReady ? 'READY' : 'COLLECTING'
}
