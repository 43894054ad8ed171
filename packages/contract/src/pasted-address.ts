/** Short chain names (EIP-3770) that wallets write before an address. */
const chainOfShortName: ReadonlyMap<string, number> = new Map([
  ['eth', 1],
  ['oeth', 10],
  ['rsk', 30],
  ['trsk', 31],
  ['bnb', 56],
  ['gno', 100],
  ['matic', 137],
  ['base', 8453],
  ['arb1', 42_161],
  ['avax', 43_114],
  ['sep', 11_155_111],
])

const pasted = /^\s*(?:(eip155:[1-9][0-9]{0,15}|[a-z0-9-]{1,20}):)?(0x[0-9a-fA-F]{40})\s*$/

/**
 * The plain address of a pasted text. Accepts surrounding white space, and the prefix of the chain:
 * `eip155:1:` (CAIP-10) or `eth:` (EIP-3770).
 *
 * @param chainId chain of the form field; null if it accepts any chain
 * @returns null if the text is no address or its prefix names another chain
 */
export function parsePastedAddress(text: string, chainId: number | null): string | null {
  const [, prefix, address] = pasted.exec(text) ?? []
  if (address === undefined) return null
  if (prefix === undefined) return address
  const named = prefix.startsWith('eip155:')
    ? Number(prefix.slice(7))
    : chainOfShortName.get(prefix)
  if (named === undefined) return null
  return chainId === null || named === chainId ? address : null
}
