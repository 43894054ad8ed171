import {
  type Drawing,
  drawing,
  flowedKeys,
  hatch,
  ink,
  isNarrow,
  lineBetween,
  noteOn,
  type Paper,
  type Point,
  type Shape,
  textAt,
} from '@liquidity-os/drawing'
import { cutSpans, daysOf, secondsOf } from '@liquidity-os/engine/mandates'
import { hourSeconds } from '../../../../units.ts'
import { readExact } from '../batch-measures.ts'
import type { DaySums } from '../day-sums.ts'
import { dayText } from '../mandate-terms.ts'
import { type DrawnMandate, verdictColors } from './drawn-mandate.ts'

const [top, rowHeight] = [46, 13]
const gap = 36

/** Panels of both sides: side by side, or stacked on narrow paper. */
function panelsOn(paper: Paper, days: number) {
  const panelHeight = top + days * rowHeight
  if (isNarrow(paper)) {
    const left = 50
    const cell = (paper.width - left - 14) / 24
    const panels = [0, panelHeight].map((drop) => ({ x: left, drop }))
    return { panels, cell, left, height: 2 * panelHeight }
  }
  const left = 70
  const panel = (paper.width - left - 20 - gap) / 2
  const panels = [0, panel + gap].map((along) => ({ x: left + along, drop: 0 }))
  return { panels, cell: panel / 24, left, height: panelHeight }
}

type State = 'met' | 'broken' | 'unknown' | 'excluded' | 'ahead'

/**
 * Hourly uptime of a month per side. Green hours meet the threshold, red hours miss it. Hatched
 * hours have less data than the KPI requires.
 */
export function drawHours({ terms, month, days, asOf }: DrawnMandate, paper: Paper): Drawing {
  const place = terms.kpis.findIndex(({ metric }) => metric === 'UPTIME_PIPS')
  const kpi = terms.kpis[place]
  const about = { id: 'mandate-hours', title: 'Uptime by hour' }
  const columns = ['day', 'hour', 'bid', 'ask']
  if (!kpi) {
    const words = 'The mandate has no uptime KPI.'
    const note = noteOn(paper, { x: 20, y: 30 }, words, { color: ink.faint })
    return drawing(
      { ...about, description: words },
      { columns, rows: [] },
      { height: 50 + note.more, shapes: note.shapes },
      paper,
    )
  }
  const known = new Map(
    days.map(({ day, bytes }) => [day, readExact<DaySums>(bytes).kpis[place]?.hours ?? null]),
  )
  const stateOf = (day: number, hour: number, side: 'bid' | 'ask'): State => {
    const span = { from: day + hour * hourSeconds, to: day + (hour + 1) * hourSeconds }
    if (span.from >= asOf || span.to <= month.from || span.from >= month.to) return 'ahead'
    const away = secondsOf(cutSpans(terms.exclusions, span))
    const counted = Math.min(span.to, asOf) - span.from - away
    if (counted <= 0) return 'excluded'
    const hours = known.get(day)
    const seen = hours?.known[hour] ?? 0
    const quoted = hours?.[side][hour] ?? 0
    const promised = Number(kpi.threshold) / 1_000_000
    if (kpi.comparator === 'GTE' && (quoted + counted - seen) / counted < promised) return 'broken'
    if (seen / counted < kpi.minimumCoveragePips / 1_000_000) return 'unknown'
    const isMet = kpi.comparator === 'GTE' ? quoted / seen >= promised : quoted / seen <= promised
    return isMet ? 'met' : 'broken'
  }
  const begins = daysOf(month)
  const sides = ['bid', 'ask'] as const
  const cells = begins.flatMap((day) =>
    Array.from({ length: 24 }, (_, hour) => ({
      day,
      hour,
      bid: stateOf(day, hour, 'bid'),
      ask: stateOf(day, hour, 'ask'),
    })),
  )
  const count = (state: State) =>
    cells.filter(({ bid, ask }) => bid === state || ask === state).length
  const { panels, cell, left, height } = panelsOn(paper, begins.length)
  const shapes = sides.flatMap((side, index): Shape[] => {
    // Each side has its panel.
    const { x, drop } = panels[index]!
    return [
      textAt(x, drop + 18, side === 'bid' ? 'bids' : 'asks', { isBold: true }),
      ...[0, 6, 12, 18, 24].map((hour) =>
        textAt(x + hour * cell, drop + top - 6, `${hour}`, {
          anchor: 'middle',
          size: 9,
          color: ink.faint,
        }),
      ),
      ...cells.flatMap((one) => {
        const row = begins.indexOf(one.day)
        return cellOf(one[side], { x: x + one.hour * cell, y: drop + top + row * rowHeight }, cell)
      }),
    ]
  })
  for (const drop of new Set(panels.map((one) => one.drop))) {
    for (const [row, day] of begins.entries()) {
      shapes.push(
        textAt(left - 8, drop + top + row * rowHeight + 9, dayText(day).slice(5), {
          anchor: 'end',
          size: 9,
          color: ink.faint,
        }),
      )
    }
  }
  const bottom = height + 22
  const key = flowedKeys(legendKeys(left, bottom, cell), paper)
  shapes.push(...key.shapes)
  const description = `${kpi.kpiId} of ${kpi.venueKey}: of ${cells.length} hours, ${count('broken')} miss the threshold on a side and ${count('unknown')} lack data.`
  return drawing(
    { ...about, description },
    { columns, rows: cells.map(({ day, hour, bid, ask }) => [dayText(day), hour, bid, ask]) },
    { height: bottom + 12 + key.more, shapes },
    paper,
  )
}

function cellOf(state: State, { x, y }: Point, cell: number): Shape[] {
  const box = { x, y, width: cell - 1, height: rowHeight - 2 }
  const stroke = { color: ink.grid, width: 0.6 }
  switch (state) {
    case 'met':
      return [{ kind: 'rect', ...box, fill: verdictColors.MET }]
    case 'broken':
      return [
        { kind: 'rect', ...box, fill: verdictColors.BREACHED },
        lineBetween(
          { x, y },
          { x: x + box.width, y: y + box.height },
          { color: ink.paper, width: 1 },
        ),
      ]
    case 'unknown':
      return [
        { kind: 'rect', ...box, fill: null, stroke },
        ...hatch(box, verdictColors.INDETERMINATE, 4),
      ]
    case 'excluded':
      return [{ kind: 'rect', ...box, fill: ink.grid }]
    case 'ahead':
      return [{ kind: 'rect', ...box, fill: null, stroke }]
  }
}

function legendKeys(left: number, y: number, cell: number): Shape[][] {
  const label: readonly [State, string][] = [
    ['met', 'threshold met'],
    ['broken', 'not'],
    ['unknown', 'insufficient data'],
    ['excluded', 'excluded'],
    ['ahead', 'not yet'],
  ]
  return label.map(([state, text], index) => {
    const x = left + index * 130
    return [
      ...cellOf(state, { x, y: y - 9 }, cell),
      textAt(x + cell + 5, y, text, { size: 9, color: ink.faint }),
    ]
  })
}
