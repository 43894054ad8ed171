/**
 * Holm's step-down adjustment: p-values that can be compared with the level despite multiple tests.
 *
 *     p̃₍ᵢ₎ = max over j ≤ i of min(1, (m − j + 1)·p₍ⱼ₎)
 *
 * @param pValues in any order, each in [0, 1]
 * @returns adjusted values in the same order
 * @see Holm, “A simple sequentially rejective multiple test procedure” (1979)
 */
export function holm(pValues: readonly number[]): number[] {
  const order = pValues.map((_, index) => index).sort((a, b) => pValues[a]! - pValues[b]! || a - b)
  const adjusted = new Array<number>(pValues.length)
  let largest = 0
  for (const [rank, index] of order.entries()) {
    // The order lists each index of the input once.
    largest = Math.max(largest, Math.min(1, (pValues.length - rank) * pValues[index]!))
    adjusted[index] = largest
  }
  return adjusted
}
