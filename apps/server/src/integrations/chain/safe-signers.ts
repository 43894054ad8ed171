import { type Address, getAddress, type Hex, hashMessage, size, slice } from 'viem'
import { recoverSigner, splitSignature } from './key-signature.ts'

const signatureBytes = 65

/**
 * Signers of an executed Safe transaction. The Safe itself verified exactly `threshold` signatures;
 * later ones are unverified. Null if a signer is no owner.
 *
 * A contract signature or on-chain approval names its owner in the first word. The execution proves
 * its validity.
 *
 * @param threshold before the transaction
 * @param owners of the Safe before or after it
 * @returns the signers, or null
 * @see Safe 1.3.0 and 1.4.1, `checkNSignatures`
 */
export async function executedSigners(
  hash: Hex,
  signatures: Hex,
  threshold: number,
  owners: readonly Address[],
): Promise<Address[] | null> {
  if (size(signatures) < threshold * signatureBytes) return null
  const signers: Address[] = []
  for (let index = 0; index < threshold; index += 1) {
    const signer = await signerAt(hash, signatures, index)
    if (signer === null || !owners.includes(signer)) return null
    signers.push(signer)
  }
  return signers
}

async function signerAt(hash: Hex, signatures: Hex, index: number): Promise<Address | null> {
  const parts = splitSignature(signatures, index)
  if (parts.v === 0 || parts.v === 1) return getAddress(slice(parts.r, 12))
  const signer =
    parts.v > 30
      ? await recoverSigner(hashMessage({ raw: hash }), { ...parts, v: parts.v - 4 })
      : await recoverSigner(hash, parts)
  return signer === null ? null : getAddress(signer)
}
