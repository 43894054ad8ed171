/** How an entry takes its part of what a container holds. */
export interface Claim {
  readonly id: string
  readonly allocation:
    | { readonly kind: 'WHOLE' | 'REMAINDER' }
    | { readonly kind: 'FIXED'; readonly quantity: string; readonly priority: number }
}

/** The part of an entry, and what it lacks of the part that it should be; atoms. */
export interface Part {
  readonly quantity: bigint
  readonly shortfall: bigint
}

/**
 * Shares what a container holds of an asset among its entries: FIXED ones by priority, of equals in the order given, then
 * one that takes the rest. The parts never sum to more than the balance, whatever entries there are.
 *
 * @param claims oldest first
 */
export function allocate(balance: bigint, claims: readonly Claim[]): ReadonlyMap<string, Part> {
  const parts = new Map<string, Part>()
  let left = balance
  const fixed = claims.flatMap(({ id, allocation }) =>
    allocation.kind === 'FIXED'
      ? [{ id, wanted: BigInt(allocation.quantity), priority: allocation.priority }]
      : [],
  )
  for (const { id, wanted } of fixed.toSorted((a, b) => a.priority - b.priority)) {
    const quantity = wanted < left ? wanted : left
    parts.set(id, { quantity, shortfall: wanted - quantity })
    left -= quantity
  }
  for (const { id, allocation } of claims) {
    if (allocation.kind === 'FIXED') continue
    parts.set(id, { quantity: left, shortfall: 0n })
    left = 0n
  }
  return parts
}
