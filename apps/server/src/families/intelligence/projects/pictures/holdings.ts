import {
  columnsOn,
  type Drawing,
  drawing,
  emptyNote,
  extentOf,
  ink,
  linearScale,
  lineBetween,
  type Paper,
  type Shape,
  styleOf,
  type TableCell,
  textAt,
} from '@liquidity-os/drawing'
import {
  amountText,
  minuteOf,
  nameOfPool,
  namesIn,
  type Pool,
} from '../../../../reports/token/token-words.ts'
import type { DrawnProject } from './drawn.ts'

const poolsShown = 8
const [top, rowHeight, lineHeight] = [52, 50, 26]
const columns = { name: [16, 236], held: [530, 744], course: [250, 520] } as const

interface Held {
  readonly at: number
  /** Quote atoms; null if unreadable. */
  readonly atoms: string | null
}

/** Quote balance per pool in the newest observation, with its history on an axis from zero. */
export function drawHoldings({ readings }: DrawnProject, paper: Paper): Drawing {
  const newest = readings.at(-1)
  const pools = newest?.analysis.pools.slice(0, poolsShown) ?? []
  const rows = pools.map((pool) => ({ pool, course: courseOf(readings, pool.address) }))
  const hidden = (newest?.analysis.pools.length ?? 0) - pools.length
  const about = {
    id: 'project-holdings',
    title: 'Pool holdings over time',
    description:
      newest === undefined || pools.length === 0
        ? 'No pool found.'
        : `${pools.map((pool) => `${nameOfPool(pool)} holds ${heldText(pool, namesIn(newest.analysis, pool).quote)}`).join('; ')}. Holdings do not show the result of a trade.`,
  }
  const table = {
    columns: ['pool', 'quote asset', 'read at', 'held, atoms of the quote asset'],
    rows: rows.flatMap(({ pool, course }) =>
      course.map(({ at, atoms }) => [
        ...[nameOfPool(pool), pool.quote.assetKey, new Date(at).toISOString(), atoms],
      ]),
    ),
  }
  if (newest === undefined || pools.length === 0) {
    const box = { x: 0, y: 0, width: paper.width, height: 70 }
    const shapes = [emptyNote(box, 'No pool found.')]
    return drawing(about, table, { height: 70, shapes }, paper)
  }
  const times = extentOf(readings.map(timeOf))
  const cells = columnsOn(paper, columns, [['name', 'held'], [], ['course']])
  const { course: line } = cells.of
  const first = top + (cells.isStacked ? 20 : 0)
  const height = rowHeight + cells.more
  const x = linearScale(times, [line.x, line.end])
  const shapes = [
    ...head(readings.length, times, line, paper),
    ...rows.flatMap(({ pool, course }, index) => {
      const y = first + index * height
      return [
        cells.words('name', y + 12, nameOfPool(pool), { size: 10.5, isBold: true }),
        cells.words('name', y + 27, pairText(pool, namesIn(newest.analysis, pool)), {
          size: 10,
          color: ink.faint,
        }),
        ...courseShapes(course, (at) => x.at(at), y, line),
        cells.words('held', y + 12, heldText(pool, namesIn(newest.analysis, pool).quote), {
          size: 11,
          anchor: 'end',
          isBold: true,
        }),
        cells.words('held', y + 27, sinceText(course), {
          size: 10,
          color: ink.faint,
          anchor: 'end',
        }),
      ]
    }),
  ]
  const bottom = first + rows.length * height
  if (hidden > 0) {
    shapes.push(
      textAt(16, bottom + 6, `${hidden} more in the record`, { size: 10, color: ink.faint }),
    )
  }
  return drawing(about, table, { height: bottom + (hidden > 0 ? 16 : 4), shapes }, paper)
}

const timeOf = ({ analysis }: DrawnProject['readings'][number]) => Date.parse(analysis.display.asOf)

const pairText = ({ quote }: Pool, names: { base: string; quote: string }) =>
  `${names.base} / ${quote.symbol === null ? 'an unnamed token, ' : ''}${names.quote}`

const heldText = ({ heldQuote, quote }: Pool, symbol: string) =>
  heldQuote.value === null ? 'not read' : amountText(heldQuote.value, quote.decimals, symbol)

function courseOf(readings: DrawnProject['readings'], address: string): Held[] {
  return readings.flatMap((reading) => {
    const pool = reading.analysis.pools.find((one) => one.address === address)
    return pool ? [{ at: timeOf(reading), atoms: pool.heldQuote.value }] : []
  })
}

function head(
  count: number,
  [from, to]: readonly [number, number],
  line: TableCell,
  paper: Paper,
): Shape[] {
  // In narrow layout the first and last values use a separate line above the chart.
  const below = 22 + (line.drop > 0 ? 18 : 0)
  const label = { size: 10, color: ink.faint } as const
  const [first, last] = [from, to].map((at) => minuteOf(new Date(at).toISOString())) as [
    string,
    string,
  ]
  return [
    textAt(16, 22, count === 1 ? 'one reading' : `${count} readings, UTC`, label),
    ...(count === 1
      ? [textAt(line.x, below, first, label)]
      : [
          textAt(line.x, below, first, label),
          textAt(line.end, below, last, { ...label, anchor: 'end' }),
        ]),
    textAt(paper.width - 16, 22, 'quote asset held', { ...label, anchor: 'end' }),
  ]
}

/** A line on an axis from zero, interrupted at unknown values. */
function courseShapes(
  course: readonly Held[],
  place: (at: number) => number,
  y: number,
  line: TableCell,
): Shape[] {
  const known = course.flatMap(({ atoms }) => (atoms === null ? [] : [Number(atoms)]))
  const max = Math.max(...known, 1)
  const { color } = styleOf(0)
  const baseline = y + line.drop + lineHeight
  const stretches: { x: number; y: number }[][] = [[]]
  for (const { at, atoms } of course) {
    if (atoms === null) stretches.push([])
    else
      stretches
        .at(-1)
        ?.push({ x: place(at), y: baseline - (Number(atoms) / max) * (lineHeight - 4) })
  }
  const points = stretches.flat()
  return [
    lineBetween(
      { x: line.x, y: baseline },
      { x: line.end, y: baseline },
      { color: ink.grid, width: 1 },
    ),
    ...stretches.flatMap((stretch): Shape[] =>
      stretch.length > 1 ? [{ kind: 'line', points: stretch, stroke: { color, width: 1.8 } }] : [],
    ),
    ...points.map(
      (point): Shape => ({
        kind: 'mark',
        form: 'circle',
        ...point,
        size: 5,
        color,
        isHollow: false,
      }),
    ),
  ]
}

/** Change from the oldest to the newest known value, in %, rounded toward zero. */
function sinceText(course: readonly Held[]): string {
  const known = course.flatMap(({ atoms }) => (atoms === null ? [] : [BigInt(atoms)]))
  const [first, last] = [known[0], known.at(-1)]
  if (first === undefined || last === undefined || known.length < 2) return ''
  if (first === 0n) return 'from nothing'
  const tenths = ((last - first) * 1_000n) / first
  if (tenths === 0n) return last === first ? 'unchanged' : 'changed by less than 0.1 %'
  const size = tenths < 0n ? -tenths : tenths
  return `${tenths < 0n ? '−' : '+'}${size / 10n}.${size % 10n} % since the first shown`
}
