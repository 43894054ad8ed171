import type { Box } from './frame.ts'
import { isNarrow, type Paper, usualPaper } from './paper.ts'

/** Boxes of small charts, two in a row where the paper has room, each with room for its axes and a title. */
export function panelBoxes(
  count: number,
  height: number,
  rightRoom = 0,
  paper: Paper = usualPaper,
): { boxes: Box[]; height: number } {
  const inRow = isNarrow(paper) ? 1 : 2
  const [columnWidth, rowHeight] = [Math.floor((paper.width + 8) / inRow), height + 74]
  const boxes = Array.from({ length: count }, (_, place) => ({
    x: 52 + (place % inRow) * columnWidth,
    y: 40 + Math.floor(place / inRow) * rowHeight,
    width: columnWidth - 68 - rightRoom,
    height,
  }))
  return { boxes, height: Math.ceil(Math.max(1, count) / inRow) * rowHeight }
}
