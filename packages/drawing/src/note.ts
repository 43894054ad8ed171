import type { Paper } from './paper.ts'
import { breakText, fitText, type Shape, textAt } from './picture.ts'

type TextStyle = Omit<NonNullable<Parameters<typeof textAt>[3]>, 'anchor'>

const lineHeight = 16
const edge = 8

/** Font size with the minimum of the paper, so text is measured and truncated at its final size. */
export const letterOn = ({ minFontSize }: Paper, size: number): number =>
  Math.max(size, minFontSize)

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
  more: TextStyle = {},
): { readonly shapes: Shape[]; readonly more: number } {
  const { size = 10, isBold } = more
  if (paper.minFontSize === 0) {
    const fitted = fitText(text, paper.width - 2 * x, size, isBold)
    return { shapes: [textAt(x, y, fitted, more)], more: 0 }
  }
  const lines = breakText(text, paper.width - edge - x, letterOn(paper, size), isBold)
  return {
    shapes: lines.map((line, index) => textAt(x, y + index * lineHeight, line, more)),
    more: Math.max(0, lines.length - 1) * lineHeight,
  }
}
