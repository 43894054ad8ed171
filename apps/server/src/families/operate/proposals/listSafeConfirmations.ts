import { contract } from '@liquidity-os/contract'
import type { Address, Hex } from 'viem'
import { handle, type Outcome } from '../../../http/handler.ts'
import { feedHost } from '../../../integrations/providers/feed-providers.ts'
import {
  type QueuedTransaction,
  readQueued,
  readWaiting,
} from '../../../integrations/safe-service/safe-service.ts'
import type { Packet } from '../../../market/proposals/agreed-packets.ts'
import { requireVault } from '../autonomy-policies/api.ts'
import { queuedOf, verifyQueued } from './queued-signatures.ts'
import { proposals } from './records.ts'
import { activeService, fromService } from './safe-service-of.ts'

type Listed = contract.SafeConfirmations['packets'][number]

export default handle(contract.listSafeConfirmations, async (request): Promise<Outcome> => {
  const { params, records, services, organizationId, now, fail } = request
  const current = await proposals.current(records, params.id)
  if (!current) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const { record } = current
  const { action, packets, vaultId } = record.payload
  const provider = await activeService(records, action.chainId)
  const host = feedHost(provider, organizationId)
  const { control } = (await requireVault(records, vaultId, 'id')).payload
  const open = packets.filter(({ state }) => state === 'OPEN')
  const listed = await fromService(provider, async () => {
    const waiting = await readWaiting(host, action.safeAddress as Address, services)
    const read = async (packet: Packet): Promise<Listed> => {
      const known = queuedOf(record, packet, waiting)
      const safeTxHash = (known?.safeTxHash ?? packet.hashes.safeTxHash) as Hex
      const queued = known ?? (await readQueued(host, safeTxHash, services))
      const nonce = queued?.nonce ?? packet.hashes.nonce
      const confirmations = await verifyQueued(queued?.signatures ?? [], {
        safeTxHash,
        owners: control.owners,
      })
      const valid = confirmations.filter(({ state }) => state === 'VALID').length
      const conflicts = waiting.filter(
        (one) => one.nonce === nonce && one.safeTxHash !== safeTxHash,
      )
      const nonceConflict =
        conflicts.length === 0
          ? null
          : ({
              code: 'NONCE_CONFLICT',
              severity: 'WARN',
              nextNonce: firstFreeNonce(control.nonce, waiting),
            } as const)
      return {
        packetIndex: packet.packetIndex,
        safeTxHash,
        nonce,
        state: stateOf({
          queued,
          isReady: valid >= control.threshold,
          isNonceUsed: BigInt(nonce) < BigInt(control.nonce),
        }),
        valid,
        confirmations,
        conflicts: conflicts.slice(0, maxConflicts).map((one) => one.safeTxHash),
        nonceConflict,
        transactionHash: queued?.transactionHash ?? null,
      }
    }
    const all: Listed[] = []
    for (const packet of open) all.push(await read(packet))
    return all
  })
  const data: contract.SafeConfirmations = {
    providerId: provider.providerId,
    readAt: new Date(now).toISOString(),
    threshold: control.threshold,
    packets: listed,
  }
  return { data }
})

/** First nonce without a waiting transaction. */
function firstFreeNonce(next: string, waiting: readonly QueuedTransaction[]): string {
  const taken = new Set(waiting.map(({ nonce }) => BigInt(nonce)))
  let nonce = BigInt(next)
  while (taken.has(nonce)) nonce += 1n
  return `${nonce}`
}

const maxConflicts = 100

function stateOf({
  queued,
  isReady,
  isNonceUsed,
}: {
  queued: QueuedTransaction | null
  isReady: boolean
  isNonceUsed: boolean
}): Listed['state'] {
  if (queued?.isExecuted) return 'EXECUTED'
  if (isNonceUsed) return 'NONCE_USED'
  if (queued === null) return 'NOT_PROPOSED'
  return isReady ? 'READY' : 'COLLECTING'
}
