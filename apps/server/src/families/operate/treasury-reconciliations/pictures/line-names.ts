import type { contract } from '@liquidity-os/contract'

type Line = contract.TreasuryLedgerReconciliation['lines'][number]

/** A container in a few letters. */
export const containerOf = ({ container }: Line): string =>
  `${(container.split(':').at(-1) ?? '').slice(0, 8)}…`

/** An asset in a few letters. */
export function assetOf({ assetKey }: Line): string {
  const asset = assetKey.split('/').at(-1)?.split(':').at(-1) ?? assetKey
  return asset.length > 12 ? `${asset.slice(0, 8)}…` : asset
}

export const shortOf = (line: Line): string => `${containerOf(line)} ${assetOf(line)}`
