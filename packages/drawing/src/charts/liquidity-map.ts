import { type Figure, numberOf, type Row, rowsOf, wordOf, wordsOf } from '../figure.ts'
import { type Axis, type Box, emptyNote, frameOf, numberAxis } from '../frame.ts'
import {
  fitText,
  ink,
  lineBetween,
  type Picture,
  type Point,
  type Shape,
  textAt,
} from '../picture.ts'
import { extentOf, linearScale, printShort, timeUnitOf } from '../scale.ts'
import { armLabel, armStyle, type ChartTerms, pictureOf } from './chart.ts'

const box: Box = { x: 64, y: 30, width: 560, height: 300 }
const height = 430

/** From nothing to most; lightness falls evenly, so that it is read without colour. */
const shades = [
  '#ffffff',
  '#e3edf5',
  '#c3d9ea',
  '#9dc0dc',
  '#72a3ca',
  '#4a84b3',
  '#2c6496',
  '#174672',
] as const

/**
 * Liquidity of the market over price and time, darker where there is more; over it the price, the ranges of the
 * arms, and what they did. What a guard refused is hollow.
 */
export function drawLiquidityMap(figure: Figure, terms: ChartTerms): Picture {
  const rows = rowsOf(figure)
  const layer = (name: string) => rows.filter((row) => row.layer === name)
  const [cells, path] = [layer('LIQUIDITY'), layer('PRICE')]
  if (path.length === 0) {
    return pictureOf(figure, { height, shapes: [emptyNote(box, 'No price is given.')] })
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
      count: 8,
      isTight: true,
    },
  )
  const y = priceAxis(rows, terms)
  const map = {
    x: (row: Row, column: string) => x.scale.at((numberOf(row[column]) ?? 0) / unit.seconds),
    y: (tick: number) => Math.min(box.y + box.height, Math.max(box.y, y.scale.at(tick))),
    shows: (tick: number) => tick >= y.scale.low && tick <= y.scale.high,
  }
  const most = Math.max(1, ...cells.map((row) => numberOf(row.liquidity) ?? 0))
  const shapes: Shape[] = []
  for (const row of cells) {
    const share = (numberOf(row.liquidity) ?? 0) / most
    // The root spreads out the many small amounts; the scale beside the map says so.
    const fill =
      shades[Math.min(shades.length - 1, Math.ceil(Math.sqrt(share) * (shades.length - 1)))] ??
      shades[0]
    if (fill === shades[0]) continue
    const [left, right] = [map.x(row, 'fromSeconds'), map.x(row, 'toSeconds')]
    const [a, b] = [map.y(numberOf(row.tickLower) ?? 0), map.y(numberOf(row.tickUpper) ?? 0)]
    const size = { width: right - left + 0.2, height: Math.abs(a - b) + 0.2 }
    shapes.push({ kind: 'rect', x: left, y: Math.min(a, b), ...size, fill })
  }
  shapes.push(...frameOf(box, x, y))
  shapes.push(...ranges(layer('RANGE'), map, terms))
  shapes.push(...pathShapes(path, map))
  shapes.push(...actions(layer('ACTION'), map, terms))
  shapes.push(...scaleOf(most))
  shapes.push(...legend(layer('RANGE'), layer('ACTION'), terms))
  return pictureOf(figure, { height, shapes })
}

interface Map2d {
  readonly x: (row: Row, column: string) => number
  readonly y: (tick: number) => number
  /** Whether a tick lies within the view. */
  readonly shows: (tick: number) => boolean
}

/** Ticks are logarithms of the price; they are labelled with the price itself, in whole tokens. */
function priceAxis(
  rows: readonly Row[],
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
    title: 'price, quote tokens per base token; steps multiply',
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

function scaleOf(most: number): Shape[] {
  const x = box.x + box.width + 22
  const shapes: Shape[] = [
    textAt(x, box.y + 4, 'liquidity', { size: 10, color: ink.faint }),
    textAt(x, box.y + 16, 'in the market', { size: 10, color: ink.faint }),
  ]
  const step = 18
  for (const [index, fill] of shades.toReversed().entries()) {
    const y = box.y + 26 + index * step
    const level = (shades.length - 1 - index) / (shades.length - 1)
    shapes.push({
      kind: 'rect',
      x,
      y,
      width: 18,
      height: step,
      fill,
      stroke: { color: ink.grid, width: 0.5 },
    })
    const said = level === 0 ? 'none' : `to ${(level * level * 100).toFixed(0)} %`
    shapes.push(textAt(x + 24, y + 12.5, said, { size: 10, color: ink.faint }))
  }
  const bottom = box.y + 26 + shades.length * step + 13
  shapes.push(textAt(x, bottom, 'of the most,', { size: 10, color: ink.faint }))
  shapes.push(
    textAt(x, bottom + 12, `L = ${printShort(most)}`, {
      size: 10,
      color: ink.faint,
    }),
  )
  return shapes
}

function legend(ranged: readonly Row[], acted: readonly Row[], terms: ChartTerms): Shape[] {
  const arms = [...new Set([...wordsOf(ranged, 'arm'), ...wordsOf(acted, 'arm')])]
  const top = box.y + box.height + 48
  const shapes: Shape[] = [
    lineBetween({ x: 8, y: top - 3 }, { x: 34, y: top - 3 }, { color: '#000000', width: 1.6 }),
    textAt(40, top, 'price', { size: 10.5 }),
  ]
  for (const [index, armId] of arms.slice(0, 11).entries()) {
    const { color, dash, mark } = armStyle(terms, armId)
    const [x, y] = [8 + ((index + 1) % 4) * 190, top + Math.floor((index + 1) / 4) * 15]
    shapes.push(lineBetween({ x, y: y - 3 }, { x: x + 26, y: y - 3 }, { color, width: 1.7, dash }))
    shapes.push({ kind: 'mark', form: mark, x: x + 13, y: y - 3, size: 6, color, isHollow: false })
    shapes.push(textAt(x + 32, y, fitText(armLabel(terms, armId), 150, 10.5), { size: 10.5 }))
  }
  const bottom = top + Math.ceil((arms.length + 1) / 4) * 15
  if (acted.length > 0) {
    shapes.push(
      textAt(8, bottom, 'marks: what an arm did; hollow: what a guard refused', {
        size: 10,
        color: ink.faint,
      }),
    )
  }
  return shapes
}
