import { amountColors, ink, lineBetween, type Paper, type Shape } from '@liquidity-os/drawing'
import { differenceWords, valueWords } from '../document/words.ts'
import type { Pack } from '../pack-types.ts'

export type Row = Pack['comparison']['rows'][number]
type ComparedOption = Pack['comparison']['options'][number]

export const edge = 6

export interface ShownRows {
  readonly rows: readonly Row[]
  /** Empty if all are drawn. */
  readonly more: string
  readonly paper: Paper
}

/** Role of an option in the decision; empty for an ordinary option. */
export function describeRole(
  { outcome, recommendation }: Pack,
  { optionId, statusQuo }: Pack['options'][number],
): string {
  if (outcome?.optionId === optionId) return 'approved'
  if (recommendation?.optionId === optionId) return 'recommended'
  return statusQuo ? 'status quo' : ''
}

export const ruleAt = (y: number, paper: Paper): Shape =>
  lineBetween({ x: edge, y }, { x: paper.width - edge, y }, { color: ink.grid, width: 0.8 })

/**
 * True if an alternative breaches a limit of a figure.
 *
 * @param place index of the alternative, from 0
 */
export const breaksAt = ({ comparison }: Pack, { metricId }: Row, index: number): boolean =>
  comparison.options[index]?.breaks.some((one) => one.metricId === metricId) ?? false

/**
 * Cell text: the value and its difference from the status quo. The status quo has no difference.
 */
export function cellWords(
  pack: Pack,
  row: Row,
  index: number,
): { readonly value: string; readonly distance: string } {
  const cell = row.cells[index]
  const isQuiet = pack.options[index]?.statusQuo ?? false
  return {
    value: valueWords(pack, row, cell?.value ?? null),
    distance: isQuiet ? '' : differenceWords(pack, row, cell?.difference ?? null),
  }
}

/** A cross marks a broken limit, a diamond the best value. */
export function cellMark(
  { isBroken, isBest }: { isBroken: boolean; isBest: boolean },
  x: number,
  y: number,
): Shape[] {
  if (isBroken) return [mark(x, y, 'cross', amountColors.loss)]
  return isBest ? [mark(x, y, 'diamond', amountColors.gain)] : []
}

const mark = (x: number, y: number, form: 'cross' | 'diamond', color: string): Shape => ({
  kind: 'mark',
  form,
  x,
  y,
  size: 6,
  color,
  isHollow: false,
})

export const supportWords = ({ supportPips }: ComparedOption): string =>
  supportPips === null ? '–' : `${supportPips / 10_000} %`

/** Labels of the alternatives that dominate this one. */
export const betterThan = ({ options }: Pack, { dominatedBy }: ComparedOption): string =>
  dominatedBy
    .map((id) => options.find(({ optionId }) => optionId === id)?.label ?? id)
    .join(', ') || '–'
