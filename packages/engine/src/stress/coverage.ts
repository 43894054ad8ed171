const MILLION = 1_000_000n

/** Value of one tier of assets, and its haircut. */
export interface TierValue {
  readonly valueQuote: bigint
  readonly haircutPips: number
}

/** Tiers from cash-like (0) to what cannot be sold in time (4). */
export type Tiers = readonly [TierValue, TierValue, TierValue, TierValue, TierValue]

/** Default haircuts of the tiers. */
export const DEFAULT_HAIRCUT_PIPS = [0, 20_000, 400_000, 700_000, 1_000_000] as const

/** Coverage in the shape of the liquidity coverage ratio. */
export interface Coverage {
  readonly stockQuote: bigint
  readonly netOutflowQuote: bigint
  /** Stock over net outflow; null without a net outflow. */
  readonly coveragePips: bigint | null
}

/**
 * Liquid stock over the net outflow of thirty days, rounded against the treasury.
 *
 *     stock = Σ value·(1 − haircut), the tiers 2 to 4 at most ⅔ of 0 and 1 (40 % of the stock)
 *     net   = outflow − min(inflow, ⌊¾·outflow⌋), so at least a quarter of the outflow
 *
 * @see Basel Committee, “Basel III: The liquidity coverage ratio” (2013)
 */
export function liquidityCoverage(
  tiers: Tiers,
  outflowQuote: bigint,
  inflowQuote: bigint,
): Coverage {
  const after = tiers.map(
    ({ valueQuote, haircutPips }) => (valueQuote * (MILLION - BigInt(haircutPips))) / MILLION,
  )
  // There are five tiers.
  const first = after[0]! + after[1]!
  const second = after[2]! + after[3]! + after[4]!
  const cap = (first * 2n) / 3n
  const stockQuote = first + (second < cap ? second : cap)
  const threeQuarters = (outflowQuote * 3n) / 4n
  const credited = inflowQuote < threeQuarters ? inflowQuote : threeQuarters
  const netOutflowQuote = outflowQuote - credited
  return {
    stockQuote,
    netOutflowQuote,
    coveragePips: netOutflowQuote === 0n ? null : (stockQuote * MILLION) / netOutflowQuote,
  }
}
