import {
  type Drawing,
  drawing,
  drawingWidth,
  hatch,
  ink,
  lineBetween,
  type Shape,
  textAt,
} from '@liquidity-os/drawing'
import { cutSpans, daysOf, secondsOf } from '@liquidity-os/engine/mandates'
import { hourSeconds } from '../../../../units.ts'
import { readExact } from '../batch-measures.ts'
import type { DaySums } from '../day-sums.ts'
import { dayText } from '../mandate-terms.ts'
import { type DrawnMandate, verdictColors } from './drawn-mandate.ts'

const [left, top, rowHeight] = [70, 46, 13]
const gap = 36
const panel = (drawingWidth - left - 20 - gap) / 2
const cell = panel / 24

type State = 'met' | 'broken' | 'unknown' | 'excluded' | 'ahead'

/**
 * The hours of a month, each side by itself: green where the side was quoted as promised in at least the promised share of the hour,
 * red where it was not, hatched where less of it is known than the promise needs.
 */
export function drawHours({ terms, month, days, asOf }: DrawnMandate): Drawing {
  const place = terms.kpis.findIndex(({ metric }) => metric === 'UPTIME_PIPS')
  const kpi = terms.kpis[place]
  const about = { id: 'mandate-hours', title: 'Quoted hour by hour' }
  const columns = ['day', 'hour', 'bid', 'ask']
  if (!kpi) {
    const words = 'No uptime was promised, so no hour is drawn.'
    const note = textAt(20, 30, words, { color: ink.faint })
    return drawing(
      { ...about, description: words },
      { columns, rows: [] },
      {
        ...{ height: 50, shapes: [note] },
      },
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
      ...{ day, hour, bid: stateOf(day, hour, 'bid'), ask: stateOf(day, hour, 'ask') },
    })),
  )
  const count = (state: State) =>
    cells.filter(({ bid, ask }) => bid === state || ask === state).length
  const shapes = sides.flatMap((side, index): Shape[] => {
    const x = left + index * (panel + gap)
    return [
      textAt(x, 18, side === 'bid' ? 'bids' : 'asks', { isBold: true }),
      ...[0, 6, 12, 18, 24].map((hour) =>
        textAt(x + hour * cell, top - 6, `${hour}`, {
          ...({ anchor: 'middle', size: 9, color: ink.faint } as const),
        }),
      ),
      ...cells.flatMap((one) => {
        const row = begins.indexOf(one.day)
        return cellOf(one[side], x + one.hour * cell, top + row * rowHeight)
      }),
    ]
  })
  for (const [row, day] of begins.entries()) {
    shapes.push(
      textAt(left - 8, top + row * rowHeight + 9, dayText(day).slice(5), {
        ...({ anchor: 'end', size: 9, color: ink.faint } as const),
      }),
    )
  }
  const bottom = top + begins.length * rowHeight + 22
  shapes.push(...legend(bottom))
  const description = `${kpi.kpiId} of ${kpi.venueKey}: of ${cells.length} hours ${count('broken')} are broken on a side, ${count('unknown')} not known enough.`
  return drawing(
    { ...about, description },
    { columns, rows: cells.map(({ day, hour, bid, ask }) => [dayText(day), hour, bid, ask]) },
    { height: bottom + 12, shapes },
  )
}

function cellOf(state: State, x: number, y: number): Shape[] {
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

function legend(y: number): Shape[] {
  const said: readonly [State, string][] = [
    ['met', 'quoted as promised'],
    ['broken', 'not'],
    ['unknown', 'not known enough'],
    ['excluded', 'excluded'],
    ['ahead', 'not yet'],
  ]
  return said.flatMap(([state, text], place) => {
    const x = left + place * 130
    return [
      ...cellOf(state, x, y - 9),
      textAt(x + cell + 5, y, text, { size: 9, color: ink.faint }),
    ]
  })
}
