import type { contract } from '@liquidity-os/contract'

type Line = contract.TreasuryLedgerReconciliation['lines'][number]

/** A container in a few letters: an account of a chain by its beginning, one of a custodian by who keeps it. */
export function containerOf({ container }: Line): string {
  const [kind, keeper = '', account = ''] = container.split(':')
  return kind === 'custodian' ? keeper : `${(account || keeper).slice(0, 8)}…`
}

/** An asset in a few letters. */
export function assetOf({ assetKey }: Line): string {
  if (assetKey.includes('/slip44:')) return 'native coin'
  const asset = assetKey.split('/').at(-1)?.split(':').at(-1) ?? assetKey
  return asset.length > 12 ? `${asset.slice(0, 8)}…` : asset
}

export const shortOf = (line: Line): string => `${containerOf(line)} ${assetOf(line)}`
