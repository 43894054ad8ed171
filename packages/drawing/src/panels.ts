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
  const boxes = Array.from({ length: count }, (_, index) => ({
    x: 52 + (index % inRow) * columnWidth,
    y: 40 + Math.floor(index / inRow) * rowHeight,
    width: columnWidth - 68 - rightRoom,
    height,
  }))
  return { boxes, height: Math.ceil(Math.max(1, count) / inRow) * rowHeight }
}

/**
 * Boxes of charts with a name each and a long title of the upright axis: on a screen that may take a second line, above which
 * the name stands.
 *
 * @returns also how much higher than in a report a name stands over its box
 */
export function titledPanels(
  count: number,
  height: number,
  rightRoom: number,
  paper: Paper,
): { boxes: Box[]; height: number; lift: number } {
  const lift = paper.leastLetter > 0 ? 13 : 0
  const panels = panelBoxes(count, height + lift, rightRoom, paper)
  return {
    ...panels,
    boxes: panels.boxes.map((box) => ({ ...box, y: box.y + lift, height })),
    lift,
  }
}
