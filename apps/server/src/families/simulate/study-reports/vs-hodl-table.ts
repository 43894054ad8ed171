import type { contract } from '@liquidity-os/contract'
import type { ReportTable } from '../../../drawing/figure.ts'

type Column = ReportTable['columns'][number]
type Cell = ReportTable['rows'][number][number]
type Verdict = Pick<contract.StudyVerdict, 'annualRatesWithheld'>

const title = 'Results vs HODL of the same starting inventory'
const titleEnds = {
  WINDOW_BELOW_7_DAYS: '; no annual rates, because the window is below 7 days',
  WINDOW_UNKNOWN: '; no annual rates, because the window is unknown',
} as const

/** Name of the first row: the alternative that every candidate is compared with. */
export const hodlLabel = 'HODL of the same inventory'

/** A candidate under one flow model, or the means of a simulation. */
export interface VsHodlRow {
  readonly candidate: string
  readonly flowModel: string | null
  readonly vsHodl: string
  /** Bounds of the mean in a simulation. */
  readonly bounds: readonly [low: string, high: string] | null
  readonly fees: string
  readonly il: string
  /** Price gain of later inventories beyond that of the starting inventory. */
  readonly inventoryEffect: string
  /** Shares of the capital. Null in a share of an earlier release. */
  readonly shares: Pick<
    contract.StudyVerdictArm['runs'][number],
    'netVsHodlPips' | 'vsHodlAprPips' | 'feesPips' | 'feeAprPips' | 'ilPips'
  > | null
  readonly inRangePips: number | null
}

const text = (name: string): Column => ({ name, unit: 'TEXT' })
const pips = (name: string): Column => ({ name, unit: 'PIPS' })

/**
 * Results of all candidates vs HODL of their starting inventory, HODL first. Each amount has its
 * share of the capital, unless the amounts are shares already.
 */
export function vsHodlTable(
  rows: readonly VsHodlRow[],
  { unit, annualRatesWithheld }: Verdict & { readonly unit: 'QUOTE_ATOMS' | 'PIPS' },
): ReportTable {
  const hasShares = unit !== 'PIPS'
  const amount = (name: string): Column => ({ name, unit })
  const share = (name: string) => (hasShares ? [pips(`${name} / capital`)] : [])
  // Shares of an earlier release are unknown, and then HODL shows none either.
  const zeroShare = rows.some(({ shares }) => shares !== null) ? 0 : null
  const shared = <Item>(item: Item) => (hasShares ? [item] : [])
  // A fixed position has no effect of later inventories.
  const hasEffect = rows.some(({ inventoryEffect }) => inventoryEffect !== '0')
  const isAnnual = rows.some(({ shares }) => shares !== null && shares.feeAprPips !== null)
  const annualZero = isAnnual ? 0 : null
  const hasBounds = rows.some(({ bounds }) => bounds !== null)
  const zeroBounds = hasBounds ? '0' : null
  const columns = [
    text('candidate'),
    text('flow model'),
    amount('vs HODL'),
    amount('vs HODL, at least'),
    amount('vs HODL, at most'),
    ...share('vs HODL'),
    pips('APR vs HODL'),
    amount('LP fees'),
    ...share('LP fees'),
    pips('fee APR'),
    amount('impermanent loss'),
    ...share('impermanent loss'),
    amount(laterEffect),
    pips('time in range'),
  ]
  const hodl: Cell[] = [
    hodlLabel,
    null,
    '0',
    zeroBounds,
    zeroBounds,
    ...shared(zeroShare),
    annualZero,
    '0',
    ...shared(zeroShare),
    annualZero,
    '0',
    ...shared(zeroShare),
    hasEffect ? '0' : null,
    null,
  ]
  const candidates = rows.map((row): Cell[] => [
    row.candidate,
    row.flowModel,
    row.vsHodl,
    row.bounds?.[0] ?? null,
    row.bounds?.[1] ?? null,
    ...shared(row.shares?.netVsHodlPips ?? null),
    row.shares?.vsHodlAprPips ?? null,
    row.fees,
    ...shared(row.shares?.feesPips ?? null),
    row.shares?.feeAprPips ?? null,
    row.il,
    ...shared(row.shares?.ilPips ?? null),
    hasEffect ? row.inventoryEffect : null,
    row.inRangePips,
  ])
  return {
    id: 'vs-hodl',
    title: `${title}${annualRatesWithheld === null ? '' : titleEnds[annualRatesWithheld]}`,
    columns,
    rows: rows.length === 0 ? [] : [hodl, ...candidates],
  }
}

/** Name of the column of price gains of later inventories. */
export const laterEffect = 'inventory effect of rebalancing'

interface Breakdown {
  readonly hold: string
  readonly exposureDrift: string
}

/**
 * The inventory effect in two parts: that of the starting inventory, and that of later ones beyond
 * it. The second is null if no candidate has one.
 *
 * @param hodlPnl P&L of HODL of the starting inventory; undefined if unknown
 */
export function inventoryEffects(
  { hold, exposureDrift }: Breakdown,
  hodlPnl: string | undefined,
): readonly [start: string, later: string] {
  if (hodlPnl === undefined) return [exposureDrift, '0']
  const start = BigInt(hodlPnl) - BigInt(hold)
  return [`${start}`, `${BigInt(exposureDrift) - start}`]
}

/** HODL of each distinct starting inventory: its P&L, and the candidates that start with it. */
export function hodlRows<Run extends { readonly label: string; readonly hodlPnl: string }>(
  runs: readonly Run[],
): { readonly label: string; readonly of: Run }[] {
  const byPnl = [...Map.groupBy(runs, ({ hodlPnl }) => hodlPnl).values()]
  return byPnl.flatMap((same) => {
    const [of] = same
    if (!of) return []
    const names = [...new Set(same.map(({ label }) => label))].join(', ')
    return [
      { label: byPnl.length === 1 ? hodlLabel : cut(`HODL of the inventory of ${names}`), of },
    ]
  })
}

const maxCell = 500
const cut = (label: string) => (label.length > maxCell ? `${label.slice(0, maxCell - 1)}…` : label)

/** Why a study has no annual rates; null if it has them. */
export function annualRatesText({ annualRatesWithheld }: Verdict): string | null {
  switch (annualRatesWithheld) {
    case 'WINDOW_BELOW_7_DAYS':
      return 'No fee APR and no APR vs HODL: the window is shorter than 7 days.'
    case 'WINDOW_UNKNOWN':
      return 'No fee APR and no APR vs HODL: the record does not state the length of the window.'
    case null:
      return null
  }
}
