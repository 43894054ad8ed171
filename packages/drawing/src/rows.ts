import { isNarrow, type Paper } from './paper.ts'
import { fitText, type Shape, textAt, widthOf } from './picture.ts'

/** Rows of bars with a name and a value each: on wide paper beside the bar, on narrow paper in a line above it. */
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
 * Rooms of rows.
 *
 * @param wide of usual paper: where bars begin, how much room is right of them, and the height of a row
 */
export function namedRows(
  paper: Paper,
  wide: { readonly left: number; readonly rightRoom: number; readonly height: number },
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
        right: paper.width - wide.rightRoom,
        isNarrow: false,
        height: wide.height,
        drop: 0,
      }
}

/**
 * Name and value of a narrow row, in the line above its bar; the name is cut where both have no room.
 *
 * @param top where the bar begins
 */
export function wordsAbove(
  { left, right }: NamedRows,
  { name, value, top, isBold = false }: NameAndValue,
): Shape[] {
  const size = 11
  const room = right - left - (value === '' ? 0 : widthOf(value, size) + 8)
  return [
    textAt(left, top - 4, fitText(name, room, size, isBold), { size, isBold }),
    ...(value === '' ? [] : [textAt(right, top - 4, value, { size, anchor: 'end' })]),
  ]
}

/** What the line above a narrow row says. */
export interface NameAndValue {
  readonly name: string
  readonly value: string
  readonly top: number
  readonly isBold?: boolean
}
