import { type Figure, numberOf, type Row, rowsOf, tokensOf, wordOf } from '../figure.ts'
import { emptyNotes, numberAxis, ticksOn } from '../frame.ts'
import { letterOn } from '../note.ts'
import { isNarrow, type Paper } from '../paper.ts'
import {
  amountColors,
  fitText,
  hatch,
  ink,
  lineBetween,
  type Picture,
  type Shape,
  type Spot,
  textAt,
  widthOf,
  wrapText,
} from '../picture.ts'
import { magnitudeOf, printFigure } from '../scale.ts'
import { amountWordsOf, armLabel, type ChartTerms, pictureOf } from './chart.ts'

const top = 26
const usual = { left: 272, rightRoom: 182 } as const
/** Minimum bar length next to the text; shorter bars move below it on a screen. */
const minBars = 220
const edge = 10

interface Span {
  readonly label: string
  readonly low: number
  readonly middle: number | null
  readonly high: number
  readonly caption: string
  /** Row of the table, from 0. */
  readonly row: number
}

interface RowLayout {
  readonly left: number
  readonly right: number
  /** How much lower the bar of a row is than the row begins. */
  readonly drop: number
  /** Position of the text: next to the bar, above it on one line, or above it on two lines. */
  readonly words: 'BESIDE' | 'ABOVE' | 'APART'
}

function placesOn(paper: Paper, spans: readonly Span[]): RowLayout {
  const { width, minFontSize } = paper
  const { left, rightRoom } = usual
  if (minFontSize === 0) return { left, right: width - rightRoom, drop: 0, words: 'BESIDE' }
  const wide = (text: string) => widthOf(text, letterOn(paper, 10))
  // The value text contains numbers and must not be truncated.
  const reservedWidth = Math.max(rightRoom, ...spans.map(({ caption }) => wide(caption) + 14))
  if (width - left - reservedWidth >= minBars)
    return { left, right: width - reservedWidth, drop: 0, words: 'BESIDE' }
  const isApart = spans.some(
    ({ label, caption }) => wide(label) + wide(caption) > width - 2 * edge - 8,
  )
  const ends = { left: edge, right: width - edge }
  return isApart ? { ...ends, drop: 30, words: 'APART' } : { ...ends, drop: 16, words: 'ABOVE' }
}

function wordsOf(
  { label, caption: text }: Span,
  { left, right, words }: RowLayout,
  { y, middle, paper }: { y: number; middle: number; paper: Paper },
): Shape[] {
  const letter = letterOn(paper, 10)
  const faint = { size: 10, color: ink.faint }
  if (words === 'BESIDE') {
    return [
      textAt(0, middle + 3.5, fitText(label, left - 12, letter), { size: 10 }),
      textAt(right + 10, middle + 3.5, fitText(text, paper.width - right - 10, letter), faint),
    ]
  }
  // The line of zero passes behind them.
  const halo = { halo: ink.paper }
  const name = textAt(left, y + 12, fitText(label, right - left, letter), { size: 10, ...halo })
  return words === 'ABOVE'
    ? [name, textAt(right, y + 12, text, { ...faint, ...halo, anchor: 'end' })]
    : [name, textAt(left, y + 26, text, { ...faint, ...halo })]
}

/** Rows of spans over one axis of amounts; `draw` gives the shapes of one. */
function drawSpans(
  figure: Figure,
  spans: readonly Span[],
  paper: Paper,
  {
    title,
    words,
    rowHeight: barHeight,
    draw,
  }: {
    title: string
    words: string
    rowHeight: number
    draw: (
      span: Span,
      at: (value: number) => number,
      row: { y: number; top: number },
      index: number,
    ) => Shape[]
  },
): Picture {
  const places = placesOn(paper, spans)
  const { left, right, drop } = places
  const rowHeight = barHeight + drop
  const bottom = top + Math.max(1, spans.length) * rowHeight
  const height = bottom + 36
  if (spans.length === 0) {
    const box = { x: 0, y: top, width: paper.width, height: rowHeight }
    const shapes = emptyNotes(box, 'No comparisons.')
    return pictureOf(figure, { height, shapes }, paper)
  }
  const values = [0, ...spans.flatMap(({ low, high }) => [low, high])]
  const { divisor, prefix } = magnitudeOf(Math.max(...values.map(Math.abs)))
  const axis = numberAxis(
    values.map((value) => value / divisor),
    [left, right],
    { title: `${title}, ${prefix}${words}`, count: isNarrow(paper) ? 3 : 5 },
  )
  const shapes: Shape[] = ticksOn(paper, axis).flatMap(({ value, label }): Shape[] => {
    const x = axis.scale.at(value)
    const color = value === 0 ? '#000000' : ink.grid
    return [
      lineBetween({ x, y: top - 4 }, { x, y: bottom }, { color, width: value === 0 ? 1 : 0.7 }),
      textAt(x, bottom + 13, label, { size: 10, anchor: 'middle', color: ink.faint }),
    ]
  })
  const titles = isNarrow(paper) ? wrapText(axis.title, right - left, 11) : [axis.title]
  for (const [row, text] of titles.entries()) {
    shapes.push(
      textAt((left + right) / 2, bottom + 28 + row * 13, text, {
        size: 10,
        anchor: 'middle',
        color: ink.faint,
      }),
    )
  }
  const spots: Spot[] = []
  for (const [index, span] of spans.entries()) {
    const y = top + index * rowHeight
    const bar = { top: y, y: y + drop }
    shapes.push(...draw(span, (value) => axis.scale.at(value / divisor), bar, index))
    const x = axis.scale.at((span.middle ?? span.high) / divisor)
    spots.push({ x, y: bar.y + barHeight / 2, row: span.row, series: span.label })
    shapes.push(...wordsOf(span, places, { y, middle: bar.y + barHeight / 2, paper }))
  }
  return pictureOf(figure, { height, shapes, spots }, paper)
}

/** Fees per arm as a range over the flow models, with LVR hatched below. */
export function drawFeesAndLvr(figure: Figure, terms: ChartTerms, paper: Paper): Picture {
  const { quoteDecimals } = terms
  const spans = rowsOf(figure).flatMap((row, index) => [
    spanOf(
      { row, place: index },
      `${armLabel(terms, wordOf(row.arm))}: LP fees (at accrual)`,
      ['feesLow', 'feesHigh'],
      quoteDecimals,
    ),
    spanOf({ row, place: index }, 'LVR', ['lvrLow', 'lvrHigh'], quoteDecimals),
  ])
  return drawSpans(figure, spans, paper, {
    title: 'LP fees and LVR',
    words: amountWordsOf(terms),
    rowHeight: 20,
    draw: ({ low, high }, at, { y, top }, index) => {
      const isFees = index % 2 === 0
      const color = isFees ? amountColors.gain : amountColors.loss
      const x = Math.min(at(0), at(low), at(high))
      const end = Math.max(at(0), at(low), at(high))
      const near = Math.abs(low) < Math.abs(high) ? low : high
      const bar = {
        x: Math.min(at(0), at(near)),
        y: y + 5,
        width: Math.abs(at(near) - at(0)),
        height: 11,
      }
      const outer = { x, y: y + 5, width: Math.max(0.8, end - x), height: 11 }
      const fill = isFees ? color : ink.paper
      const shapes: Shape[] = [
        { kind: 'rect', ...outer, fill: ink.paper, stroke: { color, width: 0.8 } },
        { kind: 'rect', ...bar, fill },
      ]
      if (!isFees)
        shapes.push(...hatch(bar, color, 3.5), {
          kind: 'rect',
          ...outer,
          fill: null,
          stroke: { color, width: 0.8 },
        })
      if (isFees && index > 0) {
        const line = { color: ink.grid, width: 0.7 }
        shapes.push(lineBetween({ x: 0, y: top }, { x: paper.width, y: top }, line))
      }
      return shapes
    },
  })
}

const verdictWords: Readonly<Record<string, string>> = {
  A: 'first higher',
  B: 'second higher',
  INDISTINGUISHABLE: 'indistinguishable',
}

/**
 * Mean difference per pair with its 95 % interval; for a replay, the range over the flow models.
 */
export function drawPairedDifferences(figure: Figure, terms: ChartTerms, paper: Paper): Picture {
  const { quoteDecimals } = terms
  const spans = rowsOf(figure).map((row, index) => {
    const span = spanOf(
      { row, place: index },
      `${armLabel(terms, wordOf(row.a))} vs ${armLabel(terms, wordOf(row.b))}`,
      ['low', 'high'],
      quoteDecimals,
    )
    const isTested = row.verdict !== 'NOT_TESTED'
    const verdict = isTested ? (verdictWords[wordOf(row.verdict)] ?? '') : span.caption
    const p = numberOf(row['p after Holm'])
    const text =
      p === null
        ? verdict
        : `${verdict}, p ${p < 1000 ? '< 0.001' : `= ${(p / 1_000_000).toFixed(3)}`}`
    return { ...span, middle: tokensOf(row.mean, quoteDecimals), caption: text }
  })
  return drawSpans(figure, spans, paper, {
    title: 'first minus second, net P&L',
    words: amountWordsOf(terms),
    rowHeight: 19,
    draw: ({ low, middle, high }, at, { y }) => {
      const center = y + 9.5
      const stroke = { color: '#000000', width: 1.2 }
      const ends = [low, high].map(
        (end): Shape =>
          lineBetween({ x: at(end), y: center - 4 }, { x: at(end), y: center + 4 }, stroke),
      )
      const dot = { kind: 'mark', form: 'circle', size: 5, color: amountColors.gain } as const
      const point: Shape[] =
        middle === null
          ? [low, high].map((end): Shape => ({ ...dot, x: at(end), y: center, isHollow: false }))
          : [
              {
                kind: 'mark',
                form: 'square',
                x: at(middle),
                y: center,
                size: 6.5,
                color: amountColors.gain,
                isHollow: false,
              },
            ]
      return [
        lineBetween({ x: at(low), y: center }, { x: at(high), y: center }, stroke),
        ...ends,
        ...point,
      ]
    },
  })
}

function spanOf(
  { row, place: itemIndex }: { readonly row: Row; readonly place: number },
  label: string,
  [from, to]: readonly [string, string],
  decimals: number,
): Span {
  const ends = [tokensOf(row[from], decimals) ?? 0, tokensOf(row[to], decimals) ?? 0]
  const [low, high] = [Math.min(...ends), Math.max(...ends)]
  const text = low === high ? printFigure(low) : `${printFigure(low)} to ${printFigure(high)}`
  return { label, low, middle: null, high, caption: text, row: itemIndex }
}
