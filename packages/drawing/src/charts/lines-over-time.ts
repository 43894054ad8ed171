import { type Figure, numberOf, type Row, rowsOf, tokensOf, wordOf, wordsOf } from '../figure.ts'
import {
  areaBetween,
  type Box,
  emptyNote,
  endLabels,
  frameOf,
  legendRows,
  markedLine,
  numberAxis,
} from '../frame.ts'
import { isNarrow, type Paper } from '../paper.ts'
import { fitText, ink, lineBetween, type Picture, type Shape, textAt } from '../picture.ts'
import { magnitudeOf, timeUnitOf } from '../scale.ts'
import { type Place, spotsOf } from '../spots.ts'
import { amountWordsOf, armLabel, armStyle, type ChartTerms, pictureOf } from './chart.ts'

const labelWidth = 184
const height = 272
const boxOn = (paper: Paper): Box => {
  const right = isNarrow(paper) ? 14 : labelWidth
  return { x: 58, y: 30, width: paper.width - 58 - right, height: 206 }
}

/** One moment of one arm: the line, and the span of the flow models around it. */
interface Moment {
  readonly seconds: number
  readonly line: number
  readonly low: number
  readonly high: number
}

/**
 * A labeled line per arm over time. With two flow models, the line shows the first and the area
 * reaches to the second. If rows have a low and a high, the area spans them. A row without an arm
 * is a level line.
 *
 * @param value column of the amount, quote atoms
 */
export function drawLinesOverTime(
  figure: Figure,
  terms: ChartTerms,
  { value, yTitle, paper }: { value: string; yTitle: string; paper: Paper },
): Picture {
  const box = boxOn(paper)
  const given = rowsOf(figure)
  const rows = given.filter((row) => row.arm !== '')
  const target = tokensOf(given.find((row) => row.arm === '')?.[value], terms.quoteDecimals)
  const { arms, omitted } = withoutFarBenchmarks(
    wordsOf(rows, 'arm').map((armId) => ({
      armId,
      moments: momentsOf(
        rows.filter((row) => row.arm === armId),
        value,
        terms,
      ),
    })),
  )
  const all = arms.flatMap(({ moments }) => moments)
  if (all.length === 0) {
    return pictureOf(figure, { height, shapes: [emptyNote(box, 'No samples.')] }, paper)
  }
  const values = [
    0,
    ...all.flatMap(({ low, high }) => [low, high]),
    ...(target === null ? [] : [target]),
  ]
  const magnitude = magnitudeOf(Math.max(...values.map(Math.abs)))
  const unit = timeUnitOf(Math.max(...all.map(({ seconds }) => seconds)))
  const x = numberAxis(
    all.map(({ seconds }) => seconds / unit.seconds),
    [box.x, box.x + box.width],
    { title: `time since the start, ${unit.name}`, count: 8, isTight: true },
  )
  const y = numberAxis(
    values.map((one) => one / magnitude.divisor),
    [box.y + box.height, box.y],
    { title: `${yTitle}, ${magnitude.prefix}${amountWordsOf(terms)}` },
  )
  const place = (moment: Moment, amount: number) => ({
    x: x.scale.at(moment.seconds / unit.seconds),
    y: y.scale.at(amount / magnitude.divisor),
  })
  const shapes: Shape[] = frameOf(box, x, y)
  for (const { armId, moments } of arms) {
    const lower = moments.map((moment) => place(moment, moment.low))
    const upper = moments.map((moment) => place(moment, moment.high))
    shapes.push(...areaBetween(lower, upper, armStyle(terms, armId).color, 0.18))
  }
  if (target !== null) {
    const at = y.scale.at(target / magnitude.divisor)
    const stroke = { color: '#000000', width: 1.1, dash: [5, 3] }
    shapes.push(lineBetween({ x: box.x, y: at }, { x: box.x + box.width, y: at }, stroke))
    shapes.push(
      textAt(box.x + box.width - 4, at - 4, 'target', { size: 10, anchor: 'end', halo: ink.paper }),
    )
  }
  const lines = arms.map(({ armId, moments }) => ({
    armId,
    points: moments.map((moment) => place(moment, moment.line)),
  }))
  for (const { armId, points } of lines) shapes.push(...markedLine(points, armStyle(terms, armId)))
  if (omitted.length > 0) {
    const names = omitted.map(({ armId }) => armLabel(terms, armId)).join(', ')
    const text = fitText(`Outside this axis: ${names}`, box.width - 12, 11)
    const style = { size: 11, color: ink.faint, halo: ink.paper }
    shapes.push(textAt(box.x + 6, box.y + box.height - 6, text, style))
  }
  const labels = lines.flatMap(({ armId, points }) => {
    const end = points.at(-1)
    return end ? [{ text: armLabel(terms, armId), y: end.y, style: armStyle(terms, armId) }] : []
  })
  const places = given.map((row): Place | null => {
    const [seconds, amount] = [numberOf(row.seconds), tokensOf(row[value], terms.quoteDecimals)]
    const isDrawn = arms.some(({ armId }) => armId === row.arm)
    return !isDrawn || seconds === null || amount === null
      ? null
      : {
          x: x.scale.at(seconds / unit.seconds),
          y: y.scale.at(amount / magnitude.divisor),
          series: armLabel(terms, wordOf(row.arm)),
        }
  })
  const spots = spotsOf(places)
  if (!isNarrow(paper)) {
    shapes.push(...endLabels(labels, box.x + box.width, box, labelWidth))
    return pictureOf(figure, { height, shapes, spots }, paper)
  }
  const legend = legendRows(labels, { x: 8, y: height + 6, width: paper.width - 16 })
  shapes.push(...legend.shapes)
  return pictureOf(figure, { height: height + legend.height + 4, shapes, spots }, paper)
}

interface Line {
  readonly armId: string
  readonly moments: readonly Moment[]
}

/** A benchmark this many times as far from zero as all other lines would hide them. */
const farFactor = 3

/** Lines that share an axis, and benchmarks too far away for it. */
function withoutFarBenchmarks(lines: readonly Line[]): {
  readonly arms: readonly Line[]
  readonly omitted: readonly Line[]
} {
  const extent = ({ moments }: Line) =>
    Math.max(0, ...moments.flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)]))
  const isBenchmark = ({ armId }: Line) => armId.startsWith('benchmark-')
  const candidates = Math.max(...lines.filter((line) => !isBenchmark(line)).map(extent))
  const isFar = (line: Line) =>
    candidates > 0 && isBenchmark(line) && extent(line) > farFactor * candidates
  return { arms: lines.filter((line) => !isFar(line)), omitted: lines.filter(isFar) }
}

function momentsOf(rows: readonly Row[], value: string, { quoteDecimals }: ChartTerms): Moment[] {
  const [model] = wordsOf(rows, 'flowModel')
  const bySecond = new Map<number, { line: number | null; low: number; high: number }>()
  for (const row of rows) {
    const seconds = numberOf(row.seconds)
    const amount = tokensOf(row[value], quoteDecimals)
    if (seconds === null || amount === null) continue
    const known = bySecond.get(seconds) ?? { line: null, low: amount, high: amount }
    bySecond.set(seconds, {
      line: wordOf(row.flowModel) === model ? amount : known.line,
      low: Math.min(known.low, tokensOf(row.low, quoteDecimals) ?? amount),
      high: Math.max(known.high, tokensOf(row.high, quoteDecimals) ?? amount),
    })
  }
  return [...bySecond]
    .sort(([a], [b]) => a - b)
    .flatMap(([seconds, { line, low, high }]) =>
      line === null ? [] : [{ seconds, line, low, high }],
    )
}
