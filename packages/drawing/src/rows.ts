import { isNarrow, type Paper } from './paper.ts'
import { fitText, type Shape, textAt, widthOf } from './picture.ts'

/**
 * Layout of bar rows with name and value: next to the bar on wide paper, in a line above it on
 * narrow paper.
 */
export interface NamedRows {
  /** Where bars begin and end. */
  readonly left: number
  readonly right: number
  /** From one row to the next. */
  readonly height: number
  /** How much lower the bar of a row begins than it would on wide paper. */
  readonly drop: number
  readonly isNarrow: boolean
}

const line = 16
const edge = 10

/**
 * Computes the layout of rows.
 *
 * @param wide layout on usual paper: start of the bars, width right of the bars, and row height
 */
export function namedRows(
  paper: Paper,
  wide: { readonly left: number; readonly rightMargin: number; readonly height: number },
): NamedRows {
  return isNarrow(paper)
    ? {
        left: edge,
        right: paper.width - edge,
        isNarrow: true,
        height: wide.height + line,
        drop: line,
      }
    : {
        left: wide.left,
        right: paper.width - wide.rightMargin,
        isNarrow: false,
        height: wide.height,
        drop: 0,
      }
}

/**
 * Name and value of a narrow row, in the line above its bar. Truncates the name if both do not fit.
 *
 * @param top upper edge of the bar
 */
export function wordsAbove(
  { left, right }: NamedRows,
  { name, value, top, isBold = false }: NameAndValue,
): Shape[] {
  const size = 11
  const availableWidth = right - left - (value === '' ? 0 : widthOf(value, size) + 8)
  return [
    textAt(left, top - 4, fitText(name, availableWidth, size, isBold), { size, isBold }),
    ...(value === '' ? [] : [textAt(right, top - 4, value, { size, anchor: 'end' })]),
  ]
}

export interface NameAndValue {
  readonly name: string
  readonly value: string
  readonly top: number
  readonly isBold?: boolean
}
