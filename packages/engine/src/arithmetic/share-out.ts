/**
 * Shares of a whole in millionths that add up exactly. Each share is rounded down. The missing
 * millionths go to the largest remainders, and between equal ones to the first.
 *
 * @param weights amounts of zero or more, in one unit
 * @returns shares in the order of `weights`; all zero if all weights are zero
 */
export function shareOutPips(weights: readonly bigint[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0n)
  if (whole === 0n) return weights.map(() => 0)
  const shares = weights.map((weight, index) => {
    const scaled = weight * 1_000_000n
    return { index, pips: Number(scaled / whole), remainder: scaled % whole }
  })
  const missing = 1_000_000 - shares.reduce((sum, { pips }) => sum + pips, 0)
  const byRemainder = shares.toSorted((a, b) =>
    a.remainder === b.remainder ? a.index - b.index : a.remainder < b.remainder ? 1 : -1,
  )
  for (const share of byRemainder.slice(0, missing)) share.pips += 1
  return shares.map(({ pips }) => pips)
}
