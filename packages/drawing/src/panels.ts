import type { Box } from './frame.ts'
import { isNarrow, type Paper, usualPaper } from './paper.ts'

/** Boxes of small charts with space for axes and title, two per row if the paper is wide enough. */
export function panelBoxes(
  count: number,
  height: number,
  rightMargin = 0,
  paper: Paper = usualPaper,
): { boxes: Box[]; height: number } {
  const inRow = isNarrow(paper) ? 1 : 2
  const [columnWidth, rowHeight] = [Math.floor((paper.width + 8) / inRow), height + 74]
  const boxes = Array.from({ length: count }, (_, index) => ({
    x: 52 + (index % inRow) * columnWidth,
    y: 40 + Math.floor(index / inRow) * rowHeight,
    width: columnWidth - 68 - rightMargin,
    height,
  }))
  return { boxes, height: Math.ceil(Math.max(1, count) / inRow) * rowHeight }
}

/**
 * Boxes of named charts with a long y-axis title. On screen the title can use a second line, with
 * the name above it.
 *
 * @returns also the additional height of the name above its box, compared to a report
 */
export function titledPanels(
  count: number,
  height: number,
  rightMargin: number,
  paper: Paper,
): { boxes: Box[]; height: number; lift: number } {
  const lift = paper.minFontSize > 0 ? 13 : 0
  const panels = panelBoxes(count, height + lift, rightMargin, paper)
  return {
    ...panels,
    boxes: panels.boxes.map((box) => ({ ...box, y: box.y + lift, height })),
    lift,
  }
}
