import { type Address, type Hex, isAddressEqual, parseAbi } from 'viem'
import type { ChainClient } from './client.ts'
import { answered, readContract } from './contract-call.ts'
import type { Pin } from './finalized.ts'
import { recoverStrictSigner } from './key-signature.ts'

/** Signature suffix of an account that is not deployed yet (ERC-6492). */
const undeployed = '6492'.repeat(16)

const magic = '0x1626ba7e'
const signerAbi = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
])

/** True for a signature of an undeployed account; it proves no state on the chain. */
export const isUndeployed = (signature: Hex): boolean =>
  signature.toLowerCase().endsWith(undeployed)

/**
 * Fault of a key signature over a digest; null if valid. Rejects a high s, and any v except 27 and
 * 28.
 *
 * @param signature r, s and v in 65 bytes
 * @see EIP-2
 */
export async function faultOfKeySignature(
  digest: Hex,
  signature: Hex,
  signer: Address,
): Promise<string | null> {
  if (isUndeployed(signature)) return 'must be from a deployed account, got an ERC-6492 signature'
  const recovered = await recoverStrictSigner(digest, signature)
  if (recovered === null) return 'must be r, s and v in 65 bytes, with low s and v 27 or 28'
  return isAddressEqual(recovered, signer)
    ? null
    : `must be by ${signer} over the challenge; recovered ${recovered}`
}

/**
 * Reason a contract rejects a signature at a pinned block; null if valid.
 *
 * @throws ChainError if a read fails
 * @see EIP-1271
 */
export async function faultOfContractSignature(
  client: ChainClient,
  pin: Pin,
  requested: { readonly digest: Hex; readonly signature: Hex; readonly signer: Address },
): Promise<string | null> {
  const { digest, signature, signer } = requested
  if (isUndeployed(signature)) return 'must be from a deployed account, got an ERC-6492 signature'
  const answer = await answered(() =>
    readContract(client, pin, {
      address: signer,
      abi: signerAbi,
      functionName: 'isValidSignature',
      args: [digest, signature],
    }),
  )
  if (answer === magic) return null
  return `must be valid for ${signer} by EIP-1271, got ${answer ?? 'a refusal'}`
}
