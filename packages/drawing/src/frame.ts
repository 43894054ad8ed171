import { isNarrow, type Paper } from './paper.ts'
import {
  fitText,
  ink,
  lineBetween,
  type Point,
  type SeriesStyle,
  type Shape,
  textAt,
  widthOf,
  wrapText,
} from './picture.ts'
import { extentOf, linearScale, niceDomain, niceTicks, printTick, type Scale } from './scale.ts'

/** A rectangle on paper. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** An axis: its scale on paper, and the places where it is labelled. */
export interface Axis {
  readonly scale: Scale
  readonly ticks: readonly { readonly value: number; readonly label: string }[]
  readonly title: string
}

const label = { size: 10, color: ink.faint } as const

/** An axis of numbers whose ends are ticks. @param count about how many ticks */
export function numberAxis(
  values: Iterable<number>,
  range: readonly [from: number, to: number],
  { title, count = 5, isTight = false }: { title: string; count?: number; isTight?: boolean },
): Axis {
  const extent = extentOf(values)
  const domain = isTight && extent[0] !== extent[1] ? extent : niceDomain(extent, count)
  const { values: places, step } = niceTicks(domain, count)
  const ticks = places.map((value) => ({ value, label: printTick(value, step) }))
  return { scale: linearScale(domain, range), ticks, title }
}

/** Grid, ticks and titles of a chart. The title of the y axis is above it, for readability. */
export function frameOf(box: Box, x: Axis, y: Axis): Shape[] {
  const bottom = box.y + box.height
  const right = box.x + box.width
  const shapes: Shape[] = []
  for (const { value, label: text } of y.ticks) {
    const at = y.scale.at(value)
    const color = value === 0 ? ink.axis : ink.grid
    shapes.push(lineBetween({ x: box.x, y: at }, { x: right, y: at }, { color, width: 0.7 }))
    shapes.push(textAt(box.x - 5, at + 3, text, { ...label, anchor: 'end' }))
  }
  for (const { value, label: text } of spaced(x)) {
    const at = x.scale.at(value)
    shapes.push(
      lineBetween({ x: at, y: bottom }, { x: at, y: bottom + 4 }, { color: ink.axis, width: 0.7 }),
    )
    shapes.push(textAt(at, bottom + 15, text, { ...label, anchor: 'middle' }))
  }
  shapes.push(
    lineBetween({ x: box.x, y: bottom }, { x: right, y: bottom }, { color: ink.axis, width: 0.7 }),
  )
  const [below, above] = [titleLines(x.title, box), titleLines(y.title, box)]
  for (const [row, text] of below.entries()) {
    const y = bottom + 30 + row * titleRow
    shapes.push(textAt(box.x + box.width / 2, y, text, { ...label, anchor: 'middle' }))
  }
  for (const [row, text] of above.toReversed().entries()) {
    shapes.push(textAt(Math.max(4, box.x - 40), box.y - 9 - row * titleRow, text, label))
  }
  return shapes
}

const titleRow = 13
/** Charts that are narrower break the titles of their axes. */
const narrowChart = 300

/** The title of an axis in as many lines as a narrow chart needs. */
const titleLines = (title: string, { x, width }: Box): string[] => {
  if (width >= narrowChart) return [title]
  // A title centered on a chart at the left edge has less width.
  const availableWidth = Math.min(width + 30, 2 * x + width - 8)
  return title === '' ? [] : wrapText(title, availableWidth, 11)
}

/** Ticks whose labels do not overlap. */
function spaced({ ticks, scale }: Pick<Axis, 'ticks' | 'scale'>): Axis['ticks'] {
  let end = -Infinity
  return ticks.filter(({ value, label: text }) => {
    const half = widthOf(text, label.size) / 2
    const at = scale.at(value)
    if (at - half < end + 5) return false
    end = at + half
    return true
  })
}

/** Ticks of an axis without a frame: all in a report, only non-overlapping ones on screen. */
export const ticksOn = (
  { minFontSize }: Paper,
  axis: Pick<Axis, 'ticks' | 'scale'>,
): Axis['ticks'] => (minFontSize === 0 ? axis.ticks : spaced(axis))

/** A label next to the end of a line. */
export interface EndLabel {
  readonly text: string
  readonly y: number
  readonly style: SeriesStyle
}

const rowHeight = 13

/**
 * Labels at the right of a chart, as close to their lines as possible without overlap. A thin line
 * connects a moved label.
 */
export function endLabels(
  labels: readonly EndLabel[],
  x: number,
  box: Box,
  availableWidth: number,
): Shape[] {
  const sorted = labels
    .map((one, index) => ({ ...one, index }))
    .sort((a, b) => a.y - b.y || a.index - b.index)
  const places = sorted.map(({ y }) => y)
  for (let i = 1; i < places.length; i += 1) {
    // Every index below the length has a place.
    places[i] = Math.max(places[i]!, places[i - 1]! + rowHeight)
  }
  const lowest = box.y + box.height
  for (let i = places.length - 1; i >= 0; i -= 1) {
    const limit = i === places.length - 1 ? lowest : places[i + 1]! - rowHeight
    places[i] = Math.min(places[i]!, limit)
  }
  return sorted.flatMap(({ text, y, style }, i): Shape[] => {
    const itemIndex = places[i]!
    const stroke = { color: style.color, width: 0.6 }
    const shapes: Shape[] = [lineBetween({ x: x + 2, y }, { x: x + 9, y: itemIndex }, stroke)]
    shapes.push({
      kind: 'mark',
      form: style.mark,
      x: x + 14,
      y: itemIndex,
      size: 6,
      color: style.color,
      isHollow: false,
    })
    shapes.push(
      textAt(x + 21, itemIndex + 3.2, fitText(text, availableWidth - 22, 10.5), { size: 10.5 }),
    )
    return shapes
  })
}

/** A series as a legend names it. */
export interface LegendEntry {
  readonly text: string
  readonly style: SeriesStyle
}

/**
 * Series names in rows, each filled to the available width. For paper too narrow for labels next to
 * a chart.
 */
export function legendRows(
  entries: readonly LegendEntry[],
  { x, y, width }: Omit<Box, 'height'>,
): { readonly shapes: Shape[]; readonly height: number } {
  const [size, rowHeight, sample, gap] = [11, 17, 22, 14]
  const shapes: Shape[] = []
  let [left, row] = [x, 0]
  for (const { text, style } of entries) {
    const fitted = fitText(text, width - sample - 6, size)
    const entryWidth = sample + 6 + widthOf(fitted, size)
    if (left > x && left + entryWidth > x + width) [left, row] = [x, row + 1]
    const at = y + row * rowHeight
    const stroke = { color: style.color, width: 1.6, dash: style.dash }
    shapes.push(
      lineBetween({ x: left, y: at }, { x: left + sample, y: at }, stroke),
      {
        kind: 'mark',
        form: style.mark,
        x: left + sample / 2,
        y: at,
        size: 5.5,
        color: style.color,
        isHollow: false,
      },
      textAt(left + sample + 6, at + 3.6, fitted, { size }),
    )
    left += entryWidth + gap
  }
  return { shapes, height: entries.length === 0 ? 0 : (row + 1) * rowHeight }
}

/** Box of one chart. On narrow paper the line names are below it, so the right margin is small. */
export const chartBox = (
  { x, y, height }: Omit<Box, 'width'>,
  rightMargin: number,
  paper: Paper,
): Box => ({ x, y, height, width: paper.width - x - (isNarrow(paper) ? 14 : rightMargin) })

/** A line with marks on some points, so that it is distinguishable without color. */
export function markedLine(points: readonly Point[], style: SeriesStyle): Shape[] {
  if (points.length === 0) return []
  const stroke = { color: style.color, width: 1.6, dash: style.dash }
  const line: Shape[] = points.length > 1 ? [{ kind: 'line', points, stroke }] : []
  const every = Math.max(1, Math.ceil(points.length / 6))
  // From the middle of a stretch, so that marks of lines that begin together do not cover each other.
  const marked = points.filter((_, index) => index % every === every >> 1)
  const mark = { kind: 'mark', form: style.mark, size: 5.5, color: style.color } as const
  return [...line, ...marked.map(({ x, y }): Shape => ({ ...mark, x, y, isHollow: false }))]
}

/** The area between two lines over the same places. */
export function areaBetween(
  lower: readonly Point[],
  upper: readonly Point[],
  fill: string,
  opacity: number,
): Shape[] {
  const isEmpty = lower.every(({ y }, index) => y === upper[index]?.y)
  if (isEmpty) return []
  return [{ kind: 'area', points: [...lower, ...upper.toReversed()], fill, opacity }]
}

/** Note for a chart without data. */
export function emptyNote(box: Box, text: string): Shape {
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  return textAt(middle.x, middle.y, text, { anchor: 'middle', color: ink.faint })
}

/** The same in as many lines as the box is narrow. */
export function emptyNotes(box: Box, text: string): Shape[] {
  const lines = wrapText(text, box.width - 4, 11)
  return lines.map((line, index) =>
    emptyNote({ ...box, y: box.y + (index - (lines.length - 1) / 2) * 15 }, line),
  )
}
