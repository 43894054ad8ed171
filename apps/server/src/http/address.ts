import { keccakOfText } from '../keccak256.ts'
import { limits } from '../limits.ts'
import { RecentSet } from './recent-set.ts'

/**
 * The EIP-55 form of an address.
 *
 * @param address 0x and 40 hex digits, in any case
 * @param chainId chain of the address, if known; Rootstock has its own checksums
 * @returns null if the address is in mixed case with a wrong checksum
 * @see https://eips.ethereum.org/EIPS/eip-55
 */
export function normalizeAddress(address: string, chainId?: number): string | null {
  if (recent.has(address)) return address
  const digits = address.slice(2)
  const lower = digits.toLowerCase()
  const checksummed = checksum(lower)
  const isOneCase = digits === lower || digits === digits.toUpperCase()
  const isValid = isOneCase || checksummed === address || hasRootstockChecksum(address, chainId)
  if (!isValid) return null
  recent.add(checksummed)
  return checksummed
}

/** Recently used addresses in EIP-55 form: requests repeat the tokens of a market. */
const recent = new RecentSet(limits.knownAddresses)

/** Rootstock mainnet and testnet. Their wallets and explorers print EIP-1191 checksums. */
const rootstock = [30, 31]

/**
 * Accepts the checksum of either Rootstock network on both.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1191
 */
function hasRootstockChecksum(address: string, chainId: number | undefined): boolean {
  if (chainId === undefined || !rootstock.includes(chainId)) return false
  const lower = address.slice(2).toLowerCase()
  return rootstock.some((id) => checksum(lower, `${id}0x`) === address)
}

/** @param prefix text that EIP-1191 hashes before the digits; empty for EIP-55 */
function checksum(lower: string, prefix = ''): string {
  const digest = keccakOfText(prefix + lower)
  let text = '0x'
  for (let index = 0; index < 40; index += 1) {
    const digit = lower.charCodeAt(index)
    // A letter is upper case if the hash digit at its position is 8 or above (EIP-55).
    const isCapital = digit >= 0x61 && digest.charCodeAt(index) >= 0x38
    text += String.fromCharCode(isCapital ? digit - 0x20 : digit)
  }
  return text
}
