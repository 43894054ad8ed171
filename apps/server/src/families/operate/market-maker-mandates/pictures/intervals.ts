import {
  type Drawing,
  drawing,
  fitText,
  hatch,
  ink,
  isNarrow,
  letterOn,
  linearScale,
  lineBetween,
  linesOn,
  noteOn,
  type Paper,
  type Shape,
  textAt,
  usualPaper,
  widthOf,
} from '@liquidity-os/drawing'
import type { Evaluation } from '../evaluate-windows.ts'
import type { KpiTerms } from '../mandate-terms.ts'
import { type DrawnMandate, verdictColors } from './drawn-mandate.ts'

const [rowHeight, lineHeight, top] = [46, 16, 26]
const edge = 12

/** Positions of label, bar and verdict in a row: side by side, or stacked on narrow paper. */
function placesOn(paper: Paper) {
  const isStacked = isNarrow(paper)
  const [left, right] = isStacked
    ? [edge, paper.width - edge]
    : [(250 * paper.width) / usualPaper.width, paper.width - 130]
  return { left, right, isStacked, name: isStacked ? edge : 20, paper }
}
type Places = ReturnType<typeof placesOn>

interface Row {
  readonly kpi: KpiTerms
  readonly evaluation: Evaluation
}

/**
 * Lower and upper bound per KPI against its threshold. The gap between the bounds is missing data.
 */
export function drawIntervals({ terms, evaluations, title }: DrawnMandate, paper: Paper): Drawing {
  const rows = evaluations.flatMap((evaluation): Row[] => {
    const kpi = terms.kpis.find(({ kpiId }) => kpiId === evaluation.kpiId)
    return kpi ? [{ kpi, evaluation }] : []
  })
  const about = {
    id: 'mandate-intervals',
    title: `${title}: KPI results vs thresholds`,
    description:
      rows.length === 0
        ? 'The period has not begun.'
        : rows.map(({ evaluation }) => sentenceOf(evaluation)).join(' '),
  }
  const table = {
    columns: [
      'promise',
      'from',
      'to',
      'pessimistic',
      'optimistic',
      'threshold',
      'verdict',
      'coverage',
    ],
    rows: evaluations.map((one) => [
      ...[one.kpiId, one.window.from, one.window.to, one.pessimistic, one.optimistic],
      ...[`${one.comparator} ${one.threshold}`, one.verdict, one.coveragePips],
    ]),
  }
  if (rows.length === 0) {
    const note = textAt(20, top + 20, 'the period has not begun', { color: ink.faint })
    return drawing(about, table, { height: top + 50, shapes: [note] }, paper)
  }
  const places = placesOn(paper)
  let y = top
  const shapes = rows.flatMap((row) => {
    const drawn = rowShapes(row, y, places)
    y += drawn.height
    return drawn.shapes
  })
  const legend = legendAt(y + 16, places)
  shapes.push(...legend.shapes)
  return drawing(about, table, { height: y + 24 + legend.more, shapes }, paper)
}

function legendAt(y: number, { left, paper }: Places) {
  const label = 'bar: lower to upper bound with data gaps · line: threshold'
  const style = { size: 9, color: ink.faint } as const
  return paper.minFontSize === 0
    ? { shapes: [textAt(left, y, label, style)], more: 0 }
    : noteOn(paper, { x: edge, y }, label, style)
}

/** KPI, result and bar of a row; stacked on narrow paper. */
function rowShapes(row: Row, y: number, places: Places): { shapes: Shape[]; height: number } {
  const { left, right, isStacked, name, paper } = places
  if (paper.minFontSize === 0) {
    const middle = y + rowHeight / 2
    return {
      shapes: [...usualWords(row, middle), ...barShapes(row, middle, places)],
      height: rowHeight,
    }
  }
  const words = screenWords(row, { x: name, end: isStacked ? right : left - 14, y: y + 12 }, paper)
  const below = words.more + lineHeight
  if (isStacked) {
    const verdict = verdictShapes(row.evaluation, { x: left, y: y + 12 + below })
    // The threshold is written above its bar.
    const middle = y + 12 + below + 48
    return {
      shapes: [...words.shapes, ...verdict, ...barShapes(row, middle, places)],
      height: middle - y + 30,
    }
  }
  const middle = y + Math.max(rowHeight, below + 14) / 2
  const verdict = verdictShapes(row.evaluation, { x: right + 12, y: middle - 3 })
  return {
    shapes: [...words.shapes, ...verdict, ...barShapes(row, middle, places)],
    height: Math.max(rowHeight, below + 14),
  }
}

/** Labels of a row: KPI, subject and window. */
function wordsOf({ kpi, evaluation: { window } }: Row): readonly [string, string, string] {
  const running = window.isRunning ? ', running' : ''
  return [
    kpi.kpiId,
    `${kpi.metric.toLowerCase().replaceAll('_', ' ')}, ${kpi.venueKey}, ${kpi.side.toLowerCase()}`,
    `${window.from.slice(0, 10)} to ${window.to.slice(0, 16)}${running}`,
  ]
}

function usualWords(row: Row, middle: number): Shape[] {
  const [name, words, span] = wordsOf(row)
  const verdict = { x: usualPaper.width - 130 + 12, y: middle - 3 }
  return [
    textAt(20, middle - 8, fitText(name, 220, 10, true), { isBold: true }),
    textAt(20, middle + 4, fitText(words, 222, 9), { size: 9 }),
    textAt(20, middle + 15, fitText(span, 222, 9), { size: 9, color: ink.faint }),
    ...verdictShapes(row.evaluation, verdict),
  ]
}

function screenWords(
  row: Row,
  { x, end, y }: { readonly x: number; readonly end: number; readonly y: number },
  paper: Paper,
) {
  const [name, words, span] = wordsOf(row)
  let more = 0
  const shapes = (
    [
      [name, { isBold: true }],
      [words, { size: 9 }],
      [span, { size: 9, color: ink.faint }],
    ] as const
  ).flatMap(([text, style], index) => {
    const lines = linesOn(paper, { x, end, y: y + more + index * lineHeight }, text, style)
    more += lines.more
    return lines.shapes
  })
  return { shapes, more: more + 2 * lineHeight }
}

function verdictShapes(
  { verdict, coveragePips }: Evaluation,
  { x, y }: { readonly x: number; readonly y: number },
): Shape[] {
  return [
    textAt(x, y, verdict, { isBold: true, size: 9, color: verdictColors[verdict] }),
    textAt(x, y + 12, `${(coveragePips / 10_000).toFixed(1)} % known`, {
      size: 9,
      color: ink.faint,
    }),
  ]
}

function barShapes({ kpi, evaluation }: Row, middle: number, { left, right, paper }: Places) {
  const { pessimistic, optimistic, threshold, verdict } = evaluation
  const color = verdictColors[verdict]
  const shapes: Shape[] = [
    lineBetween({ x: left, y: middle }, { x: right, y: middle }, { color: ink.grid, width: 1 }),
  ]
  const ends = [pessimistic, optimistic].flatMap((value) => (value === null ? [] : [Number(value)]))
  const limit = Number(threshold)
  const max = Math.max(limit, ...ends) * 1.08 || 1
  const scale = linearScale([0, max], [left, right])
  if (ends.length === 2) {
    const [low, high] = [Math.min(...ends), Math.max(...ends)]
    const bar = {
      x: scale.at(low),
      y: middle - 6,
      height: 12,
      width: Math.max(3, scale.at(high) - scale.at(low)),
    }
    const isOpen = verdict === 'INDETERMINATE'
    shapes.push(
      { kind: 'rect', ...bar, fill: isOpen ? null : color, stroke: { color, width: 1.2 } },
      ...(isOpen ? hatch(bar, color) : []),
    )
  } else {
    shapes.push(
      textAt((left + right) / 2, middle + 3, 'no data', {
        anchor: 'middle',
        size: 9,
        color: ink.faint,
        halo: ink.paper,
      }),
    )
  }
  const at = scale.at(limit)
  const caption = `${kpi.comparator === 'GTE' ? '≥' : '≤'} ${printed(kpi, limit)}`
  // On screen the threshold label stays within the row.
  const half = paper.minFontSize === 0 ? 0 : widthOf(caption, letterOn(paper, 9)) / 2
  const written = half === 0 ? at : Math.min(Math.max(at, left + half), right - half)
  shapes.push(
    lineBetween(
      { x: at, y: middle - 13 },
      { x: at, y: middle + 13 },
      { color: ink.text, width: 2 },
    ),
    textAt(written, middle - 16, caption, {
      anchor: 'middle',
      size: 9,
      halo: ink.paper,
    }),
  )
  return shapes
}

const printed = ({ metric }: KpiTerms, value: number): string =>
  metric.endsWith('_PIPS') ? `${+(value / 10_000).toFixed(2)} %` : `${value.toPrecision(3)} atoms`

const sentenceOf = ({
  kpiId,
  verdict,
  pessimistic,
  optimistic,
  threshold,
  comparator,
}: Evaluation) =>
  pessimistic === null
    ? `${kpiId}: ${verdict}, no data.`
    : `${kpiId}: ${verdict}, ${pessimistic} to ${optimistic}, threshold ${comparator} ${threshold}.`
