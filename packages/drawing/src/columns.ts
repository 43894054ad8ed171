import { isNarrow, type Paper, usualPaper } from './paper.ts'
import { breakText, fitText, type Shape, textAt } from './picture.ts'

/** Where a cell of a row stands. */
export interface TableCell {
  readonly x: number
  readonly end: number
  /** How much lower than the first line of its row. */
  readonly drop: number
}

/** Cells of every row of a table, by their names. */
export interface Columns<Name extends string> {
  readonly of: Readonly<Record<Name, TableCell>>
  /** How much higher a row is than one that stands in one line. */
  readonly more: number
  readonly isStacked: boolean
  /** Words in a cell of the row whose first line stands at `y`, cut where they have no room. */
  readonly words: (name: Name, y: number, text: string, more?: TextStyle) => Shape
}

type TextStyle = NonNullable<Parameters<typeof textAt>[3]>
type Ends = readonly [x: number, end: number]

/** From one line of a stacked row to the next. */
const lineHeight = 16
const edge = 8
/** Narrower columns have a mark or nothing, and keep their width. */
const minShared = 44

/**
 * Columns of a table: on the paper of a report where they are told to be, on a wide screen stretched with it, on a narrow one in
 * lines below each other, where the cells of a line share its room as they do on usual paper.
 *
 * @param usual where each column begins and ends on usual paper
 * @param lines every column, by the lines of narrow paper
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
  const room = width - (line.length + 1) * edge - fixed
  const whole = sum(line) - fixed
  let x = edge
  return line.map((name) => {
    const cell = {
      x,
      end: x + (isFixed(name) ? widthOf(name) : (room * widthOf(name)) / whole),
      drop,
    }
    x = cell.end + edge
    return [name, cell] as const
  })
}

/**
 * Words between two edges: in a report in one line, cut where that ends; on a screen in as many as they need.
 *
 * @param y of the first line
 * @returns the shapes, and how much higher they are than one line
 */
export function lineOn(
  paper: Paper,
  line: { readonly x: number; readonly end: number; readonly y: number },
  text: string,
  more: TextStyle = {},
): { readonly shapes: Shape[]; readonly more: number } {
  if (paper.leastLetter > 0) return linesOn(paper, line, text, more)
  return { shapes: [wordsIn(paper, { ...line, drop: 0 }, line.y, text, more)], more: 0 }
}

/** Letters as large as a paper wants them: what is cut to its room is cut at the size in which it is read. */
export const letterOn = ({ leastLetter }: Paper, size: number): number =>
  Math.max(size, leastLetter)

/** Words within a cell, cut where they have no room. @param y of the first line of the row */
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
 * A sentence above or below what is drawn: in a report in one line, cut where that ends; on a screen in as many as it needs.
 *
 * @returns the shapes, and how much higher they are than one line
 */
export function noteOn(
  paper: Paper,
  { x, y }: { readonly x: number; readonly y: number },
  text: string,
  more: Omit<TextStyle, 'anchor'> = {},
): { readonly shapes: Shape[]; readonly more: number } {
  if (paper.leastLetter === 0) {
    const fitted = fitText(text, paper.width - 2 * x, more.size ?? 10, more.isBold)
    return { shapes: [textAt(x, y, fitted, more)], more: 0 }
  }
  return linesOn(paper, { x, end: paper.width - edge, y }, text, more)
}

/**
 * Words between two edges of a screen in as many lines as they need, none of them cut.
 *
 * @param y of the first line
 * @returns the shapes, and how much higher they are than one line
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
