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
  hodlPnlQuote: AmountRange
  feesQuote: AmountRange
  feesPips: PipsRange
  feeAprPips: PipsRange | null
  ilQuote: AmountRange
  ilPips: PipsRange
  inventoryEffectQuote: AmountRange
  costsQuote: AmountRange
  costsPips: PipsRange
  inRangePips: number | null
  depth2MedianQuote: string | null
}

export interface Verdict {
  sentence: string
  annualRatesWithheld: 'WINDOW_BELOW_7_DAYS' | 'WINDOW_UNKNOWN' | null
  hodl: { pnlQuote: AmountRange; pnlPips: PipsRange } | null
  arms: readonly VerdictArm[]
}

/** A row of the table vs HODL: HODL of the same inventory, or a position. */
export type VerdictRow = Omit<VerdictArm, 'isBenchmark' | 'inRangePips' | 'depth2MedianQuote'> & {
  /** Null for HODL, which provides no liquidity. */
  inRangePips: number | null
  depth2MedianQuote: string | null
}

const noAmount: AmountRange = { low: '0', high: '0' }
const noShare: PipsRange = { low: 0, high: 0 }

/** HODL of the same inventory first, then the positions. Empty without positions. */
export function rowsOf(verdict: Verdict): VerdictRow[] {
  const { hodl, annualRatesWithheld } = verdict
  if (hodl === null) return []
  const rate = annualRatesWithheld === null ? noShare : null
  const first: VerdictRow = {
    armId: '',
    label: 'HODL of the same inventory',
    netVsHodlQuote: noAmount,
    netVsHodlPips: noShare,
    vsHodlAprPips: rate,
    hodlPnlQuote: hodl.pnlQuote,
    feesQuote: noAmount,
    feesPips: noShare,
    feeAprPips: rate,
    ilQuote: noAmount,
    ilPips: noShare,
    inventoryEffectQuote: noAmount,
    costsQuote: noAmount,
    costsPips: noShare,
    inRangePips: null,
    depth2MedianQuote: null,
  }
  return [first, ...positionsIn(verdict)]
}

/** Why the table has no annual rates; null if it has them. */
export function annualRatesNote({ annualRatesWithheld }: Verdict): string | null {
  switch (annualRatesWithheld) {
    case 'WINDOW_BELOW_7_DAYS':
      return 'No fee APR and no APR vs HODL: the window is shorter than 7 days.'
    case 'WINDOW_UNKNOWN':
      return 'No fee APR and no APR vs HODL: the record does not state the window.'
    case null:
      return null
  }
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
