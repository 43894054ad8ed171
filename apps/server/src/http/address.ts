import { keccakOfText } from '../keccak256.ts'
import { limits } from '../limits.ts'
import { RecentSet } from './recent-set.ts'

/**
 * The EIP-55 form of an address.
 *
 * @param address 0x and 40 hex digits, in any case
 * @returns null if the address is in mixed case with a wrong checksum
 * @see https://eips.ethereum.org/EIPS/eip-55
 */
export function normalizeAddress(address: string): string | null {
  if (recent.has(address)) return address
  const digits = address.slice(2)
  const lower = digits.toLowerCase()
  const checksummed = checksum(lower)
  const isOneCase = digits === lower || digits === digits.toUpperCase()
  if (!isOneCase && checksummed !== address) return null
  recent.add(checksummed)
  return checksummed
}

/** Recently used addresses in EIP-55 form: requests repeat the tokens of a market. */
const recent = new RecentSet(limits.knownAddresses)

function checksum(lower: string): string {
  const digest = keccakOfText(lower)
  let text = '0x'
  for (let index = 0; index < 40; index += 1) {
    const digit = lower.charCodeAt(index)
    // A letter is upper case if the hash digit at its position is 8 or above (EIP-55).
    const isCapital = digit >= 0x61 && digest.charCodeAt(index) >= 0x38
    text += String.fromCharCode(isCapital ? digit - 0x20 : digit)
  }
  return text
}
