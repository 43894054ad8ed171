import { fitText, lineBetween, type Point, type Shape, widthOf } from '../picture.ts'
import type { Chart, Datum, DrawnSeries } from './data.ts'
import { readValue } from './data.ts'
import { bar, barShapes, endsOf, gapShapes, intervalShapes, styleOfSeries } from './marks.ts'
import { breakLines, letter, lineHeight, type Sheet } from './sheet.ts'
import { stackedOf } from './stack.ts'
import { type PositionedAxis, placeAxis } from './ticks.ts'

/** Origin and width of a chart. */
export interface Space {
  readonly x: number
  readonly y: number
  readonly width: number
}

interface Plot {
  readonly sheet: Sheet
  readonly chart: Chart
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  readonly x: PositionedAxis
  readonly y: PositionedAxis
  /** Scale of the second axis. */
  readonly other: PositionedAxis
}

const axisOf = ({ y, other }: Plot, { axis }: DrawnSeries) => (axis === 'right' ? other : y)

const zeroMarks: readonly string[] = ['bar', 'area']
/** Narrower charts name their series in a legend. */
const minDirect = 480
const maxLabelWidth = 190

/** Labels at the ends of lines; empty if one does not fit. */
export function endLabelsOf({ series, spec }: Chart, width: number): string[] {
  const labels = [...new Set(series.map(({ label }) => label))]
  const isLined = series.every(({ mark }) => ['line', 'step', 'area', 'band'].includes(mark))
  const hasSpace = labels.every((label) => widthOf(label, letter) + 26 <= maxLabelWidth)
  const isRight = series.some(({ axis }) => axis === 'right')
  // A single series is named by the title of its axis, except on a ladder, whose series are venues.
  const min = spec.kind === 'ladder' ? 1 : 2
  const isDirect = width >= minDirect && labels.length >= min && labels.length <= 12
  return isDirect && isLined && hasSpace && !isRight ? labels : []
}

/** Lines, areas, bars and points over a number, a time or a price. @returns the y coordinate below it */
export function drawXy(sheet: Sheet, chart: Chart, space: Space): number {
  const plot = placePlot(sheet, chart, space)
  drawFrame(plot)
  for (const gap of chart.gaps) drawGap(plot, gap)
  for (const series of stackedOf(chart)) drawSeries(plot, series)
  drawMarkers(plot)
  drawEndLabels(plot, space)
  return drawTitle(plot, space)
}

function placePlot(sheet: Sheet, chart: Chart, space: Space): Plot {
  const { x, y, width } = space
  const isLarge = chart.spec.panels === undefined
  const height = isLarge ? Math.min(260, Math.max(180, Math.round(width * 0.5))) : 150
  const placed = [false, true].map((isRight) => placeValues(chart, isRight, height))
  const [main, other] = [placed[0]!, placed[1]!]
  const wide = ({ ticks }: PositionedAxis) =>
    Math.max(20, ...ticks.map(({ label }) => widthOf(label, letter)))
  const left = x + wide(main) + 8
  const labels = endLabelsOf(chart, width)
  const labelWidth = Math.max(0, ...labels.map((label) => widthOf(label, letter) + 26))
  const right = x + width - (chart.spec.right ? wide(other) + 10 : Math.max(labelWidth, 10))
  const top = drawTitles(sheet, chart, [main.title, other.title], {
    x: left,
    y,
    width: x + width - left,
  })
  const lowered = (axis: PositionedAxis) => ({
    ...axis,
    at: (value: number) => top + axis.at(value),
  })
  const values = xValues(chart)
  // Bars around the first and the last place have their whole width.
  const isBinned = chart.series.some(({ data }) => data.some(hasEnd))
  const hasBars = !isBinned && chart.series.some(({ mark }) => mark === 'bar')
  const slot = (right - left) / (2 * Math.max(1, new Set(values).size))
  const inset = hasBars ? Math.max(4, Math.min(24, slot)) : 4
  const across = placeAxis(chart.x, values, {
    range: [left + inset, right - inset],
    count: Math.ceil((right - left) / 90),
    isTight: true,
  })
  const bottom = top + height
  return {
    sheet,
    chart,
    left,
    right,
    top,
    bottom,
    x: across,
    y: lowered(main),
    other: lowered(other),
  }
}

/** A value axis of a plot whose upper edge is at 0. */
function placeValues(chart: Chart, isRight: boolean, height: number): PositionedAxis {
  const own = stackedOf(chart).filter(({ axis }) => (axis === 'right') === isRight)
  const values = own.flatMap(({ data, baselines, mark }) => [
    ...data.flatMap(({ y }) => (mark === 'bar' ? y.slice(0, 1) : y)),
    ...(baselines ?? []),
  ])
  const axis = isRight ? (chart.spec.right ?? chart.y) : chart.y
  return placeAxis(
    axis,
    values.filter((value) => value !== null),
    {
      range: [height, 0],
      count: height / 36,
      zero:
        chart.spec.kind === 'ladder' || chart.series.some(({ mark }) => zeroMarks.includes(mark)),
    },
  )
}

/** Titles of the value axes above the plot. @returns its upper edge */
function drawTitles(
  sheet: Sheet,
  { spec }: Chart,
  [main, other]: readonly [string, string],
  { x, y, width }: Space,
): number {
  const { faint: color } = sheet.theme
  let line = y + lineHeight - 4
  if (spec.right) {
    sheet.text(x + width, line, fitText(other, width, letter), { anchor: 'end', color })
    if (widthOf(main, letter) + widthOf(other, letter) + 12 > width) line += lineHeight
  }
  return sheet.lines(x, line, main, width, { color }) - lineHeight + 8
}

/** Values on x, with the ends of bins and gaps. */
function xValues({ series, gaps, x }: Chart): number[] {
  const values = series.flatMap(({ data, mark }) =>
    data.flatMap((datum) => (mark === 'bar' ? [datum.x, datum.y[1] ?? null] : [datum.x])),
  )
  const bounds = gaps.flatMap(({ from, to }) => [readValue(from, x), readValue(to, x)])
  return [...values, ...bounds].filter((value) => value !== null)
}

function drawFrame({ sheet, chart, left, right, bottom, x, y: main, other }: Plot): void {
  const { grid, axis, faint } = sheet.theme
  for (const { value, label } of main.ticks) {
    const y = main.at(value)
    const color = value === 0 ? axis : grid
    sheet.add(lineBetween({ x: left, y }, { x: right, y }, { color, width: 0.8 }))
    sheet.tryText(left - 6, y + 4, label, { anchor: 'end', color: faint })
  }
  for (const { value, label } of chart.spec.right ? other.ticks : [])
    sheet.tryText(right + 6, other.at(value) + 4, label, { color: faint })
  sheet.add(
    lineBetween({ x: left, y: bottom }, { x: right, y: bottom }, { color: axis, width: 0.8 }),
  )
  for (const { value, label } of x.ticks) {
    const at = x.at(value)
    if (!sheet.tryText(at, bottom + lineHeight, label, { anchor: 'middle', color: faint })) continue
    sheet.add(
      lineBetween({ x: at, y: bottom }, { x: at, y: bottom + 4 }, { color: axis, width: 0.8 }),
    )
  }
}

/** Title of the x axis, in the middle of the plot. @returns the y coordinate below it */
function drawTitle(
  { sheet, left, right, bottom, x: { title } }: Plot,
  { x, width }: Space,
): number {
  const { faint: color } = sheet.theme
  const lines =
    title === '' ? [] : breakLines(title, Math.min(width, 2 * (right - x) - (right - left)))
  for (const [index, line] of lines.entries()) {
    const y = bottom + (index + 2) * lineHeight + 2
    sheet.text((left + right) / 2, y, line, { anchor: 'middle', color })
  }
  return bottom + (lines.length + 1) * lineHeight + 8
}

function drawGap(
  { sheet, chart, x, top, bottom }: Plot,
  { from, to }: Chart['gaps'][number],
): void {
  const [first, last] = [readValue(from, chart.x), readValue(to, chart.x)]
  if (first === null || last === null) return
  // One sample without data is seen, too.
  const box = bar({ x: x.at(first), y: top }, { x: x.at(last), y: bottom }, 6)
  sheet.add(...gapShapes(box, sheet.theme))
}

type Stacked = ReturnType<typeof stackedOf>[number]

function drawSeries(plot: Plot, series: Stacked): void {
  const { sheet, chart } = plot
  const y = axisOf(plot, series)
  const name = chart.title === '' ? series.label : `${chart.title}, ${series.label}`
  for (const { row, x, y: values } of series.data) {
    const value = values.at(series.mark === 'bar' ? 0 : -1) ?? null
    // Places that a stack needs are no rows of the table.
    if (x !== null && value !== null && row >= 0)
      sheet.spot({ x: plot.x.at(x), y: y.at(value) }, row, name)
  }
  if (series.mark === 'bar') drawBars(plot, series)
  else if (series.mark === 'interval') drawIntervals(plot, series)
  else for (const stretch of stretchesOf(series)) sheet.add(...stretchShapes(plot, series, stretch))
}

/** A datum with an x, and the two edges of its area. */
interface AreaPoint {
  readonly x: number
  readonly low: number
  readonly high: number
}

/** Runs of data with values: a line breaks at a gap. */
function stretchesOf({ data, baselines: floors, mark, role }: Stacked): AreaPoint[][] {
  const stretches: AreaPoint[][] = [[]]
  const sorted = data
    .map((datum, index) => ({ ...datum, floor: floors?.[index] ?? 0 }))
    .toSorted((a, b) => (a.x ?? 0) - (b.x ?? 0))
  for (const { x, y, floor } of sorted) {
    const high = y.at(-1) ?? null
    const low = mark === 'band' ? (y[0] ?? null) : floor
    if (x === null || high === null || low === null) stretches.push([])
    else stretches.at(-1)!.push({ x, low, high })
  }
  const filled = stretches.filter((stretch) => stretch.length > 0)
  // Scattered points belong to no line.
  return mark === 'point' && role !== 'limit' ? [filled.flat()] : filled
}

function stretchShapes(plot: Plot, series: Stacked, stretch: readonly AreaPoint[]): Shape[] {
  const y = axisOf(plot, series)
  const style = styleOfSeries(plot.sheet.theme, series)
  const { color, dash, mark } = style
  const at = (x: number, value: number): Point => ({ x: plot.x.at(x), y: y.at(value) })
  const on = stretch.map(({ x, high }) => at(x, high))
  const points = series.mark === 'step' ? stepped(on) : on
  const isBand = series.mark === 'band'
  const line: Shape = { kind: 'line', points, stroke: { color, width: isBand ? 0.9 : 1.8, dash } }
  const isFilled = series.mark === 'area' || isBand
  const under = stretch.map(({ x, low }) => at(x, low)).toReversed()
  const fill: Shape = {
    kind: 'area',
    points: [...on, ...under],
    fill: color,
    opacity: isBand ? 0.18 : 0.3,
  }
  const isMarked =
    series.mark === 'point' || (!isFilled && series.role !== 'limit') || stretch.length === 1
  const every = series.mark === 'point' ? 1 : Math.max(1, Math.ceil(on.length / 6))
  const isHollow = series.role === 'estimate' || series.role === 'assumption'
  const marks = on
    .filter((_, index) => index % every === every >> 1)
    .map(
      (point): Shape => ({
        kind: 'mark',
        form: mark,
        ...point,
        size: series.mark === 'point' ? 8 : 6,
        color,
        isHollow,
        fill: plot.sheet.theme.paper,
      }),
    )
  return [
    ...(isFilled && stretch.length > 1 ? [fill] : []),
    ...(series.mark !== 'point' && stretch.length > 1 && !series.isInner ? [line] : []),
    ...(isBand && stretch.length > 1 ? [{ ...line, points: under }] : []),
    ...(isMarked ? marks : []),
  ]
}

const stepped = (points: readonly Point[]): Point[] =>
  points.flatMap((point, index) => {
    const before = points[index - 1]
    return before ? [{ x: point.x, y: before.y }, point] : [point]
  })

/** Upright ranges with their middles. */
function drawIntervals(plot: Plot, series: Stacked): void {
  const { sheet, x } = plot
  const y = axisOf(plot, series)
  const { color } = styleOfSeries(sheet.theme, series)
  for (const { x: at, y: values } of series.data) {
    if (at === null) continue
    const placed = (value: number, offset: number) => ({ x: x.at(at) + offset, y: y.at(value) })
    sheet.add(...intervalShapes(endsOf(values), placed, { color, paper: sheet.theme.paper }))
  }
}

/** Upright bars: bins from x to the second value, or bars around x. */
function drawBars(plot: Plot, series: Stacked): void {
  const { sheet, chart, x, left, right } = plot
  const { color } = styleOfSeries(sheet.theme, series)
  const y = axisOf(plot, series)
  const groups = [
    ...new Set(
      chart.series.filter(({ mark }) => mark === 'bar').map(({ stack, id }) => stack ?? id),
    ),
  ]
  const group = groups.indexOf(series.stack ?? series.id)
  const places = [...new Set(series.data.flatMap((datum) => datum.x ?? []))].toSorted(
    (a, b) => a - b,
  )
  const apart = places.slice(1).map((itemIndex, index) => x.at(itemIndex) - x.at(places[index]!))
  const width = (Math.min(40, ...apart) * 0.8) / groups.length
  for (const [index, datum] of series.data.entries()) {
    const value = datum.y[0] ?? null
    if (datum.x === null) continue
    const begin = x.at(datum.x) + (group - groups.length / 2) * width
    if (value === null) {
      const base = y.at(Math.min(Math.max(0, y.low), y.high))
      const height = 14
      sheet.add(...gapShapes({ x: begin, y: base - height, width, height }, sheet.theme))
      continue
    }
    const [from, to] = hasEnd(datum)
      ? [x.at(datum.x) + 1, x.at(datum.y[1]!) - 1]
      : [begin, begin + width]
    const inside = (at: number) => Math.min(right, Math.max(left, at))
    const box = bar(
      { x: inside(from), y: y.at(series.baselines?.[index] ?? 0) },
      { x: inside(to), y: y.at(value) },
    )
    sheet.add(...barShapes(box, color, series.style))
  }
}

const hasEnd = ({ y }: Datum) => (y[1] ?? null) !== null

/** Upright lines, then their labels, so that no line crosses a label. */
function drawMarkers({ sheet, chart, x, left, right, top, bottom }: Plot): void {
  const placed = chart.markers.flatMap(({ at, label, tone }) => {
    const value = readValue(at, chart.x)
    const place = value === null ? Number.NaN : x.at(value)
    const { edge: color } = sheet.theme.tones[tone]
    return place >= left - 1 && place <= right + 1 ? [{ at: place, label, color }] : []
  })
  for (const { at, color } of placed) {
    sheet.add(
      lineBetween({ x: at, y: top }, { x: at, y: bottom }, { color, width: 1.2, dash: [3, 3] }),
    )
  }
  const halo = sheet.theme.paper
  const rows = [top - 8, top + 12, top + 12 + lineHeight, top + 12 + 2 * lineHeight]
  for (const { at, label, color } of placed)
    if (label !== '')
      rows.some((y) => sheet.tryText(at, y, label, { anchor: 'middle', color, halo }))
}

function drawEndLabels(plot: Plot, { width }: Space): void {
  const { sheet, chart, x, right, top, bottom } = plot
  const labels = endLabelsOf(chart, width)
  const ends = labels.flatMap((label) => {
    const own = stackedOf(chart).filter((one) => one.label === label)
    const last = own
      .flatMap((one) => {
        const end = stretchesOf(one).at(-1)?.at(-1)
        return end ? [{ series: one, ...end }] : []
      })
      .toSorted((a, b) => a.x - b.x)
      .at(-1)
    if (!last) return []
    const isArea = last.series.mark === 'area'
    const value = isArea ? (last.low + last.high) / 2 : last.high
    return [
      {
        label,
        from: { x: x.at(last.x), y: axisOf(plot, last.series).at(value) },
        style: styleOfSeries(sheet.theme, last.series),
      },
    ]
  })
  const places = spread(
    ends.map(({ from }) => from.y),
    lineHeight,
    [top, bottom],
  )
  for (const [index, { label, from, style }] of ends.entries()) {
    const y = places[index]!
    const { color, mark } = style
    sheet.add(
      lineBetween(
        { x: Math.max(from.x, right - 4) + 2, y: from.y },
        { x: right + 8, y },
        { color, width: 0.8 },
      ),
      { kind: 'mark', form: mark, x: right + 13, y, size: 7, color, isHollow: false },
    )
    sheet.text(right + 21, y + 4, label)
  }
}

/** Moves values to a minimum distance, each as little as possible. */
function spread(
  wanted: readonly number[],
  distance: number,
  [low, high]: readonly [number, number],
): number[] {
  const order = wanted
    .map((y, index) => ({ y, index }))
    .toSorted((a, b) => a.y - b.y || a.index - b.index)
  let floor = low
  for (const one of order) {
    one.y = Math.max(one.y, floor)
    floor = one.y + distance
  }
  let roof = Math.max(high, low + (order.length - 1) * distance)
  for (const one of order.toReversed()) {
    one.y = Math.min(one.y, roof)
    roof = one.y - distance
  }
  return order.toSorted((a, b) => a.index - b.index).map(({ y }) => y)
}
