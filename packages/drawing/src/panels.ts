import type { Box } from './frame.ts'

/** Boxes of small charts, two in a row, each with room for its axes and a title. */
export function panelBoxes(
  count: number,
  height: number,
  rightRoom = 0,
): { boxes: Box[]; height: number } {
  const [columnWidth, rowHeight] = [384, height + 74]
  const boxes = Array.from({ length: count }, (_, place) => ({
    x: 52 + (place % 2) * columnWidth,
    y: 40 + Math.floor(place / 2) * rowHeight,
    width: columnWidth - 68 - rightRoom,
    height,
  }))
  return { boxes, height: Math.ceil(Math.max(1, count) / 2) * rowHeight }
}
