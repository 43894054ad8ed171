import { lineBetween, type Stroke, widthOf } from '../picture.ts'
import { maxRows, type Row, rowsOf } from './bars.ts'
import { type Chart, readValue } from './data.ts'
import { drawBar, laneHeight } from './row-marks.ts'
import { breakLines, letter, lineHeight, type Sheet } from './sheet.ts'
import { type PositionedAxis, placeAxis } from './ticks.ts'
import type { Space } from './xy.ts'

/** Shorter bars go below their texts. */
const minBars = 180
const gap = 12

interface Columns {
  readonly left: number
  readonly right: number
  /** Texts go above the bars. */
  readonly isStacked: boolean
  readonly nameWidth: number
  readonly noteWidth: number
  /** Notes that are only numbers are right-aligned. */
  readonly isRightAligned: boolean
  readonly end: number
}

interface PositionedRow extends Row {
  readonly y: number
  readonly height: number
  /** Upper edge of the first lane. */
  readonly laneTop: number
}

/** Bars, steps, intervals or spans in named rows over one value axis. @returns the y coordinate below it */
export function drawRows(sheet: Sheet, chart: Chart, space: Space): number {
  const rows = rowsOf(chart).slice(0, maxRows)
  const columns = placeColumns(rows, space)
  const top = space.y + (chart.markers.length > 0 ? lineHeight + 6 : 2)
  const placed = placeRows(rows, columns, top)
  const last = placed.at(-1)
  const bottom = last ? last.y + last.height : top
  const axis = placeValues(chart, rows, columns)
  const stretches = columns.isStacked ? placed : [{ laneTop: top, y: top, height: bottom - top }]
  drawGrid(sheet, axis, stretches)
  for (const row of placed) {
    for (const [index, lane] of row.lanes.entries())
      for (const one of lane) drawBar(sheet, chart, one, row.laneTop + index * laneHeight, axis)
  }
  drawMarkers(sheet, chart, axis, { y: space.y, stretches })
  const isLinked = chart.spec.kind === 'waterfall' && !columns.isStacked
  if (isLinked) drawLinks(sheet, placed, axis)
  for (const row of placed) drawWords(sheet, row, columns)
  return drawTicks(sheet, axis, columns, bottom)
}

function placeColumns(rows: readonly Row[], { x, width }: Space): Columns {
  const widest = (texts: readonly string[]) =>
    Math.max(0, ...texts.map((text) => widthOf(text, letter, true)))
  const [names, notes] = [
    widest(rows.map(({ name }) => name)),
    widest(rows.map(({ note }) => note)),
  ]
  const [nameWidth, noteWidth] = [Math.min(names, width * 0.34), Math.min(notes, width * 0.36)]
  const [left, right] = [x + nameWidth + gap, x + width - noteWidth - gap]
  const isRightAligned = rows.every(({ note }) => /^[+−]?[\d.,]+[kMBT]?$/.test(note))
  const end = x + width
  const isBroken = width < minBars * 2.7 && nameWidth < names
  if (!isBroken && right - left >= Math.max(minBars, width * 0.3))
    return { left, right, isStacked: false, nameWidth, noteWidth, isRightAligned, end }
  const availableWidth = width - 12
  const whole = {
    left: x + 2,
    right: x + width - 10,
    nameWidth: availableWidth,
    noteWidth: availableWidth,
  }
  return { ...whole, isStacked: true, isRightAligned, end }
}

function placeRows(rows: readonly Row[], columns: Columns, top: number): PositionedRow[] {
  let y = top
  return rows.map((row) => {
    const bars = row.lanes.length * laneHeight
    const words = wordsHeight(row, columns)
    const height = columns.isStacked ? words + bars + 12 : Math.max(bars, words) + 8
    const laneTop = columns.isStacked ? y + words + 4 : y + (height - bars) / 2
    const placed = { ...row, y, height, laneTop }
    y += height
    return placed
  })
}

const isOneLine = ({ name, note }: Row, { nameWidth: nameRoom }: Columns) =>
  widthOf(name, letter, true) + widthOf(note, letter) + gap <= nameRoom

function wordsHeight(row: Row, columns: Columns): number {
  const names = breakLines(row.name, columns.nameWidth, row.isTotal).length
  const notes = row.note === '' ? 0 : breakLines(row.note, columns.noteWidth).length
  if (!columns.isStacked) return Math.max(names, notes) * lineHeight
  return (isOneLine(row, columns) ? 1 : names + notes) * lineHeight
}

function placeValues(chart: Chart, rows: readonly Row[], { left, right }: Columns): PositionedAxis {
  const bars = rows.flatMap(({ lanes }) => lanes.flat())
  const marks = chart.markers.flatMap(({ at }) => readValue(at, chart.y) ?? [])
  const values = bars.flatMap(({ values: own }) => own.filter((value) => value !== null))
  const isTimeline = chart.spec.kind === 'timeline'
  return placeAxis(chart.y, [...values, ...marks], {
    range: [left, right],
    count: Math.max(2, (right - left) / 90),
    isTight: isTimeline,
    zero: !isTimeline,
  })
}

/** Vertical extent of upright lines: behind bars, not behind texts. */
type Stretch = Pick<PositionedRow, 'laneTop' | 'y' | 'height'>

function drawUpright(sheet: Sheet, x: number, stretches: readonly Stretch[], stroke: Stroke): void {
  for (const { laneTop, y, height } of stretches)
    sheet.add(lineBetween({ x, y: laneTop - 2 }, { x, y: y + height - 2 }, stroke))
}

function drawGrid(sheet: Sheet, axis: PositionedAxis, stretches: readonly Stretch[]): void {
  const { grid, axis: dark } = sheet.theme
  for (const { value } of axis.ticks) {
    const stroke = value === 0 ? { color: dark, width: 1 } : { color: grid, width: 0.8 }
    drawUpright(sheet, axis.at(value), stretches, stroke)
  }
}

function drawTicks(
  sheet: Sheet,
  axis: PositionedAxis,
  { left, right }: Columns,
  bottom: number,
): number {
  const { faint: color } = sheet.theme
  for (const { value, label } of axis.ticks)
    sheet.tryText(axis.at(value), bottom + lineHeight, label, { anchor: 'middle', color })
  const y = bottom + 2 * lineHeight + 2
  if (axis.title === '') return bottom + lineHeight + 8
  if (widthOf(axis.title, letter) > right - left + gap)
    return sheet.lines(left, y, axis.title, right - left, { color }) - 8
  sheet.text((left + right) / 2, y, axis.title, { anchor: 'middle', color })
  return y + 8
}

function drawWords(sheet: Sheet, row: PositionedRow, columns: Columns): void {
  const { name, note, isTotal: isBold, y, height } = row
  const { left, right, nameWidth: nameRoom, noteWidth: noteRoom, isRightAligned, end } = columns
  const { faint: color } = sheet.theme
  const names = breakLines(name, nameRoom, isBold)
  const notes = note === '' ? [] : breakLines(note, noteRoom)
  if (columns.isStacked) {
    const isExtension = isOneLine(row, columns)
    for (const [index, line] of names.entries())
      sheet.text(left, y + 12 + index * lineHeight, line, { isBold })
    const below = isExtension ? y + 12 : y + 12 + names.length * lineHeight
    for (const [index, line] of notes.entries()) {
      const place = isExtension
        ? { x: right, anchor: 'end' as const }
        : { x: left, anchor: 'start' as const }
      sheet.text(place.x, below + index * lineHeight, line, { anchor: place.anchor, color })
    }
    return
  }
  const first = (count: number) => y + height / 2 + 4 - ((count - 1) * lineHeight) / 2
  for (const [index, line] of names.entries())
    sheet.text(left - gap, first(names.length) + index * lineHeight, line, {
      anchor: 'end',
      isBold,
    })
  const [x, anchor] = isRightAligned ? [end, 'end' as const] : [right + gap, 'start' as const]
  for (const [index, line] of notes.entries())
    sheet.text(x, first(notes.length) + index * lineHeight, line, { anchor, color })
}

/** Lines from the end of a step to the begin of the next. */
function drawLinks(sheet: Sheet, rows: readonly PositionedRow[], axis: PositionedAxis): void {
  for (const [index, { lanes, laneTop }] of rows.entries()) {
    const end = lanes[0]?.find(({ series }) => series.mark !== 'interval')?.values[1] ?? null
    const next = rows[index + 1]
    if (end === null || !next) continue
    const x = axis.at(end)
    const stroke = { color: sheet.theme.axis, width: 0.8, dash: [2, 2] }
    sheet.add(lineBetween({ x, y: laneTop + laneHeight - 2 }, { x, y: next.laneTop + 2 }, stroke))
  }
}

function drawMarkers(
  sheet: Sheet,
  { markers, y: valueAxis }: Chart,
  axis: PositionedAxis,
  { y, stretches }: { readonly y: number; readonly stretches: readonly Stretch[] },
): void {
  for (const { at, label, tone } of markers) {
    const value = readValue(at, valueAxis)
    if (value === null) continue
    const x = axis.at(value)
    const { edge: color } = sheet.theme.tones[tone]
    drawUpright(sheet, x, stretches, { color, width: 1, dash: [3, 3] })
    sheet.tryText(x, y + 12, label, { anchor: 'middle', color })
  }
}
