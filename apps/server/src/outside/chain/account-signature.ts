import { type Address, type Hex, isAddressEqual, parseAbi, recoverAddress, size, slice } from 'viem'
import type { ChainClient } from './client.ts'
import { answered, readContract } from './contract-call.ts'
import type { Pin } from './finalized.ts'

/** Half of the order of secp256k1: of the two signatures of a message only the one with the lower s counts. */
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** What the signature of an account ends with that is not deployed yet (ERC-6492). */
const undeployed = '6492'.repeat(16)

const magic = '0x1626ba7e'
const signerAbi = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
])

/** Whether a signature is one of an account that is not deployed; it proves nothing of a chain. */
export const isUndeployed = (signature: Hex): boolean =>
  signature.toLowerCase().endsWith(undeployed)

/**
 * What keeps a signature from being that of an account of a key over a digest; null where it is.
 *
 * @param signature r, s and v in 65 bytes; a high s and any v but 27 and 28 are refused
 * @see EIP-2
 */
export async function faultOfKeySignature(
  digest: Hex,
  signature: Hex,
  signer: Address,
): Promise<string | null> {
  if (isUndeployed(signature)) return 'must be of a deployed account, got one of ERC-6492'
  if (size(signature) !== 65) return `must have 65 bytes, got ${size(signature)}`
  if (BigInt(slice(signature, 32, 64)) > halfOrder) return 'must have the lower s, got the higher'
  const v = Number(slice(signature, 64, 65))
  if (v !== 27 && v !== 28) return `must have v 27 or 28, got ${v}`
  let recovered: Address
  try {
    recovered = await recoverAddress({ hash: digest, signature })
  } catch {
    return 'must be a point of the curve'
  }
  return isAddressEqual(recovered, signer)
    ? null
    : `must be of ${signer} over the challenge, got that of ${recovered} over it or of something else`
}

/**
 * What keeps a contract from calling a signature its own, at a pinned block; null where it does.
 *
 * @throws ChainError as the reads do
 * @see EIP-1271
 */
export async function faultOfContractSignature(
  client: ChainClient,
  pin: Pin,
  asked: { readonly digest: Hex; readonly signature: Hex; readonly signer: Address },
): Promise<string | null> {
  const { digest, signature, signer } = asked
  if (isUndeployed(signature)) return 'must be of a deployed account, got one of ERC-6492'
  const answer = await answered(() =>
    readContract(client, pin, {
      ...{ address: signer, abi: signerAbi, functionName: 'isValidSignature' },
      args: [digest, signature],
    }),
  )
  if (answer === magic) return null
  return `must be valid to ${signer} by EIP-1271, got ${answer ?? 'a refusal'}`
}
