/** Claim of an entry on a container's balance. */
export interface Claim {
  readonly id: string
  readonly allocation:
    | { readonly kind: 'WHOLE' | 'REMAINDER' }
    | { readonly kind: 'FIXED'; readonly quantity: string; readonly priority: number }
}

/** Allocated part of an entry and its shortfall, in atoms. */
export interface Part {
  readonly quantity: bigint
  readonly shortfall: bigint
}

/**
 * Allocates a container's balance among its entries. FIXED entries come first, by priority and then
 * in the given order; one entry receives the rest. The total never exceeds the balance.
 *
 * @param claims oldest first
 */
export function allocate(balance: bigint, claims: readonly Claim[]): ReadonlyMap<string, Part> {
  const parts = new Map<string, Part>()
  let remaining = balance
  const fixed = claims.flatMap(({ id, allocation }) =>
    allocation.kind === 'FIXED'
      ? [{ id, wanted: BigInt(allocation.quantity), priority: allocation.priority }]
      : [],
  )
  for (const { id, wanted } of fixed.toSorted((a, b) => a.priority - b.priority)) {
    const quantity = wanted < remaining ? wanted : remaining
    parts.set(id, { quantity, shortfall: wanted - quantity })
    remaining -= quantity
  }
  for (const { id, allocation } of claims) {
    if (allocation.kind === 'FIXED') continue
    parts.set(id, { quantity: remaining, shortfall: 0n })
    remaining = 0n
  }
  return parts
}
