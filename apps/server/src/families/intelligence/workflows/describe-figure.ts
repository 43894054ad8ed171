import type { contract } from '@liquidity-os/contract'
import { decimalText } from '../../../reports/cell-text.ts'
import {
  type Analysis,
  amountText,
  nameOfPool,
  namesIn,
  priceText,
} from '../../../reports/token/token-words.ts'

export type Run = contract.WorkflowRun
export type Finding = Run['sections'][number]['findings'][number]
export type Figure = Finding['figures'][number]

/** A run with the observations of its subjects, in order; null for a missing one. */
export interface DrawnRun {
  readonly run: Run
  readonly analyses: readonly (Analysis | null)[]
}

export interface FigureText {
  /** Name of the figure, and of its subject if the run has two. */
  readonly what: string
  readonly value: string
}

/** Display form of a figure: value with unit, and its source. */
export function describeFigure(figure: Figure, { run, analyses }: DrawnRun): FigureText {
  const { pointer, subject } = figure
  const analysis = subject === null ? null : (analyses[subject] ?? null)
  const whose = subject !== null && run.subjects.length > 1 ? `${subject + 1}: ` : ''
  const what = `${whose}${placeOf(pointer, analysis)}`
  return { what, value: valueText(figure, run, analysis) }
}

const poolPattern = /^\/pools\/(\d+)\/(\w+)$/

/** A pool of an analysis and the name of its figure; null for any other pointer. */
function poolAt(pointer: string, analysis: Analysis | null) {
  const [, place, name = ''] = poolPattern.exec(pointer) ?? []
  const pool = place === undefined ? undefined : analysis?.pools[Number(place)]
  return analysis && pool ? { analysis, pool, name } : null
}

const poolFigures: Readonly<Record<string, string>> = {
  heldBase: 'token held',
  heldQuote: 'quote held',
  reserveBase: 'token payout capacity',
  reserveQuote: 'quote payout capacity',
  midX36: 'price',
}

function placeOf(pointer: string, analysis: Analysis | null): string {
  if (pointer === '') return 'computed'
  const found = poolAt(pointer, analysis)
  if (found) return `${poolFigures[found.name] ?? found.name}, ${nameOfPool(found.pool)}`
  return pointer
    .split('/')
    .filter((part) => part !== '' && part !== 'value')
    .map((part) => part.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase())
    .join(', ')
}

function valueText({ pointer, unit, value }: Figure, run: Run, analysis: Analysis | null): string {
  if (unit === 'PIPS') return `${decimalText(BigInt(value), 4)} %`
  if (unit === 'TEXT') return /^[A-Z][A-Z0-9_]+$/.test(value) ? codeText(value) : value
  if (unit === 'COUNT') return value
  const found = poolAt(pointer, analysis)
  if (unit === 'X36') {
    const price = found ? priceText(value, found.analysis, found.pool) : null
    return found && price !== null ? `${price} ${namesIn(found.analysis, found.pool).quote}` : value
  }
  if (found && /Quote$/.test(found.name)) {
    return amountText(value, found.pool.quote.decimals, namesIn(found.analysis, found.pool).quote)
  }
  const isOfToken = found !== null || /totalSupply/.test(pointer) || run.workflow === 'EXIT_SCALE'
  if (!isOfToken || !analysis) return `${decimalText(BigInt(value), 0)} atoms`
  const { decimals, symbol } = analysis.token
  return amountText(value, decimals.value, symbol.value ?? 'tokens')
}

const codeText = (code: string): string => code.toLowerCase().replaceAll('_', ' ')
