import { isNarrow, type Paper, usualPaper } from './paper.ts'
import { breakText, fitText, type Shape, textAt } from './picture.ts'

export interface TableCell {
  readonly x: number
  readonly end: number
  /** How much lower than the first line of its row. */
  readonly drop: number
}

/** Cells of every row of a table, by their names. */
export interface Columns<Name extends string> {
  readonly of: Readonly<Record<Name, TableCell>>
  /** Extra height of a row beyond a single line. */
  readonly more: number
  readonly isStacked: boolean
  /** Text in a cell of the row with first line at `y`, truncated to fit. */
  readonly words: (name: Name, y: number, text: string, more?: TextStyle) => Shape
}

type TextStyle = NonNullable<Parameters<typeof textAt>[3]>
type Ends = readonly [x: number, end: number]

/** From one line of a stacked row to the next. */
const lineHeight = 16
const edge = 8
/** Narrower columns contain a mark or are empty, and retain their width. */
const minShared = 44

/**
 * Column layout of a table: given positions on report paper, stretched on a wide screen. On a
 * narrow screen, rows wrap into lines whose cells share the width in the usual proportions.
 *
 * @param usual start and end of the columns on usual paper
 * @param lines all columns, by line
 */
export function columnsOn<Name extends string>(
  paper: Paper,
  usual: Readonly<Record<Name, Ends>>,
  lines: readonly (readonly Name[])[],
): Columns<Name> {
  const isStacked = isNarrow(paper)
  const scale = paper.width / usualPaper.width
  // The members of a record are its names.
  const names = Object.entries(usual) as [Name, Ends][]
  const cells = isStacked
    ? lines.flatMap((line, index) => sharedLine(line, usual, paper.width, index * lineHeight))
    : names.map(([name, [x, end]]) => [name, { x: x * scale, end: end * scale, drop: 0 }] as const)
  const of = Object.fromEntries(cells) as Record<Name, TableCell>
  return {
    of,
    isStacked,
    more: isStacked ? (lines.length - 1) * lineHeight : 0,
    words: (name, y, text, more = {}) => wordsIn(paper, of[name], y, text, more),
  }
}

function sharedLine<Name extends string>(
  line: readonly Name[],
  usual: Readonly<Record<Name, Ends>>,
  width: number,
  drop: number,
): (readonly [Name, TableCell])[] {
  const widthOf = (name: Name) => usual[name][1] - usual[name][0]
  const isFixed = (name: Name) => widthOf(name) < minShared
  const sum = (names: readonly Name[]) => names.reduce((all, name) => all + widthOf(name), 0)
  const fixed = sum(line.filter(isFixed))
  const availableWidth = width - (line.length + 1) * edge - fixed
  const whole = sum(line) - fixed
  let x = edge
  return line.map((name) => {
    const cell = {
      x,
      end: x + (isFixed(name) ? widthOf(name) : (availableWidth * widthOf(name)) / whole),
      drop,
    }
    x = cell.end + edge
    return [name, cell] as const
  })
}

/**
 * Text between two edges: on report paper one truncated line, on a screen as many lines as needed.
 *
 * @param y of the first line
 * @returns the shapes, and their extra height beyond one line
 */
export function lineOn(
  paper: Paper,
  line: { readonly x: number; readonly end: number; readonly y: number },
  text: string,
  more: TextStyle = {},
): { readonly shapes: Shape[]; readonly more: number } {
  if (paper.minFontSize > 0) return linesOn(paper, line, text, more)
  return { shapes: [wordsIn(paper, { ...line, drop: 0 }, line.y, text, more)], more: 0 }
}

/** Font size with the minimum of the paper, so text is measured and truncated at its final size. */
export const letterOn = ({ minFontSize }: Paper, size: number): number =>
  Math.max(size, minFontSize)

/** Text within a cell, truncated to fit. @param y of the first line of the row */
export function wordsIn(
  paper: Paper,
  { x, end, drop }: TableCell,
  y: number,
  text: string,
  more: TextStyle,
): Shape {
  const { size = 10, anchor, isBold } = more
  const at = anchor === 'end' ? end : anchor === 'middle' ? (x + end) / 2 : x
  return textAt(at, y + drop, fitText(text, end - x, letterOn(paper, size), isBold), more)
}

/**
 * A sentence above or below the chart: on report paper one truncated line, on a screen as many
 * lines as needed.
 *
 * @returns the shapes, and their extra height beyond one line
 */
export function noteOn(
  paper: Paper,
  { x, y }: { readonly x: number; readonly y: number },
  text: string,
  more: Omit<TextStyle, 'anchor'> = {},
): { readonly shapes: Shape[]; readonly more: number } {
  if (paper.minFontSize === 0) {
    const fitted = fitText(text, paper.width - 2 * x, more.size ?? 10, more.isBold)
    return { shapes: [textAt(x, y, fitted, more)], more: 0 }
  }
  return linesOn(paper, { x, end: paper.width - edge, y }, text, more)
}

/**
 * Text between two screen edges, wrapped without truncation.
 *
 * @param y of the first line
 * @returns the shapes, and their extra height beyond one line
 */
export function linesOn(
  paper: Paper,
  { x, end, y }: { readonly x: number; readonly end: number; readonly y: number },
  text: string,
  more: TextStyle = {},
): { readonly shapes: Shape[]; readonly more: number } {
  const { size = 10, anchor, isBold } = more
  const at = anchor === 'end' ? end : anchor === 'middle' ? (x + end) / 2 : x
  const lines = breakText(text, end - x, letterOn(paper, size), isBold)
  return {
    shapes: lines.map((line, index) => textAt(at, y + index * lineHeight, line, more)),
    more: Math.max(0, lines.length - 1) * lineHeight,
  }
}
