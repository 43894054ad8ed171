import type { contract } from '@liquidity-os/contract'

type Line = contract.ReconciliationLine
type Total = contract.TreasuryLedgerReconciliation['totals'][number]

/** Sums of lines by asset, in asset order; a side without lines is null, not zero. */
export function totalsOf(lines: readonly Line[]): Total[] {
  const byAsset = Map.groupBy(lines, ({ assetKey }) => assetKey)
  return [...byAsset.keys()].sort().map((assetKey) => {
    const some = byAsset.get(assetKey) ?? []
    return {
      assetKey,
      ledger: sum(some.map(({ ledger }) => ledger)) ?? '0',
      custody: sum(some.map(({ custody }) => custody)),
      chain: sum(some.map(({ chain }) => chain)),
      difference: sum(some.map(({ differences }) => differences.ledgerMinusChain)),
      byCause: causesOf(some),
    }
  })
}

function causesOf(lines: readonly Line[]): Total['byCause'] {
  const byCause = Map.groupBy(lines, ({ cause }) => cause)
  return [...byCause].map(([cause, some]) => ({
    cause,
    lines: some.length,
    ledgerMinusChain: sum(some.map(({ differences }) => differences.ledgerMinusChain)),
  }))
}

/** Sum of the known amounts; null if all are unknown. */
function sum(amounts: readonly (string | null)[]): string | null {
  const known = amounts.filter((amount) => amount !== null)
  if (known.length === 0) return null
  return known.reduce((total, amount) => total + BigInt(amount), 0n).toString()
}
