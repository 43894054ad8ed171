import type { Paper } from './paper.ts'
import { type Shape, widthOf } from './picture.ts'

/** Shapes in another place. */
export function moved(shapes: readonly Shape[], dx: number, dy: number): Shape[] {
  return shapes.map((shape) =>
    shape.kind === 'line' || shape.kind === 'area'
      ? { ...shape, points: shape.points.map(({ x, y }) => ({ x: x + dx, y: y + dy })) }
      : { ...shape, x: shape.x + dx, y: shape.y + dy },
  )
}

/** Horizontal extents of a shape, with a minimum text size. */
function placesOf(shape: Shape, minLetter: number): number[] {
  switch (shape.kind) {
    case 'rect':
      return [shape.x, shape.x + shape.width]
    case 'mark':
      return [shape.x - shape.size / 2, shape.x + shape.size / 2]
    case 'line':
    case 'area':
      return shape.points.map(({ x }) => x)
    case 'text': {
      const wide = widthOf(shape.text, Math.max(shape.size, minLetter), shape.isBold)
      return shape.anchor === 'end' ? [shape.x - wide, shape.x] : [shape.x, shape.x + wide]
    }
  }
}

const [rowHeight, gap, edge] = [17, 16, 6]

/**
 * Lays out a legend from drawn keys (sample plus label). On report paper keys stay in place. On
 * screen paper they flow from the left edge in as many rows as needed.
 *
 * @returns the shapes, and the additional height beyond one row
 */
export function flowedKeys(
  keys: readonly (readonly Shape[])[],
  { width, minFontSize }: Paper,
): { readonly shapes: Shape[]; readonly more: number } {
  if (minFontSize === 0) return { shapes: keys.flat(), more: 0 }
  let [left, row] = [edge, 0]
  const shapes = keys
    .filter((key) => key.length > 0)
    .flatMap((key) => {
      const places = key.flatMap((shape) => placesOf(shape, minFontSize))
      const [from, to] = [Math.min(...places), Math.max(...places)]
      if (left > edge && left + to - from > width - edge) [left, row] = [edge, row + 1]
      const placed = moved(key, left - from, row * rowHeight)
      left += to - from + gap
      return placed
    })
  return { shapes, more: row * rowHeight }
}
