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
import { daysOf } from '@liquidity-os/engine/mandates'
import { type HourState, hourStates, uptimeKpiOf } from '../hour-states.ts'
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

/**
 * Hourly uptime of the last days per side. Green hours meet the threshold, red hours miss it. Hatched
 * hours have less data than the KPI requires.
 */
export function drawHours(mandate: DrawnMandate, paper: Paper): Drawing {
  const { terms, recent } = mandate
  const kpi = uptimeKpiOf(terms)
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
  const begins = daysOf(recent)
  const sides = ['bid', 'ask'] as const
  const cells = hourStates(mandate, recent)
  const count = (state: HourState) =>
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
  const elapsed = cells.length - count('AHEAD')
  const description = `Of ${elapsed} hours, ${count('BREACHED')} breached on a side and ${count('GAP')} with a data gap. KPI: ${kpi.kpiId}, ${kpi.venueKey === 'ALL' ? 'all venues' : kpi.venueKey}.`
  return drawing(
    { ...about, description },
    {
      columns,
      rows: cells.map(({ day, hour, bid, ask }) => [
        dayText(day),
        hour,
        stateLabels[bid],
        stateLabels[ask],
      ]),
    },
    { height: bottom + 12 + key.more, shapes },
    paper,
  )
}

const stateLabels: Readonly<Record<HourState, string>> = {
  MET: 'met',
  BREACHED: 'breached',
  GAP: 'data gap',
  EXCLUDED: 'excluded',
  AHEAD: 'not yet',
}

function cellOf(state: HourState, { x, y }: Point, cell: number): Shape[] {
  const box = { x, y, width: cell - 1, height: rowHeight - 2 }
  const stroke = { color: ink.grid, width: 0.6 }
  switch (state) {
    case 'MET':
      return [{ kind: 'rect', ...box, fill: verdictColors.MET }]
    case 'BREACHED':
      return [
        { kind: 'rect', ...box, fill: verdictColors.BREACHED },
        lineBetween(
          { x, y },
          { x: x + box.width, y: y + box.height },
          { color: ink.paper, width: 1 },
        ),
      ]
    case 'GAP':
      return [
        { kind: 'rect', ...box, fill: null, stroke },
        ...hatch(box, verdictColors.INDETERMINATE, 4),
      ]
    case 'EXCLUDED':
      return [{ kind: 'rect', ...box, fill: ink.grid }]
    case 'AHEAD':
      return [{ kind: 'rect', ...box, fill: null, stroke }]
  }
}

function legendKeys(left: number, y: number, cell: number): Shape[][] {
  const states = Object.entries(stateLabels) as [HourState, string][]
  return states.map(([state, text], index) => {
    const x = left + index * 130
    return [
      ...cellOf(state, { x, y: y - 9 }, cell),
      textAt(x + cell + 5, y, text, { size: 9, color: ink.faint }),
    ]
  })
}
