import { fitText, lineBetween, type Shape, widthOf } from '../picture.ts'
import { maxRows } from './bars.ts'
import type { Chart, Datum, DrawnSeries } from './data.ts'
import { classShapes, gapShapes, smallClassShapes, tint } from './marks.ts'
import { printValue } from './numbers.ts'
import { breakLines, letter, lineHeight, type Sheet } from './sheet.ts'
import type { Rect } from './theme.ts'
import type { Space } from './xy.ts'

/** With words and without. */
const [cellHeight, shadeHeight] = [26, 16]
/** Narrowest cell without words right of the name of its row. */
const minShade = 9
const gap = 3
/** Narrower cells go below the name of their row. */
const minCell = 76
/** Widest and narrowest text that determines the width of a column. */
const [minText, maxText] = [44, 280]
const padding = 8
/** Lines of a text in a cell; the table has all. */
const maxLines = 12
/** Rows of a map of classes without words. From more rows than `maxRows` on, they are low. */
const maxCompactRows = 100
const [compactHeight, compactGap] = [6, 1]
/** In low rows, every seventh row has a name, counted from the last. */
const namedRows = 7
/** Shades of numbers. */
const shades = 8

/** Number of rows that the chart draws; the table has all. */
export const maxHeatRows = (chart: Pick<Chart, 'series'>) =>
  hasCellWords(chart) || hasText(chart) ? maxRows : maxCompactRows

interface Line {
  readonly name: string
  /** One cell for each column; undefined without a datum. */
  readonly cells: readonly (Datum | undefined)[]
}

/** Cells are columns right of the name of their row or below it, or lines below it. */
interface Form {
  readonly kind: 'BESIDE' | 'BELOW' | 'LIST'
  readonly nameWidth: number
  readonly columns: readonly { readonly x: number; readonly width: number }[]
}

/**
 * Cells of rows and columns in the color of a class, or of a number in eight shades. A cell with an empty class is text.
 *
 * @returns the y coordinate below it
 */
export function drawHeat(sheet: Sheet, chart: Chart, space: Space): number {
  const { series } = chart
  const lines = linesOf(chart).slice(0, maxHeatRows(chart))
  const form = formOf(chart, lines, space)
  if (lines.length > maxRows && form.kind === 'BESIDE')
    return drawCompact(sheet, chart, { lines, form, space })
  const { faint, grid } = sheet.theme
  const isText = hasText(chart)
  const least = hasCellWords(chart) ? cellHeight : shadeHeight
  if (form.kind !== 'LIST')
    for (const [index, { x, width }] of form.columns.entries())
      sheet.tryText(
        isText ? x + 2 : x + width / 2,
        space.y + 12,
        fitText(series[index]!.label, Math.max(width - padding, 30), letter),
        { anchor: isText ? 'start' : 'middle', color: faint },
      )
  const shadeOf = shadesOf(series)
  let top = space.y + (form.kind === 'LIST' ? 2 : lineHeight + 4)
  for (const { name, cells } of lines) {
    const isBeside = form.kind === 'BESIDE'
    // Rows without a name continue the row above.
    if (isText && name !== '')
      sheet.add(
        lineBetween(
          { x: space.x, y: top - 2 },
          { x: space.x + space.width, y: top - 2 },
          { color: grid, width: 0.8 },
        ),
      )
    const names = breakLines(name, isBeside ? form.nameWidth : space.width, !isBeside, maxLines)
    for (const [index, line] of names.entries())
      sheet.text(space.x, top + (isBeside ? least / 2 + 4 : 12) + index * lineHeight, line, {
        isBold: !isBeside && form.kind === 'LIST',
      })
    const begin = isBeside ? top : top + names.length * lineHeight + 2
    const placed = placeCells(chart, cells, form, begin)
    for (const cell of placed) drawCell(sheet, chart, cell, shadeOf)
    const bottom = Math.max(begin, ...placed.map(({ box }) => box.y + box.height))
    const named = top + names.length * lineHeight + (least > shadeHeight ? 4 : 0)
    top = Math.max(bottom, named) + (isBeside ? gap : 8)
  }
  return top + 4
}

/** Equal adjacent cells of a row, or of several rows without a measurement. */
interface Block {
  readonly value: string | null
  /** Half-open ranges of columns and rows. */
  readonly columns: { readonly from: number; readonly to: number }
  readonly rows: { readonly from: number; readonly to: number }
}

/**
 * Cells as blocks, which keep the number of shapes small: runs of equal cells in a row. Runs for which
 * `isJoined` is true also join the same run of the row above.
 */
export function blocksOf(
  rows: readonly (readonly (string | null | undefined)[])[],
  isJoined: (value: string | null) => boolean,
): Block[] {
  const blocks: Block[] = []
  for (const [row, cells] of rows.entries()) {
    for (const { value, from, to } of runsOf(cells)) {
      const above = isJoined(value)
        ? blocks.findLastIndex(
            (block) =>
              block.rows.to === row &&
              block.value === value &&
              block.columns.from === from &&
              block.columns.to === to,
          )
        : -1
      const first = blocks[above]?.rows.from ?? row
      const block = { value, columns: { from, to }, rows: { from: first, to: row + 1 } }
      if (above < 0) blocks.push(block)
      else blocks[above] = block
    }
  }
  return blocks
}

function runsOf(cells: readonly (string | null | undefined)[]) {
  const runs: { value: string | null; from: number; to: number }[] = []
  for (const [column, value] of cells.entries()) {
    const last = runs.at(-1)
    if (value === undefined) continue
    if (last?.value === value && last.to === column) last.to = column + 1
    else runs.push({ value, from: column, to: column + 1 })
  }
  return runs
}

/** Many rows of classes: low rows, few names, and equal cells in one shape. */
function drawCompact(
  sheet: Sheet,
  chart: Chart,
  { lines, form, space }: { lines: readonly Line[]; form: Form; space: Space },
): number {
  const { classes = [] } = chart.spec
  const { theme } = sheet
  const { columns } = form
  const top = space.y + lineHeight + 4
  const yOf = (row: number) => top + row * (compactHeight + compactGap)
  for (const [index, { x, width }] of columns.entries())
    sheet.tryText(x + width / 2, space.y + 12, chart.series[index]!.label, {
      anchor: 'middle',
      color: theme.faint,
    })
  for (const [row, { name }] of lines.entries())
    if ((lines.length - 1 - row) % namedRows === 0)
      sheet.text(space.x, yOf(row) + compactHeight / 2 + 4, fitText(name, form.nameWidth, letter))
  const cells = lines.map((line) => line.cells.map((datum) => datum && (datum.cells[0] ?? null)))
  const isJoined = (value: string | null) =>
    classes.some((one) => one.value === value && (one.isHatched || one.tone === 'neutral'))
  for (const { value, columns: span, rows } of blocksOf(cells, isJoined)) {
    const [first, last] = [columns[span.from]!, columns[span.to - 1]!]
    const box = {
      x: first.x,
      y: yOf(rows.from),
      width: last.x + last.width - first.x - compactGap,
      height: yOf(rows.to) - yOf(rows.from) - compactGap,
    }
    const one = classes.find((other) => other.value === value)
    sheet.add(...(one ? smallClassShapes(box, one, theme) : gapShapes(box, theme)))
  }
  for (const [row, line] of lines.entries())
    for (const [index, datum] of line.cells.entries()) {
      const { x, width } = columns[index]!
      const name =
        chart.title === ''
          ? chart.series[index]!.label
          : `${chart.title}, ${chart.series[index]!.label}`
      if (datum) sheet.spot({ x: x + width / 2, y: yOf(row) + compactHeight / 2 }, datum.row, name)
    }
  return yOf(lines.length) + 4
}

const linesOf = ({ series }: Chart): Line[] => {
  const named = new Map(series.flatMap(({ data }) => data.map(({ key, text }) => [key, text])))
  return [...named].map(([key, name]) => ({
    name,
    cells: series.map(({ data }) => data.find((other) => other.key === key)),
  }))
}

/** True if the cells have texts, not only classes or numbers. */
const hasCellWords = ({ series }: Pick<Chart, 'series'>) =>
  series.some(({ mark, y }) => mark === 'text' || y.length > 1)

/** True if a cell has text without a class. */
const hasText = ({ series }: Pick<Chart, 'series'>) =>
  series.some(({ data }) => data.some(({ cells: [key] }) => key === ''))

function formOf({ series }: Chart, lines: readonly Line[], { x, width }: Space): Form {
  const hasWords = hasCellWords({ series })
  const widest = Math.max(0, ...lines.map(({ name }) => widthOf(name, letter)))
  const nameWidth = Math.min(widest, width * 0.34)
  const count = Math.max(1, series.length)
  const cell = (width - nameWidth - 12) / count
  const isWide = hasWords ? cell >= minCell + 24 && width >= 480 : cell >= minShade
  const left = isWide ? x + nameWidth + 12 : x
  const { widths, isCramped } = columnWidths(series, x + width - left, hasWords)
  const columns = widths.map((one, index) => ({
    x: left + widths.slice(0, index).reduce((sum, before) => sum + before, 0),
    width: one,
  }))
  if (isWide) return { kind: 'BESIDE', nameWidth, columns }
  return isCramped
    ? { kind: 'LIST', nameWidth, columns: series.map(() => ({ x, width })) }
    : { kind: 'BELOW', nameWidth, columns }
}

const longestWord = (datum: Datum) =>
  Math.max(0, ...(textOf(datum) ?? '').split(' ').map((word) => widthOf(word, letter)))

/** Columns at least as wide as their labels; the remaining width follows their texts. */
function columnWidths(series: readonly DrawnSeries[], width: number, hasWords: boolean) {
  const columns = series.map(({ data, label }) => {
    if (!hasWords) return { least: 0, wanted: 1 }
    const texts = data.map((datum) => widthOf(textOf(datum) ?? '', letter))
    const least = Math.max(widthOf(label, letter), minText) + 2 * padding
    return { least, wanted: Math.max(least, Math.min(Math.max(0, ...texts), maxText) + padding) }
  })
  const least = columns.reduce((sum, one) => sum + one.least, 0)
  const wanted = columns.reduce((sum, one) => sum + one.wanted, 0)
  const share = (own: number, total: number) => (total > 0 ? own / total : 1 / columns.length)
  const widths =
    least > width || wanted < width
      ? columns.map((one) => width * share(one.wanted, wanted))
      : columns.map(
          (one) => one.least + (width - least) * share(one.wanted - one.least, wanted - least),
        )
  const isBroken = series.some(({ data }, index) =>
    data.some((datum) => longestWord(datum) > widths[index]! - padding - gap),
  )
  return { widths, isCramped: isBroken || (hasText({ series }) && wanted > width) }
}

interface Cell {
  readonly series: DrawnSeries
  readonly datum: Datum
  readonly box: Rect
  readonly lines: readonly string[]
}

/** Cells of a row, all as high as the longest text; in a list, one below the other. */
function placeCells(
  { series }: Chart,
  cells: Line['cells'],
  { kind, columns }: Form,
  begin: number,
): Cell[] {
  const isList = kind === 'LIST'
  const least = hasCellWords({ series }) ? cellHeight : shadeHeight
  let y = begin
  const placed = cells.flatMap((datum, index): Cell[] => {
    if (!datum) return []
    const text = textOf(datum)
    if (isList && (text === null || text === '')) return []
    const { x, width } = columns[index]!
    const one = series[index]!
    const words = isList ? `${one.label}: ${text}` : text
    const lines = words === null ? [] : breakLines(words, width - padding - gap, false, maxLines)
    const height = isList
      ? lines.length * lineHeight + 4
      : Math.max(least, lines.length * lineHeight + 10)
    const cell = {
      series: one,
      datum,
      lines,
      box: { x, y, width: Math.max(1, width - gap), height },
    }
    if (isList) y += height + gap
    return [cell]
  })
  const height = Math.max(0, ...placed.map(({ box }) => box.height))
  return isList ? placed : placed.map((cell) => ({ ...cell, box: { ...cell.box, height } }))
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

function drawCell(
  sheet: Sheet,
  chart: Chart,
  { series, datum, box, lines }: Cell,
  shadeOf: (datum: Datum) => number | null,
): void {
  const { theme } = sheet
  const { spec, title } = chart
  const [key = null] = datum.cells
  const one = spec.classes?.find(({ value }) => value === key)
  const isPlain = key === ''
  const shade = shadeOf(datum)
  const shapes: Shape[] = one
    ? (hasCellWords(chart) ? classShapes : smallClassShapes)(box, one, theme)
    : shade === null
      ? gapShapes(box, theme)
      : [tint(box, theme.series[0]!, shade / (shades + 2))]
  if (!isPlain) sheet.add(...shapes)
  if (datum.class !== null) sheet.add(...frame(box, theme.tones.bad.edge))
  const name = title === '' ? series.label : `${title}, ${series.label}`
  sheet.spot({ x: box.x + box.width / 2, y: box.y + box.height / 2 }, datum.row, name)
  const isText = hasText(chart)
  const [x, anchor] = isText
    ? ([box.x + (isPlain ? 2 : padding), 'start'] as const)
    : ([box.x + box.width / 2, 'middle'] as const)
  const halo = one && !one.isHatched ? theme.tones[one.tone].tint : theme.paper
  const first = box.y + box.height / 2 + 4 - ((lines.length - 1) * lineHeight) / 2
  for (const [index, line] of lines.entries())
    if (widthOf(line, letter) <= box.width)
      sheet.text(x, (isText ? box.y + 17 : first) + index * lineHeight, line, { anchor, halo })
}

/** Text of a cell: null for a shade without words, a dash for a missing class or number. */
function textOf({ cells: [key = null, text = null] }: Datum): string | null {
  return key === null ? '—' : printCell(text)
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
