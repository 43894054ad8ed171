/**
 * Price of a pair, as the market map combines it: the mean of the venues, weighted by the smaller
 * side of the 2 % depth.
 *
 * @param prices times 10^36; an unknown weight counts as 0
 */
export function pairPrice(
  prices: readonly { readonly price: bigint | null; readonly weight: bigint }[],
): bigint | null {
  const known = prices.flatMap(({ price, weight }) => (price === null ? [] : [{ price, weight }]))
  const [first] = known
  if (first === undefined) return null
  const weights = known.reduce((sum, { weight }) => sum + weight, 0n)
  if (weights === 0n) return first.price
  return known.reduce((sum, { price, weight }) => sum + price * weight, 0n) / weights
}

/** Sum of known values; null if one is unknown, or none exists. */
export function sumOf(some: readonly (bigint | null)[]): bigint | null {
  return some.length === 0
    ? null
    : some.reduce<bigint | null>(
        (sum, one) => (sum === null || one === null ? null : sum + one),
        0n,
      )
}

export const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)
