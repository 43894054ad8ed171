import {
  type Drawing,
  drawing,
  drawingWidth,
  fitText,
  hatch,
  ink,
  linearScale,
  lineBetween,
  type Shape,
  textAt,
} from '@liquidity-os/drawing'
import type { Evaluation } from '../evaluate-windows.ts'
import type { KpiTerms } from '../mandate-terms.ts'
import { type DrawnMandate, verdictColors } from './drawn-mandate.ts'

const rowHeight = 46
const [left, right, top] = [250, drawingWidth - 130, 26]

/** What each promise came to, with what missing data leave open, against its threshold. */
export function drawIntervals({ terms, evaluations, title }: DrawnMandate): Drawing {
  const rows = evaluations.flatMap((evaluation) => {
    const kpi = terms.kpis.find(({ kpiId }) => kpiId === evaluation.kpiId)
    return kpi ? [{ kpi, evaluation }] : []
  })
  const about = {
    id: 'mandate-intervals',
    title: `${title}: what was promised and what it came to`,
    description:
      rows.length === 0
        ? 'Nothing of the period has elapsed.'
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
      ...[one.kpiId, one.window.from, one.window.to, one.pessimistic ?? '', one.optimistic ?? ''],
      ...[`${one.comparator} ${one.threshold}`, one.verdict, one.coveragePips],
    ]),
  }
  if (rows.length === 0) {
    const note = textAt(20, top + 20, 'nothing of the period has elapsed', { color: ink.faint })
    return drawing(about, table, { height: top + 50, shapes: [note] })
  }
  const shapes = rows.flatMap(({ kpi, evaluation }, place) =>
    rowOf(kpi, evaluation, top + place * rowHeight),
  )
  const height = top + rows.length * rowHeight + 24
  const legend = 'bar: from the worst to the best that the gaps leave open · line: the threshold'
  shapes.push(textAt(left, height - 8, legend, { size: 9, color: ink.faint }))
  return drawing(about, table, { height, shapes })
}

function rowOf(kpi: KpiTerms, evaluation: Evaluation, y: number): Shape[] {
  const { pessimistic, optimistic, threshold, verdict, coveragePips, window } = evaluation
  const middle = y + rowHeight / 2
  const color = verdictColors[verdict]
  const span = `${window.from.slice(0, 10)} to ${window.to.slice(0, 16)}${window.isRunning ? ', running' : ''}`
  const words = `${kpi.metric.toLowerCase().replaceAll('_', ' ')}, ${kpi.venueKey}, ${kpi.side.toLowerCase()}`
  const shapes: Shape[] = [
    textAt(20, middle - 8, fitText(kpi.kpiId, 220, 10, true), { isBold: true }),
    textAt(20, middle + 4, fitText(words, 222, 9), { size: 9 }),
    textAt(20, middle + 15, fitText(span, 222, 9), { size: 9, color: ink.faint }),
    textAt(right + 12, middle - 3, verdict, { isBold: true, size: 9, color }),
    textAt(right + 12, middle + 9, `${(coveragePips / 10_000).toFixed(1)} % known`, {
      ...{ size: 9, color: ink.faint },
    }),
    lineBetween({ x: left, y: middle }, { x: right, y: middle }, { color: ink.grid, width: 1 }),
  ]
  const ends = [pessimistic, optimistic].flatMap((value) => (value === null ? [] : [Number(value)]))
  const limit = Number(threshold)
  const most = Math.max(limit, ...ends) * 1.08 || 1
  const scale = linearScale([0, most], [left, right])
  if (ends.length === 2) {
    const [low, high] = [Math.min(...ends), Math.max(...ends)]
    const bar = {
      ...{ x: scale.at(low), y: middle - 6, height: 12 },
      width: Math.max(3, scale.at(high) - scale.at(low)),
    }
    const isOpen = verdict === 'INDETERMINATE'
    shapes.push(
      { kind: 'rect', ...bar, fill: isOpen ? null : color, stroke: { color, width: 1.2 } },
      ...(isOpen ? hatch(bar, color) : []),
    )
  } else {
    shapes.push(
      textAt((left + right) / 2, middle + 3, 'nobody saw it', {
        ...({ anchor: 'middle', size: 9, color: ink.faint, halo: ink.paper } as const),
      }),
    )
  }
  const at = scale.at(limit)
  shapes.push(
    lineBetween(
      { x: at, y: middle - 13 },
      { x: at, y: middle + 13 },
      { color: ink.text, width: 2 },
    ),
    textAt(at, middle - 16, `${kpi.comparator === 'GTE' ? '≥' : '≤'} ${printed(kpi, limit)}`, {
      ...({ anchor: 'middle', size: 9, halo: ink.paper } as const),
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
    ? `${kpiId}: ${verdict}, nothing was seen.`
    : `${kpiId}: ${verdict}, between ${pessimistic} and ${optimistic} against ${comparator} ${threshold}.`
