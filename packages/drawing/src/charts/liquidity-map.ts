import { type Figure, numberOf, type Row, rowsOf, wordOf } from '../figure.ts'
import { type Axis, type Box, chartBox, emptyNotes, frameOf, numberAxis } from '../frame.ts'
import { isNarrow, type Paper } from '../paper.ts'
import { ink, type Picture, type Point, type Shape } from '../picture.ts'
import { extentOf, linearScale, printShort, timeUnitOf } from '../scale.ts'
import { spotsOf } from '../spots.ts'
import { armLabel, armStyle, type ChartTerms, pictureOf } from './chart.ts'
import { keysOfMap, shadeOf } from './liquidity-map-keys.ts'

/** Wide paper has the shade scale right of the chart; narrow paper has a two-line title. */
const boxOn = (paper: Paper): Box =>
  chartBox({ x: 64, y: isNarrow(paper) ? 44 : 30, height: 300 }, 136, paper)

/**
 * Market liquidity over price and time; darker means more. Overlays the price, the arms' ranges and
 * their actions; actions rejected by a guard are hollow.
 */
export function drawLiquidityMap(figure: Figure, terms: ChartTerms, paper: Paper): Picture {
  const box = boxOn(paper)
  const rows = rowsOf(figure)
  const layer = (name: string) => rows.filter((row) => row.layer === name)
  const [cells, path] = [layer('LIQUIDITY'), layer('PRICE')]
  if (path.length === 0) {
    const drawn = { height: box.y + 400, shapes: emptyNotes(box, 'No price data.') }
    return pictureOf(figure, drawn, paper)
  }
  const seconds = rows.flatMap((row) =>
    [row.fromSeconds, row.toSeconds].flatMap((cell) => numberOf(cell) ?? []),
  )
  const unit = timeUnitOf(Math.max(...seconds))
  const x = numberAxis(
    seconds.map((second) => second / unit.seconds),
    [box.x, box.x + box.width],
    {
      title: `time since the start, ${unit.name}`,
      count: isNarrow(paper) ? 4 : 8,
      isTight: true,
    },
  )
  const y = priceAxis(rows, box, terms)
  const map = {
    x: (row: Row, column: string) => x.scale.at((numberOf(row[column]) ?? 0) / unit.seconds),
    y: (tick: number) => Math.min(box.y + box.height, Math.max(box.y, y.scale.at(tick))),
    shows: (tick: number) => tick >= y.scale.low && tick <= y.scale.high,
  }
  const max = Math.max(1, ...cells.map((row) => numberOf(row.liquidity) ?? 0))
  const shapes: Shape[] = []
  for (const row of cells) {
    const share = (numberOf(row.liquidity) ?? 0) / max
    // The square root spreads small amounts, as the shade scale indicates.
    const fill = shadeOf(Math.sqrt(share))
    if (fill === null) continue
    const [left, right] = [map.x(row, 'fromSeconds'), map.x(row, 'toSeconds')]
    const [a, b] = [map.y(numberOf(row.tickLower) ?? 0), map.y(numberOf(row.tickUpper) ?? 0)]
    const size = { width: right - left + 0.2, height: Math.abs(a - b) + 0.2 }
    shapes.push({ kind: 'rect', x: left, y: Math.min(a, b), ...size, fill })
  }
  shapes.push(...frameOf(box, x, y))
  shapes.push(...ranges(layer('RANGE'), map, terms))
  shapes.push(...pathShapes(path, map))
  shapes.push(...actions(layer('ACTION'), map, terms))
  const keys = keysOfMap({ max, ranged: layer('RANGE'), acted: layer('ACTION') }, box, {
    terms,
    paper,
  })
  const spots = spotsOf(
    rows.map((row) => {
      const at = { x: map.x(row, 'fromSeconds'), y: map.y(numberOf(row.tickLower) ?? 0) }
      if (row.layer === 'PRICE') return { ...at, series: 'price' }
      return row.layer === 'ACTION' ? { ...at, series: armLabel(terms, wordOf(row.arm)) } : null
    }),
  )
  const drawn = { height: keys.bottom, shapes: [...shapes, ...keys.shapes], spots }
  return pictureOf(figure, drawn, paper)
}

interface Map2d {
  readonly x: (row: Row, column: string) => number
  readonly y: (tick: number) => number
  /** True if a tick lies within the view. */
  readonly shows: (tick: number) => boolean
}

/** Ticks are logarithms of the price; they are labelled with the price itself, in whole tokens. */
function priceAxis(
  rows: readonly Row[],
  box: Box,
  { baseDecimals, quoteDecimals, isBaseFirst }: ChartTerms,
): Axis {
  const cells = rows.filter((row) => row.layer === 'LIQUIDITY')
  const shown = cells.length > 0 ? cells : rows.filter((row) => row.layer === 'PRICE')
  const [low, high] = extentOf(
    shown.flatMap((row) => [row.tickLower, row.tickUpper].flatMap((cell) => numberOf(cell) ?? [])),
  )
  const bottom = box.y + box.height
  const scale = linearScale([low, high], isBaseFirst ? [bottom, box.y] : [box.y, bottom])
  const priceAt = (tick: number) =>
    10 ** (baseDecimals - quoteDecimals) * 1.0001 ** (isBaseFirst ? tick : -tick)
  const places = Array.from({ length: 7 }, (_, step) => low + ((high - low) * step) / 6)
  return {
    scale,
    ticks: places.map((value) => ({ value, label: printShort(priceAt(value)) })),
    title: 'price, quote tokens per base token; log scale',
  }
}

function pathShapes(path: readonly Row[], map: Map2d): Shape[] {
  const points: Point[] = path.map((row) => ({
    x: map.x(row, 'fromSeconds'),
    y: map.y(numberOf(row.tickLower) ?? 0),
  }))
  return [
    { kind: 'line', points, stroke: { color: ink.paper, width: 4 } },
    { kind: 'line', points, stroke: { color: '#000000', width: 1.6 } },
  ]
}

function ranges(rows: readonly Row[], map: Map2d, terms: ChartTerms): Shape[] {
  return rows.flatMap((row): Shape[] => {
    const { color, dash } = armStyle(terms, wordOf(row.arm))
    const [left, right] = [map.x(row, 'fromSeconds'), map.x(row, 'toSeconds')]
    const edges = [numberOf(row.tickLower) ?? 0, numberOf(row.tickUpper) ?? 0]
    return edges.filter(map.shows).flatMap((tick): Shape[] => {
      const y = map.y(tick)
      const line = [
        { x: left, y },
        { x: right, y },
      ]
      return [
        { kind: 'line', points: line, stroke: { color: ink.paper, width: 3.2 } },
        { kind: 'line', points: line, stroke: { color, width: 1.7, dash } },
      ]
    })
  })
}

function actions(rows: readonly Row[], map: Map2d, terms: ChartTerms): Shape[] {
  return rows.map((row): Shape => {
    const { color, mark } = armStyle(terms, wordOf(row.arm))
    const at = { x: map.x(row, 'fromSeconds'), y: map.y(numberOf(row.tickLower) ?? 0) }
    return { kind: 'mark', form: mark, ...at, size: 8, color, isHollow: row.refused === true }
  })
}
