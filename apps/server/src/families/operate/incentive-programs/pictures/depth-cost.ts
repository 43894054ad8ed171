import {
  type Drawing,
  drawing,
  emptyNotes,
  frameOf,
  lineBetween,
  type NamedRows,
  namedRows,
  noteOn,
  numberAxis,
  type Paper,
  printShort,
  type Shape,
  styleOf,
  textAt,
  wordsAbove,
} from '@liquidity-os/drawing'
import {
  type DrawnProgram,
  drawsOf,
  isMeasured,
  marketOf,
  responseTo,
  rewardPerDay,
  venueWords,
} from './drawn-program.ts'

const wide = { left: 130, rightMargin: 160, height: 32 } as const
const thousand = 1000

interface Row {
  readonly venueId: string
  readonly low: number
  readonly middle: number
  /** Null if some draws buy no depth. */
  readonly high: number | null
}

/** Cost of 1,000 quote of depth within 2 % per day: forecast by venue, and measured overall. */
export function drawDepthCost(program: DrawnProgram, paper: Paper): Drawing {
  const named = namedRows(paper, wide)
  const { left, right } = named
  const rows = program.payload.result.allocation.flatMap(
    ({ venueId }, index) => rowOf(program, venueId, index) ?? [],
  )
  const pips = program.evaluations.at(-1)?.costPerDepthDayPips ?? null
  const measured = pips === null ? null : (pips * thousand) / 1_000_000
  const legend = legendOn(paper, left, isMeasured(program), named.isNarrow ? measured : null)
  const top = 56 + legend.more
  const box = {
    x: left,
    y: top,
    width: right - left,
    height: Math.max(2, rows.length) * named.height,
  }
  const x = numberAxis(
    [
      ...[0, ...rows.flatMap(({ low, middle, high }) => [low, middle, high ?? middle * 1.2])],
      ...(measured === null ? [] : [measured]),
    ],
    [left, right],
    {
      title: 'quote tokens per 1,000 of 2 % depth, per day',
      count: named.isNarrow ? 3 : 5,
    },
  )
  const bars = rows.flatMap((row, index) =>
    rowShapes(row, top + index * named.height, named, x.scale.at),
  )
  const line = measured === null ? [] : measuredLine(x.scale.at(measured), measured, box, named)
  const shapes: Shape[] = [
    ...frameOf(box, x, { scale: x.scale, ticks: [], title: '' }),
    ...bars,
    ...line,
    ...legend.shapes,
  ]
  return drawing(
    {
      id: 'incentive-depth-cost',
      title: 'Cost of depth by venue',
      description:
        rows
          .map(({ venueId, middle }) => `${venueWords(venueId)}: ${printShort(middle)}.`)
          .join(' ') || 'No rewarded venues.',
    },
    {
      columns: ['venueId', 'lowQuote', 'middleQuote', 'highQuote'],
      rows: rows.map(({ venueId, low, middle, high }) => [venueId, low, middle, high]),
    },
    {
      height: box.y + box.height + 46,
      shapes: rows.length === 0 ? emptyNotes(box, 'No rewarded venues.') : shapes,
    },
    paper,
  )
}

function rowOf(program: DrawnProgram, venueId: string, index: number): Row | null {
  const market = marketOf(program, index)
  const reward = rewardPerDay(program, index)
  if (!market || reward === 0) return null
  const { days } = program.payload.request
  const costs = drawsOf(program, index)
    .map((draw) => {
      const { depthDays } = responseTo(market, draw, reward, days)
      return depthDays > 0 ? (reward * days * thousand) / depthDays : Infinity
    })
    .toSorted((a, b) => a - b)
  const at = (share: number) => costs[Math.min(costs.length - 1, Math.floor(share * costs.length))]!
  const [low, middle, high] = [at(0.1), at(0.5), at(0.9)]
  if (!Number.isFinite(middle)) return null
  return { venueId, low, middle, high: Number.isFinite(high) ? high : null }
}

function rowShapes(
  { venueId, low, middle, high }: Row,
  y: number,
  named: NamedRows,
  at: (value: number) => number,
): Shape[] {
  const { color } = styleOf(0)
  const line = y + named.drop + (named.isNarrow ? 6 : 16)
  const [left, right] = [at(low), high === null ? named.right : at(high)]
  const name = venueWords(venueId)
  const value = `${printShort(low)} to ${high === null ? 'any' : printShort(high)}`
  const bar: Shape[] = [
    lineBetween({ x: left, y: line }, { x: right, y: line }, { color, width: 3 }),
    { kind: 'mark', form: 'circle', x: at(middle), y: line, size: 9, color, isHollow: false },
  ]
  if (named.isNarrow) {
    return [...bar, ...wordsAbove(named, { name, value, top: line - 6 })]
  }
  return [
    textAt(named.left - 10, line + 3.5, name, { anchor: 'end', size: 10.5 }),
    ...bar,
    textAt(named.right + 14, line + 3.5, value, { size: 10.5 }),
  ]
}

const measuredStroke = { color: styleOf(1).color, width: 1.4, dash: [5, 3] } as const
const measuredWords = (value: number) => `measured overall: ${printShort(value)}`

/**
 * A line across the chart with its label on top. On narrow paper, labels are between the bars, so
 * the line is drawn at each bar only.
 */
function measuredLine(
  x: number,
  value: number,
  { y, height }: { y: number; height: number },
  named: NamedRows,
): Shape[] {
  if (named.isNarrow) {
    const rows = Math.round(height / named.height)
    return Array.from({ length: rows }, (_, index) => {
      const bar = y + index * named.height + named.drop + 6
      return lineBetween({ x, y: bar - 5 }, { x, y: bar + 9 }, { ...measuredStroke, dash: [] })
    })
  }
  return [
    lineBetween({ x, y }, { x, y: y + height }, measuredStroke),
    textAt(x, y - 5, measuredWords(value), {
      color: measuredStroke.color,
      size: 9.5,
      anchor: 'middle',
    }),
  ]
}

function legendOn(
  paper: Paper,
  left: number,
  isKnown: boolean,
  measured: number | null,
): { readonly shapes: Shape[]; readonly more: number } {
  const { color } = styleOf(0)
  const words = isKnown
    ? 'middle and 10–90 % of draws'
    : 'if half (10–90 %) of the yield-driven liquidity arrives; a pilot measures it'
  const label = noteOn(paper, { x: left + 34, y: 19.5 }, words)
  const below = 19.5 + label.more + 18
  const known: Shape[] =
    measured === null
      ? []
      : [
          lineBetween(
            { x: left + 13, y: below - 10 },
            { x: left + 13, y: below + 3 },
            { ...measuredStroke, dash: [] },
          ),
          textAt(left + 34, below, measuredWords(measured)),
        ]
  return {
    shapes: [
      lineBetween({ x: left, y: 16 }, { x: left + 26, y: 16 }, { color, width: 3 }),
      { kind: 'mark', form: 'circle', x: left + 13, y: 16, size: 8, color, isHollow: false },
      ...label.shapes,
      ...known,
    ],
    more: label.more + (measured === null ? 0 : 18),
  }
}
