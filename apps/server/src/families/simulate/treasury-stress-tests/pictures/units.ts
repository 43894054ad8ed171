import type { contract } from '@liquidity-os/contract'

type Study = contract.TreasuryStressStudy

/** Atoms of the quote in units of it, as far as a picture needs them; atoms where nobody knows its decimals. */
export const unitsOf = ({ quoteDecimals }: Study, atoms: string): number =>
  Number(BigInt(atoms)) / 10 ** (quoteDecimals ?? 0)

/** The last part of the key of an asset in as few characters as tell it apart. */
export function shortAsset(assetKey: string): string {
  if (assetKey.startsWith('iso4217:')) return assetKey.slice('iso4217:'.length)
  if (assetKey.endsWith('slip44:60')) return 'native coin'
  const address = assetKey.split(':').at(-1) ?? assetKey
  return `${address.slice(0, 8)}…`
}

/** What the quote is called on an axis. */
export const quoteWords = ({ request, quoteDecimals }: Study): string =>
  `${quoteDecimals === null ? 'atoms of ' : ''}${shortAsset(request.quoteKey)}`
