import { type Figure, numberOf, type Row, rowsOf, tokensOf, wordOf, wordsOf } from '../figure.ts'
import { type Axis, type Box, emptyNote, frameOf, legendRows, numberAxis } from '../frame.ts'
import { isNarrow, type Paper } from '../paper.ts'
import {
  fitText,
  ink,
  lineBetween,
  type Picture,
  type Point,
  type SeriesStyle,
  type Shape,
  styleOf,
  textAt,
} from '../picture.ts'
import { linearScale, printFigure } from '../scale.ts'
import { type Place, spotsOn } from '../spots.ts'
import { armLabel, armStyle, type ChartTerms, pictureOf } from './chart.ts'

const panelHeight = 276
/** Buys next to sells, or above them on narrow paper. */
const boxOf = (itemIndex: number, paper: Paper): Box =>
  isNarrow(paper)
    ? { x: 48, y: 44 + itemIndex * panelHeight, width: paper.width - 58, height: 190 }
    : {
        x: 48 + itemIndex * Math.floor(paper.width / 2 + 5),
        y: 44,
        width: Math.floor(paper.width / 2) - 62,
        height: 190,
      }
const sides = ['BUY', 'SELL'] as const

/** Label of rows without an arm. */
const marketWords = 'observed market'

/**
 * Slippage by size, buys left and sells right. The line is the median, the area reaches to the
 * worst 5 % of the time. Sizes are ordinal, not to scale; series are side by side.
 */
export function drawSlippage(figure: Figure, terms: ChartTerms, paper: Paper): Picture {
  const given = rowsOf(figure)
  const rows = given.filter((row) => numberOf(row.medianPips) !== null)
  const series = wordsOf(rows, 'arm')
  const below = 284 + (isNarrow(paper) ? panelHeight : 0)
  const names = legend(series, terms, paper, below)
  const height = below + names.height
  if (rows.length === 0) {
    return pictureOf(
      figure,
      { height, shapes: [emptyNote(boxOf(0, paper), 'No measured sizes.')] },
      paper,
    )
  }
  const sizes = [...new Set(rows.map((row) => wordOf(row.sizeQuote)))].sort(
    (a, b) => Number(a) - Number(b),
  )
  const percents = rows.flatMap((row) =>
    [row.medianPips, row.worst5Pips].map((cell) => (numberOf(cell) ?? 0) / 10_000),
  )
  const placed = new Map<Row, Place>()
  const shapes = sides.flatMap((side, place) => {
    const box = boxOf(place, paper)
    const x = {
      scale: linearScale([-0.5, sizes.length - 0.5], [box.x, box.x + box.width]),
      ticks: sizes.map((size, value) => ({
        value,
        label: printFigure(tokensOf(size, terms.quoteDecimals) ?? 0),
      })),
      title: 'trade size, quote tokens',
    }
    const y = numberAxis([0, ...percents], [box.y + box.height, box.y], {
      title: 'slippage incl. fee, %',
    })
    const panel: Shape[] = [
      textAt(box.x - 40, box.y - 30, side === 'BUY' ? 'Buying base' : 'Selling base', {
        size: 11.5,
        isBold: true,
      }),
      ...frameOf(box, x, y),
    ]
    for (const [index, arm] of series.entries()) {
      const own = rows.filter((row) => row.side === side && wordOf(row.arm) === arm)
      const shift = (index - (series.length - 1) / 2) * 6
      panel.push(...course(own, { sizes, x, y, shift, style: styleFor(arm, terms) }))
      const words = `${side === 'BUY' ? 'buying' : 'selling'}, ${nameOf(arm, terms)}`
      for (const row of own) {
        const at = sizes.indexOf(wordOf(row.sizeQuote))
        const percent = (numberOf(row.medianPips) ?? 0) / 10_000
        const point = { x: x.scale.at(at) + shift, y: y.scale.at(percent) }
        placed.set(row, { ...point, series: words })
      }
    }
    return panel
  })
  const spots = spotsOn(given, placed)
  return pictureOf(figure, { height, shapes: [...shapes, ...names.shapes], spots }, paper)
}

/** The medians of a series as a line, from each a whisker to the worst twentieth; unfilled sizes are crosses. */
function course(
  rows: readonly Row[],
  {
    sizes,
    x,
    y,
    shift,
    style,
  }: { sizes: readonly string[]; x: Axis; y: Axis; shift: number; style: SeriesStyle },
): Shape[] {
  const whiskers: Shape[] = []
  const points: Point[] = []
  for (const [index, size] of sizes.entries()) {
    const row = rows.find((one) => one.sizeQuote === size)
    const median = numberOf(row?.medianPips)
    if (median === null) continue
    const at = { x: x.scale.at(index) + shift, y: y.scale.at(median / 10_000) }
    points.push(at)
    const worst = numberOf(row?.worst5Pips)
    if (worst !== null && worst !== median) {
      const end = y.scale.at(worst / 10_000)
      const stroke = { color: style.color, width: 1 }
      whiskers.push(lineBetween(at, { x: at.x, y: end }, stroke))
      whiskers.push(lineBetween({ x: at.x - 2.5, y: end }, { x: at.x + 2.5, y: end }, stroke))
    }
    if (row?.fillable === false) {
      whiskers.push({
        kind: 'mark',
        form: 'cross',
        ...at,
        size: 10,
        color: style.color,
        isHollow: false,
      })
    }
  }
  const mark = {
    kind: 'mark',
    form: style.mark,
    size: 5.5,
    color: style.color,
    isHollow: false,
  } as const
  return [
    { kind: 'line', points, stroke: { color: style.color, width: 1.3, dash: style.dash } },
    ...whiskers,
    ...points.map((point): Shape => ({ ...mark, ...point })),
  ]
}

const styleFor = (arm: string, terms: ChartTerms) =>
  arm === '' ? styleOf(4) : armStyle(terms, arm)

const nameOf = (arm: string, terms: ChartTerms) => (arm === '' ? marketWords : armLabel(terms, arm))

function legend(
  series: readonly string[],
  terms: ChartTerms,
  paper: Paper,
  below: number,
): { readonly shapes: Shape[]; readonly height: number } {
  if (isNarrow(paper)) {
    const entries = series.map((arm) => ({ text: nameOf(arm, terms), style: styleFor(arm, terms) }))
    return legendRows(entries, { x: 8, y: below, width: paper.width - 16 })
  }
  const shapes = series.flatMap((arm, index): Shape[] => {
    const style = styleFor(arm, terms)
    const [x, y] = [8 + (index % 3) * 250, below - 2 + Math.floor(index / 3) * 15]
    const line = [x, x + 26].map((at) => ({ x: at, y: y - 3 }))
    return [
      { kind: 'line', points: line, stroke: { color: style.color, width: 1.6, dash: style.dash } },
      {
        kind: 'mark',
        form: style.mark,
        x: x + 13,
        y: y - 3,
        size: 5.5,
        color: style.color,
        isHollow: false,
      },
      textAt(x + 32, y, fitText(nameOf(arm, terms), 205, 10.5), {
        size: 10.5,
        color: ink.text,
      }),
    ]
  })
  return { shapes, height: Math.ceil(series.length / 3) * 15 }
}
