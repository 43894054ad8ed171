import { type Address, getAddress, type Hex, hashMessage, size, slice } from 'viem'
import { recoverSigner, splitSignature } from './key-signature.ts'

const signatureBytes = 65

/**
 * Who signed a transaction that a Safe has executed: as many signatures as its threshold asks for were checked by the
 * Safe itself, and those behind them by nobody.
 *
 * A signature of a contract, or an approval on chain, names its owner in the first word; that the Safe went on says that
 * it held.
 *
 * @param threshold before the transaction
 * @param owners    of the Safe before or after it
 * @returns null where one of them is of nobody who is an owner
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
