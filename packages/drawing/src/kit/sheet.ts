import {
  breakText,
  fitText,
  overlaps,
  type Point,
  type Shape,
  type Spot,
  type TextBox,
  textAt,
  textBox,
  widthOf,
} from '../picture.ts'
import type { Theme } from './theme.ts'

/** Font size of charts; a smaller one is not readable on a phone. */
export const letter = 12
export const lineHeight = 16
const edge = 2

export interface TextStyle {
  readonly anchor?: 'start' | 'middle' | 'end'
  readonly color?: string
  readonly isBold?: boolean
  /** Drawn under the letters, over grid lines. */
  readonly halo?: string
}

/** A drawing in progress. Texts never leave the sheet, and optional texts never overlap others. */
export class Sheet {
  readonly width: number
  readonly theme: Theme
  readonly shapes: Shape[] = []
  readonly spots: Spot[] = []
  readonly #texts: TextBox[] = []

  constructor(width: number, theme: Theme) {
    this.width = width
    this.theme = theme
  }

  add(...shapes: readonly Shape[]): void {
    this.shapes.push(...shapes)
  }

  spot(point: Point, row: number, series: string): void {
    this.spots.push({ ...point, row, series })
  }

  /** A text that must be shown; it moves inward at the edges of the sheet. */
  text(x: number, y: number, text: string, style: TextStyle = {}): void {
    this.#put(this.#placed(x, y, text, style))
  }

  /** Draws a text only if no other text is in its way. */
  tryText(x: number, y: number, text: string, style: TextStyle = {}): boolean {
    const shape = this.#placed(x, y, text, style)
    const box = textBox(shape)
    const padded = { ...box, left: box.left - 5, right: box.right + 5 }
    if (this.#texts.some((other) => overlaps(padded, other))) return false
    this.#put(shape)
    return true
  }

  /** A text in as many lines as it needs. @returns the y coordinate of the next line */
  lines(x: number, y: number, text: string, availableWidth: number, style: TextStyle = {}): number {
    const lines = breakLines(text, availableWidth, style.isBold)
    for (const [index, line] of lines.entries()) this.text(x, y + index * lineHeight, line, style)
    return y + lines.length * lineHeight
  }

  #placed(x: number, y: number, text: string, style: TextStyle) {
    const { anchor = 'start', isBold = false, color = this.theme.ink } = style
    const fitted = fitText(text, this.width - 2 * edge, letter, isBold)
    const wide = widthOf(fitted, letter, isBold)
    const before = anchor === 'start' ? 0 : anchor === 'middle' ? wide / 2 : wide
    const left = Math.min(Math.max(x - before, edge), this.width - edge - wide)
    const shape = textAt(left + before, y, fitted, {
      ...style,
      size: letter,
      anchor,
      isBold,
      color,
    })
    return shape as Extract<Shape, { kind: 'text' }>
  }

  #put(shape: Extract<Shape, { kind: 'text' }>): void {
    this.#texts.push(textBox(shape))
    this.shapes.push(shape)
  }
}

/** Lines of a text; after `max` lines it is cut. */
export function breakLines(
  text: string,
  availableWidth: number,
  isBold = false,
  max = 4,
): string[] {
  const width = Math.max(40, availableWidth)
  const lines = breakText(text, width, letter, isBold)
  if (lines.length <= max) return lines
  const rest = lines.slice(max - 1).join(' ')
  return [...lines.slice(0, max - 1), fitText(rest, width, letter, isBold)]
}
