import { type Address, type Hex, hexToBigInt, recoverAddress, size, slice } from 'viem'

/**
 * Half of the secp256k1 group order. Of the two valid signatures of a message, only the one with
 * the lower s counts.
 */
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** The parts of a signature of 65 bytes. */
export interface SplitSignature {
  readonly r: Hex
  readonly s: Hex
  readonly v: number
}

/** @param packed signatures of 65 bytes each, from the first on */
export function splitSignature(packed: Hex, index = 0): SplitSignature {
  const start = index * 65
  return {
    r: slice(packed, start, start + 32),
    s: slice(packed, start + 32, start + 64),
    v: Number(slice(packed, start + 64, start + 65)),
  }
}

/**
 * The account whose key signed a digest.
 *
 * @param v 27 or 28
 * @returns null if the signature is invalid
 */
export async function recoverSigner(
  digest: Hex,
  { r, s, v }: SplitSignature,
): Promise<Address | null> {
  if (v !== 27 && v !== 28) return null
  try {
    return await recoverAddress({ hash: digest, signature: { r, s, v: BigInt(v) } })
  } catch {
    return null
  }
}

/**
 * Recovers the signer of a canonical signature only: 65 bytes, s in the lower half.
 *
 * @see EIP-2
 */
export async function recoverStrictSigner(digest: Hex, signature: Hex): Promise<Address | null> {
  if (size(signature) !== 65) return null
  const parts = splitSignature(signature)
  return hexToBigInt(parts.s) > halfOrder ? null : recoverSigner(digest, parts)
}
