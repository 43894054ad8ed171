/**
 * Lowest and highest, in the units of the service: amounts in quote atoms, shares in millionths of
 * the capital.
 */
export interface AmountRange {
  low: string
  high: string
}
export interface PipsRange {
  low: number
  high: number
}

export interface VerdictArm {
  armId: string
  label: string
  isBenchmark: boolean
  netVsHodlQuote: AmountRange
  netVsHodlPips: PipsRange
  vsHodlAprPips: PipsRange | null
  feesQuote: AmountRange
  ilQuote: AmountRange
  costsQuote: AmountRange
  inRangePips: number | null
  depth2MedianQuote: string | null
}

export interface Verdict {
  sentence: string
  arms: readonly VerdictArm[]
}

/** The candidates that provide liquidity, the best lower bound first. */
export const positionsIn = ({ arms }: Verdict): VerdictArm[] =>
  arms
    .filter(({ isBenchmark }) => !isBenchmark)
    .toSorted((a, b) => (BigInt(a.netVsHodlQuote.low) < BigInt(b.netVsHodlQuote.low) ? 1 : -1))

/** A position of one run compared with the same position of the previous run, in quote atoms. */
export interface ComparedPosition {
  armId: string
  label: string
  low: bigint
  /** Null if the run before did not have it. */
  change: bigint | null
  labelBefore: string
}

/** Lower bounds vs HODL and their changes. Includes labels that only the previous run had. */
export function compareVerdicts(now: Verdict, before: Verdict) {
  const earlier = new Map(positionsIn(before).map((arm) => [arm.armId, arm]))
  const rows = positionsIn(now).map(({ armId, label, netVsHodlQuote }): ComparedPosition => {
    const low = BigInt(netVsHodlQuote.low)
    const same = earlier.get(armId)
    earlier.delete(armId)
    const change = same ? low - BigInt(same.netVsHodlQuote.low) : null
    return { armId, label, low, change, labelBefore: same?.label ?? label }
  })
  return { rows, gone: [...earlier.values()].map(({ label }) => label) }
}
