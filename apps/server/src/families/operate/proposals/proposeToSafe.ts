import { contract } from '@liquidity-os/contract'
import { type Address, type Hex, isAddressEqual } from 'viem'
import { handle, type Outcome } from '../../../http/handler.ts'
import { feedHost } from '../../../integrations/providers/feed-providers.ts'
import {
  isDelegateOf,
  queueTransaction,
  readWaiting,
} from '../../../integrations/safe-service/safe-service.ts'
import { phaseOf, safeCallOf } from '../../../market/proposals/agreed-packets.ts'
import { requireVault } from '../autonomy-policies/api.ts'
import { queuedOf, recoverOwner, verifyQueued } from './queued-signatures.ts'
import { activeService, fromService } from './safe-service-of.ts'

/**
 * Puts an approved packet into the queue of its Safe, signed by an owner or by a delegate, whose
 * signature counts for nothing on chain. The Safe Transaction Service stores a
 * repeated transaction once, so a retry after a lost response is harmless.
 */
export default handle(contract.proposeToSafe, async (request): Promise<Outcome> => {
  const { params, body, records, services, organizationId, precondition, now, fail } = request
  const current = await records.reviewed<contract.ProposalWorkspace>(
    'ProposalWorkspace',
    params.id,
    precondition,
  )
  const phase = phaseOf(current.record, now)
  if (phase !== 'APPROVED') {
    throw fail('LIQUIDITY_PROPOSAL_NOT_APPROVED', {
      fieldErrors: { id: [`must be APPROVED, got ${phase}`] },
    })
  }
  const { action, packets, vaultId } = current.record.payload
  const packet = packets.find(({ packetIndex }) => packetIndex === body.packetIndex)
  if (packet?.state !== 'OPEN') {
    throw fail('LIQUIDITY_INVALID_REQUEST', {
      fieldErrors: {
        packetIndex: [`must be an open packet, got ${packet?.state ?? body.packetIndex}`],
      },
    })
  }
  const { safeTxHash, nonce } = packet.hashes
  const { control } = (await requireVault(records, vaultId, 'id')).payload
  if (BigInt(nonce) < BigInt(control.nonce)) {
    throw fail('LIQUIDITY_INVALID_REQUEST', {
      fieldErrors: {
        packetIndex: [
          `must have a nonce from ${control.nonce}, got ${nonce}: prepare the proposal again`,
        ],
      },
    })
  }
  const signature = body.signature.toLowerCase() as Hex
  const owner =
    (body.owner as Address | undefined) ?? (await recoverOwner(signature, safeTxHash as Hex))
  if (owner === null) {
    throw fail('LIQUIDITY_SAFE_EVIDENCE_SIGNERS_INVALID', {
      fieldErrors: {
        signature: [`must be a signature over ${safeTxHash}: no account can be recovered`],
      },
    })
  }
  const provider = await activeService(records, action.chainId)
  const host = feedHost(provider, organizationId)
  const safe = action.safeAddress as Address
  const isOwner = control.owners.some((one) => isAddressEqual(one as Address, owner))
  const isDelegate =
    !isOwner &&
    (await fromService(provider, () =>
      isDelegateOf({ safe, owners: control.owners, delegate: owner }, host, services),
    ))
  const [verified] = await verifyQueued([{ owner, signature, signedAt: null }], {
    safeTxHash: safeTxHash as Hex,
    owners: isDelegate ? [owner] : control.owners,
  })
  if (verified?.state !== 'VALID') {
    const reason = verified?.reason ?? 'a signature of a contract or an approval on chain'
    throw fail('LIQUIDITY_SAFE_EVIDENCE_SIGNERS_INVALID', {
      fieldErrors: {
        owner: [
          `must be the owner of the Safe, or its registered delegate, that signed, got ${owner}`,
        ],
        signature: [`must be a signature of this account over ${safeTxHash}: ${reason}`],
      },
    })
  }
  const waiting = await fromService(provider, () => readWaiting(host, safe, services))
  const queued = queuedOf(current.record, packet, waiting)
  if (queued && queued.safeTxHash !== safeTxHash) {
    throw fail('LIQUIDITY_SAFE_EVIDENCE_ALREADY_BOUND', {
      fieldErrors: {
        packetIndex: [
          `must not be in the queue yet, but it is there with the nonce ${queued.nonce}: ${queued.safeTxHash}`,
        ],
      },
    })
  }
  await fromService(provider, () =>
    queueTransaction(
      host,
      {
        safe,
        call: safeCallOf(packet),
        nonce,
        safeTxHash: safeTxHash as Hex,
        owner,
        signature,
      },
      services,
    ),
  )
  const { providerId } = provider
  const entry = {
    providerId,
    packetIndex: packet.packetIndex,
    safeTxHash,
    nonce,
    owner,
    isDelegate,
  }
  return {
    status: 201,
    data: { ...entry, executionPerformed: false, executionAuthorityGranted: false },
    change: records.note(current, 'proposal.sent_to_safe', { ...entry, reason: body.reason }),
  }
})
