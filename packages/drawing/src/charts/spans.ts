import { drawingWidth } from '../drawing.ts'
import { type Figure, numberOf, type Row, rowsOf, tokensOf, wordOf } from '../figure.ts'
import { emptyNote, numberAxis } from '../frame.ts'
import {
  amountColors,
  fitText,
  hatch,
  ink,
  lineBetween,
  type Picture,
  type Shape,
  textAt,
} from '../picture.ts'
import { magnitudeOf, printFigure } from '../scale.ts'
import { amountWordsOf, armLabel, type ChartTerms, pictureOf } from './chart.ts'

const top = 26
const left = 272
const right = drawingWidth - 182

interface Span {
  readonly label: string
  readonly low: number
  readonly middle: number | null
  readonly high: number
  readonly said: string
}

/** Rows of spans over one axis of amounts; `draw` gives the shapes of one. */
function drawSpans(
  figure: Figure,
  spans: readonly Span[],
  {
    title,
    words,
    rowHeight,
    draw,
  }: {
    title: string
    words: string
    rowHeight: number
    draw: (span: Span, at: (value: number) => number, y: number, index: number) => Shape[]
  },
): Picture {
  const bottom = top + Math.max(1, spans.length) * rowHeight
  const height = bottom + 36
  if (spans.length === 0) {
    const box = { x: 0, y: top, width: drawingWidth, height: rowHeight }
    return pictureOf(figure, { height, shapes: [emptyNote(box, 'There is nothing to compare.')] })
  }
  const values = [0, ...spans.flatMap(({ low, high }) => [low, high])]
  const { divisor, prefix } = magnitudeOf(Math.max(...values.map(Math.abs)))
  const axis = numberAxis(
    values.map((value) => value / divisor),
    [left, right],
    { title: `${title}, ${prefix}${words}` },
  )
  const shapes: Shape[] = axis.ticks.flatMap(({ value, label }): Shape[] => {
    const x = axis.scale.at(value)
    const color = value === 0 ? '#000000' : ink.grid
    return [
      lineBetween({ x, y: top - 4 }, { x, y: bottom }, { color, width: value === 0 ? 1 : 0.7 }),
      textAt(x, bottom + 13, label, { size: 10, anchor: 'middle', color: ink.faint }),
    ]
  })
  shapes.push(
    textAt((left + right) / 2, bottom + 28, axis.title, {
      size: 10,
      anchor: 'middle',
      color: ink.faint,
    }),
  )
  for (const [index, span] of spans.entries()) {
    const y = top + index * rowHeight
    const middle = y + rowHeight / 2
    shapes.push(...draw(span, (value) => axis.scale.at(value / divisor), y, index))
    shapes.push(textAt(0, middle + 3.5, fitText(span.label, left - 12, 10), { size: 10 }))
    shapes.push(
      textAt(right + 10, middle + 3.5, fitText(span.said, drawingWidth - right - 10, 10), {
        size: 10,
        color: ink.faint,
      }),
    )
  }
  return pictureOf(figure, { height, shapes })
}

/** Fees of each arm as the span over the flow models, and beneath them their loss versus rebalancing, hatched. */
export function drawFeesAndLvr(figure: Figure, terms: ChartTerms): Picture {
  const { quoteDecimals } = terms
  const spans = rowsOf(figure).flatMap((row) => [
    spanOf(
      row,
      `${armLabel(terms, wordOf(row.arm))}: fees`,
      ['feesLow', 'feesHigh'],
      quoteDecimals,
    ),
    spanOf(row, 'loss versus rebalancing', ['lvrLow', 'lvrHigh'], quoteDecimals),
  ])
  return drawSpans(figure, spans, {
    title: 'fees and loss versus rebalancing',
    words: amountWordsOf(terms),
    rowHeight: 20,
    draw: ({ low, high }, at, y, index) => {
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
        shapes.push(lineBetween({ x: 0, y }, { x: drawingWidth, y }, line))
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

/** The mean difference of each pair with its 95 % interval; of a replay the span over the flow models. */
export function drawPairedDifferences(figure: Figure, terms: ChartTerms): Picture {
  const { quoteDecimals } = terms
  const spans = rowsOf(figure).map((row) => {
    const span = spanOf(
      row,
      `${armLabel(terms, wordOf(row.a))} vs ${armLabel(terms, wordOf(row.b))}`,
      ['low', 'high'],
      quoteDecimals,
    )
    const isTested = row.verdict !== 'NOT_TESTED'
    const verdict = isTested ? (verdictWords[wordOf(row.verdict)] ?? '') : span.said
    const p = numberOf(row['p after Holm'])
    const said =
      p === null
        ? verdict
        : `${verdict}, p ${p < 1000 ? '< 0.001' : `= ${(p / 1_000_000).toFixed(3)}`}`
    return { ...span, middle: tokensOf(row.mean, quoteDecimals), said }
  })
  return drawSpans(figure, spans, {
    title: 'first less second, net result',
    words: amountWordsOf(terms),
    rowHeight: 19,
    draw: ({ low, middle, high }, at, y) => {
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
  row: Row,
  label: string,
  [from, to]: readonly [string, string],
  decimals: number,
): Span {
  const ends = [tokensOf(row[from], decimals) ?? 0, tokensOf(row[to], decimals) ?? 0]
  const [low, high] = [Math.min(...ends), Math.max(...ends)]
  const said = low === high ? printFigure(low) : `${printFigure(low)} to ${printFigure(high)}`
  return { label, low, middle: null, high, said }
}
