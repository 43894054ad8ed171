import { keccak_256 } from '@noble/hashes/sha3.js'

/**
 * The EIP-55 form of an address.
 *
 * @param address 0x and 40 hex digits, in any case
 * @returns null when it is in mixed case and its checksum is wrong
 * @see https://eips.ethereum.org/EIPS/eip-55
 */
export function normalizeAddress(address: string): string | null {
  const digits = address.slice(2)
  const lower = digits.toLowerCase()
  const checksummed = checksum(lower)
  const isOneCase = digits === lower || digits === digits.toUpperCase()
  return isOneCase || checksummed === address ? checksummed : null
}

const encoder = new TextEncoder()

function checksum(lower: string): string {
  const hash = keccak_256(encoder.encode(lower))
  let text = '0x'
  for (let index = 0; index < 40; index += 1) {
    const nibble = ((hash[index >> 1] ?? 0) >> (index % 2 === 0 ? 4 : 0)) & 0xf
    const digit = lower[index] ?? ''
    text += nibble >= 8 ? digit.toUpperCase() : digit
  }
  return text
}
