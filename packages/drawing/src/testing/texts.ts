import { overlaps, type Picture, textBox } from '../picture.ts'

/** Texts of a picture that stand outside it or over one another, in words; none in a good one. */
export function misplacedTexts({ shapes, width, height }: Picture): string[] {
  const boxes = shapes.flatMap((shape) => (shape.kind === 'text' ? [textBox(shape)] : []))
  const outside = boxes.filter(
    ({ left, right, top, bottom }) => left < -1 || right > width + 1 || top < 0 || bottom > height,
  )
  const covering = boxes.flatMap((box, index) =>
    boxes
      .slice(index + 1)
      .filter((other) => overlaps(box, other))
      .map(({ text }) => `${text} over ${box.text}`),
  )
  return [...outside.map(({ text }) => `${text} is outside`), ...covering]
}

/**
 * What is wrong with a picture on a screen as wide as it is, in words: letters that nobody reads, texts over one another, and
 * anything beyond its edges.
 */
export function unreadable(picture: Picture): string[] {
  const { width, shapes } = picture
  const small = shapes.flatMap((shape) =>
    shape.kind === 'text' && shape.size < 11 ? [`${shape.text} in ${shape.size} px`] : [],
  )
  const beyond = shapes.filter((shape) => {
    if (shape.kind === 'rect') return shape.x < -1 || shape.x + shape.width > width + 1
    if (shape.kind === 'line' || shape.kind === 'area')
      return shape.points.some(({ x }) => x < -1 || x > width + 1)
    return shape.kind === 'mark' && (shape.x < 0 || shape.x > width)
  })
  return [...small, ...beyond.map(({ kind }) => `a ${kind} is outside`), ...misplacedTexts(picture)]
}
