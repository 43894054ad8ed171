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
import { type HourState, hourStates, type MandateHour, uptimeKpiOf } from '../hour-states.ts'
import { dayText } from '../mandate-terms.ts'
import { type DrawnMandate, verdictColors } from './drawn-mandate.ts'

const top = 46
const gap = 36
/** From this number of days on, rows are low and each seventh day has a label. */
const compactDays = 45
const daysOfLabel = 7

const isCompact = (days: number) => days >= compactDays
const rowHeightOf = (days: number) => (isCompact(days) ? 6 : 13)

/** Panels of both sides: side by side, or stacked on narrow paper. */
function panelsOn(paper: Paper, days: number) {
  const panelHeight = top + days * rowHeightOf(days)
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
  const rowHeight = rowHeightOf(begins.length)
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
      ...blocksOf(cells, side, isCompact(begins.length)).flatMap(({ state, hours, days }) =>
        blockOf(state, {
          x: x + hours.from * cell,
          y: drop + top + days.from * rowHeight,
          width: (hours.to - hours.from) * cell - 1,
          height: (days.to - days.from) * rowHeight - (isCompact(begins.length) ? 1 : 2),
        }),
      ),
    ]
  })
  for (const drop of new Set(panels.map((one) => one.drop))) {
    for (const [row, day] of begins.entries()) {
      if (isCompact(begins.length) && (begins.length - 1 - row) % daysOfLabel !== 0) continue
      shapes.push(
        textAt(left - 8, drop + top + row * rowHeight + rowHeight / 2 + 3, dayText(day).slice(5), {
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

interface Block {
  readonly state: HourState
  /** Half-open ranges of hours and of rows. */
  readonly hours: { readonly from: number; readonly to: number }
  readonly days: { readonly from: number; readonly to: number }
}

/** States without a measurement: equal hours of consecutive days form one block. */
const unmeasured: ReadonlySet<HourState> = new Set(['GAP', 'EXCLUDED', 'AHEAD'])

/**
 * Cells of one side as blocks: one per hour, or on a compact chart one per run of equal hours. Runs
 * keep the number of shapes small.
 */
export function blocksOf(
  cells: readonly MandateHour[],
  side: 'bid' | 'ask',
  isJoined: boolean,
): Block[] {
  const days = [...Map.groupBy(cells, ({ day }) => day).values()]
  const blocks: Block[] = []
  for (const [row, hours] of days.entries()) {
    for (const { state, from, to } of runsOf(hours, side, isJoined)) {
      const above = isJoined && unmeasured.has(state) ? blocks.findIndex(isAbove) : -1
      const first = blocks[above]?.days.from ?? row
      const block = { state, hours: { from, to }, days: { from: first, to: row + 1 } }
      if (above >= 0) blocks[above] = block
      else blocks.push(block)

      function isAbove({ state: other, hours: span, days: rows }: Block): boolean {
        return rows.to === row && other === state && span.from === from && span.to === to
      }
    }
  }
  return blocks
}

function runsOf(hours: readonly MandateHour[], side: 'bid' | 'ask', isJoined: boolean) {
  const runs: { state: HourState; from: number; to: number }[] = []
  for (const { hour, [side]: state } of hours) {
    const last = runs.at(-1)
    if (isJoined && last?.state === state && last.to === hour) last.to = hour + 1
    else runs.push({ state, from: hour, to: hour + 1 })
  }
  return runs
}

interface Box extends Point {
  readonly width: number
  readonly height: number
}

function blockOf(state: HourState, box: Box): Shape[] {
  const { x, y, width, height } = box
  const stroke = { color: ink.grid, width: 0.6 }
  switch (state) {
    case 'MET':
      return [{ kind: 'rect', ...box, fill: verdictColors.MET }]
    case 'BREACHED':
      return [
        { kind: 'rect', ...box, fill: verdictColors.BREACHED },
        lineBetween({ x, y }, { x: x + width, y: y + height }, { color: ink.paper, width: 1 }),
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
      ...blockOf(state, { x, y: y - 9, width: cell - 1, height: 11 }),
      textAt(x + cell + 5, y, text, { size: 9, color: ink.faint }),
    ]
  })
}
