import type { contract } from '@liquidity-os/contract'

type Study = contract.TreasuryStressStudy

/**
 * Converts quote atoms to tokens, with chart precision; leaves atoms if the decimals are unknown.
 */
export const unitsOf = ({ quoteDecimals }: Study, atoms: string): number =>
  Number(BigInt(atoms)) / 10 ** (quoteDecimals ?? 0)

/** Last part of an asset key, shortened but still distinguishable. */
export function shortAsset(assetKey: string): string {
  if (assetKey.startsWith('iso4217:')) return assetKey.slice('iso4217:'.length)
  if (assetKey.endsWith('slip44:60')) return 'native coin'
  const address = assetKey.split(':').at(-1) ?? assetKey
  return `${address.slice(0, 8)}…`
}

export const quoteWords = ({ request, quoteDecimals }: Study): string =>
  `${quoteDecimals === null ? 'atoms of ' : ''}${shortAsset(request.quoteKey)}`
