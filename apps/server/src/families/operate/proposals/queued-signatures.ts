import type { contract } from '@liquidity-os/contract'
import { type Address, type Hex, hashMessage, isAddressEqual, size } from 'viem'
import { recoverStrictSigner, splitSignature } from '../../../integrations/chain/key-signature.ts'
import type {
  QueuedSignature,
  QueuedTransaction,
} from '../../../integrations/safe-service/safe-service.ts'
import { hasHash, type Packet, type Proposal } from '../../../market/proposals/agreed-packets.ts'

/**
 * The waiting transaction that executes a packet, with any nonce that the packet allows. Another
 * tool can have queued it with a later nonce; a second one would execute the calls twice.
 */
export const queuedOf = (
  proposal: Pick<Proposal, 'payload'>,
  packet: Packet,
  waiting: readonly QueuedTransaction[],
): QueuedTransaction | undefined =>
  waiting.find(({ safeTxHash, nonce }) => hasHash(proposal, packet, BigInt(nonce), safeTxHash))

type Confirmation = contract.SafeConfirmations['packets'][number]['confirmations'][number]

/** Signatures by v = 31 or 32 are over the hash as a signed Ethereum message (EIP-191). */
const messageOffset = 4

/**
 * Checks signatures that a queue reports for a Safe hash. A signature of a key counts only if the
 * owner is recovered from it; each owner counts once. Recovery runs at most once per owner, because
 * the other side controls the list.
 *
 * @see Safe 1.4.1, `checkNSignatures`: v = 0 is a contract signature, v = 1 an approval on chain
 */
export async function verifyQueued(
  signatures: readonly QueuedSignature[],
  { safeTxHash, owners }: { readonly safeTxHash: Hex; readonly owners: readonly string[] },
): Promise<Confirmation[]> {
  const confirmations: Confirmation[] = []
  const recovered = new Set<string>()
  for (const { owner, signature, signedAt } of signatures.slice(0, maxConfirmations)) {
    const ignored = (reason: string) =>
      confirmations.push({ owner, signedAt, state: 'IGNORED', reason })
    if (!owners.some((one) => isAddressEqual(one as Hex, owner))) {
      ignored('the account is no owner of the Safe')
      continue
    }
    if (recovered.has(owner)) {
      ignored('the owner is listed twice')
      continue
    }
    const { state, reason } = await stateOf({ owner, signature, safeTxHash })
    if (state !== 'UNVERIFIED') recovered.add(owner)
    confirmations.push({ owner, signedAt, state, reason })
  }
  return confirmations
}

/** Confirmations of a packet that are listed. */
const maxConfirmations = 1000

type State = { readonly state: Confirmation['state']; readonly reason: string | null }

async function stateOf({
  owner,
  signature,
  safeTxHash,
}: Pick<QueuedSignature, 'owner' | 'signature'> & { readonly safeTxHash: Hex }): Promise<State> {
  if (signature === null || size(signature) < 65) {
    return { state: 'IGNORED', reason: 'the signature is missing or too short' }
  }
  const { v } = splitSignature(signature)
  if (v === 0 || v === 1) return { state: 'UNVERIFIED', reason: null }
  const signer = await recoverOwner(signature, safeTxHash)
  if (signer !== null && isAddressEqual(signer, owner)) return { state: 'VALID', reason: null }
  return { state: 'IGNORED', reason: 'the signature is not by this owner over this hash' }
}

/** Account that signed a Safe hash with a key; null if none can be recovered. */
export function recoverOwner(signature: Hex, safeTxHash: Hex): Promise<Address | null> {
  const { v } = splitSignature(signature)
  const isMessage = v === 31 || v === 32
  const digest = isMessage ? hashMessage({ raw: safeTxHash }) : safeTxHash
  return recoverStrictSigner(digest, isMessage ? withV(signature, v - messageOffset) : signature)
}

const withV = (signature: Hex, v: number): Hex =>
  `${signature.slice(0, 130)}${v.toString(16).padStart(2, '0')}${signature.slice(132)}` as Hex
