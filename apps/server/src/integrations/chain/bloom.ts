import type { Hex } from 'viem'
import { keccak256 } from '../../keccak256.ts'

/** Bits that a value sets in a bloom of 2,048 bits. */
const bitsPerValue = 3

/**
 * True if a bloom of logs may contain a value: the address or a topic of a log. A bloom has false
 * positives, but no false negatives.
 *
 * @param bloom 256 bytes
 * @param hash Keccak-256 of the value
 * @see Ethereum Yellow Paper, §4.3.1, function M
 */
export function mayContain(bloom: Hex, hash: Hex): boolean {
  for (let pair = 0; pair < bitsPerValue; pair += 1) {
    const bit = Number.parseInt(hash.slice(2 + 4 * pair, 6 + 4 * pair), 16) & 2047
    // The last byte has the lowest bits.
    const at = 2 + 2 * (255 - (bit >> 3))
    const byte = Number.parseInt(bloom.slice(at, at + 2), 16)
    if ((byte & (1 << (bit & 7))) === 0) return false
  }
  return true
}

/** Keccak-256 of values, each computed once: logs of a range repeat addresses and events. */
export function hashOnce(): (value: Hex) => Hex {
  const hashes = new Map<Hex, Hex>()
  return (value) => {
    const known = hashes.get(value) ?? keccak256(value)
    hashes.set(value, known)
    return known
  }
}
