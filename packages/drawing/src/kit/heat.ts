import { fitText, lineBetween, type Shape, widthOf } from '../picture.ts'
import { maxRows } from './bars.ts'
import type { Chart, Datum, DrawnSeries } from './data.ts'
import { classShapes, gapShapes, tint } from './marks.ts'
import { printValue } from './numbers.ts'
import { breakLines, letter, lineHeight, type Sheet } from './sheet.ts'
import type { Rect } from './theme.ts'
import type { Space } from './xy.ts'

const cellHeight = 26
const gap = 3
/** Narrower cells go below the name of their row. */
const minCell = 76
/** Shades of numbers. */
const shades = 8

/** Cells of rows and columns in the color of a class, or of a number in eight shades. @returns the y coordinate below it */
export function drawHeat(sheet: Sheet, chart: Chart, { x, y, width }: Space): number {
  const { series } = chart
  const named = new Map(series.flatMap(({ data }) => data.map(({ key, text }) => [key, text])))
  const rows = [...named].slice(0, maxRows)
  const widest = Math.max(0, ...rows.map(([, name]) => widthOf(name, letter)))
  const nameWidth = Math.min(widest, width * 0.34)
  const hasWords = series.some((one) => one.y.length > 1)
  const fitting = (reservedWidth: number) => (width - reservedWidth) / Math.max(1, series.length)
  const isStacked = fitting(nameWidth + 12) < (hasWords ? minCell + 24 : 14) || width < 480
  const left = isStacked ? x : x + nameWidth + 12
  const cell = (x + width - left) / Math.max(1, series.length)
  const { faint } = sheet.theme
  for (const [index, { label }] of series.entries())
    sheet.tryText(
      left + index * cell + cell / 2,
      y + 12,
      fitText(label, Math.max(cell - 8, 30), letter),
      { anchor: 'middle', color: faint },
    )
  const shadeOf = shadesOf(series)
  let top = y + lineHeight + 4
  for (const [key, name] of rows) {
    const lines = breakLines(name, isStacked ? width : nameWidth)
    const first = isStacked ? top + 12 : top + cellHeight / 2 + 4
    for (const [index, line] of lines.entries())
      sheet.text(isStacked ? x : left - 12, first + index * lineHeight, line, {
        anchor: isStacked ? 'start' : 'end',
      })
    const begin = isStacked ? top + lines.length * lineHeight + 2 : top
    for (const [index, one] of series.entries()) {
      const datum = one.data.find((other) => other.key === key)
      const box = {
        x: left + index * cell,
        y: begin,
        width: Math.max(1, cell - gap),
        height: cellHeight,
      }
      if (datum) drawCell(sheet, chart, { series: one, datum, box, shade: shadeOf(datum) })
    }
    top =
      Math.max(begin + cellHeight, isStacked ? 0 : top + lines.length * lineHeight) +
      (isStacked ? 8 : gap)
  }
  return top + 4
}

/** Shade of a number from 1 to 8, by where it lies between the least and the most. */
function shadesOf(series: readonly DrawnSeries[]): (datum: Datum) => number | null {
  const values = series.flatMap(({ data }) => data.flatMap(({ y }) => y[0] ?? []))
  const [low, high] = [Math.min(...values), Math.max(...values)]
  return ({ y: [value = null] }) => {
    if (value === null) return null
    return low === high
      ? shades / 2
      : 1 + Math.min(shades - 1, Math.floor(((value - low) / (high - low)) * shades))
  }
}

interface Cell {
  readonly series: DrawnSeries
  readonly datum: Datum
  readonly box: Rect
  readonly shade: number | null
}

function drawCell(sheet: Sheet, { spec, title }: Chart, { series, datum, box, shade }: Cell): void {
  const { theme } = sheet
  const [key = null, text = null] = datum.cells
  const one = spec.classes?.find(({ value }) => value === key)
  const shapes: Shape[] = one
    ? classShapes(box, one, theme)
    : shade === null
      ? gapShapes(box, theme)
      : [tint(box, theme.series[0]!, shade / (shades + 2))]
  sheet.add(...shapes)
  if (datum.class !== null) sheet.add(...frame(box, theme.tones.bad.edge))
  const name = title === '' ? series.label : `${title}, ${series.label}`
  sheet.spot({ x: box.x + box.width / 2, y: box.y + box.height / 2 }, datum.row, name)
  const cellText = key === null ? '—' : printCell(text)
  if (cellText !== null && widthOf(cellText, letter) <= box.width - 8) {
    const halo = {
      halo: one?.isHatched ? theme.paper : one ? theme.tones[one.tone].tint : theme.paper,
    }
    sheet.text(box.x + box.width / 2, box.y + box.height / 2 + 4, cellText, {
      anchor: 'middle',
      ...halo,
    })
  }
}

/** Short form of a number; other texts are unchanged. */
const printCell = (text: string | null) =>
  text !== null && /^-?\d+(\.\d+)?$/.test(text) ? printValue(Number(text)) : text

/** A frame around a cell that needs attention. */
function frame({ x, y, width, height }: Rect, color: string): Shape[] {
  const [a, b, c, d] = [
    { x: x + 1, y: y + 1 },
    { x: x + width - 1, y: y + 1 },
    { x: x + width - 1, y: y + height - 1 },
    { x: x + 1, y: y + height - 1 },
  ] as const
  const stroke = { color, width: 2 }
  return [
    lineBetween(a, b, stroke),
    lineBetween(b, c, stroke),
    lineBetween(c, d, stroke),
    lineBetween(d, a, stroke),
  ]
}
