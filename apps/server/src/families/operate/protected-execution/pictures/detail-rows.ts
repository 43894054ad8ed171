import {
  fitText,
  ink,
  letterOn,
  type NamedRows,
  namedRows,
  noteOn,
  type Paper,
  type Shape,
  textAt,
  wordsAbove,
} from '@liquidity-os/drawing'

export interface TextRows extends NamedRows {
  readonly paper: Paper
}

const edge = 14
const secondLine = 14

/** Row layout. @param wide dimensions on standard paper */
export function layoutTextRows(paper: Paper, wide: Parameters<typeof namedRows>[1]): TextRows {
  const rows = namedRows(paper, wide)
  const more = rows.isNarrow ? secondLine : 0
  return { ...rows, height: rows.height + more, drop: rows.drop + more, paper }
}

interface RowText {
  readonly name: string
  readonly below: string
  readonly figure: string
  readonly isBold: { readonly name: boolean; readonly figure: boolean }
}

/**
 * Row texts: name left of the bar, figure to the right. On narrow paper both are above the bar.
 *
 * @param words vertical offset from the top of the row on wide paper
 */
export function rowWords(
  rows: TextRows,
  { name, below, figure, isBold }: RowText,
  { top, words }: { readonly top: number; readonly words: number },
): { readonly labels: Shape[]; readonly figure: Shape[] } {
  const { left, right, paper, isNarrow } = rows
  const letter = letterOn(paper, 9)
  const faint = { size: 9, color: ink.faint }
  if (isNarrow) {
    const above = wordsAbove(rows, { name, value: figure, top: top + 16, isBold: isBold.name })
    const second = textAt(left, top + 26, fitText(below, right - left, letter), faint)
    return { labels: [...above, second], figure: [] }
  }
  const availableWidth = left - 30
  return {
    labels: [
      textAt(edge, top + words, fitText(name, availableWidth, letterOn(paper, 10)), {
        isBold: isBold.name,
      }),
      textAt(edge, top + words + 12, fitText(below, availableWidth, letter), faint),
    ],
    figure: [textAt(right + 14, top + words + 4, figure, { isBold: isBold.figure })],
  }
}

/** Column titles of a report. On screen they form one sentence that wraps. */
export function titlesOf(
  { left, right, paper }: TextRows,
  [name, bars, figure]: readonly [string, string, string],
): { readonly shapes: Shape[]; readonly more: number } {
  const bold = { size: 9.5, isBold: true }
  if (paper.minFontSize > 0)
    return noteOn(paper, { x: 10, y: 22 }, `${name}; ${bars}; right: ${figure}`, bold)
  return {
    shapes: [
      textAt(edge, 22, name, bold),
      textAt(left, 22, bars, bold),
      textAt(right + 14, 22, figure, bold),
    ],
    more: 0,
  }
}
