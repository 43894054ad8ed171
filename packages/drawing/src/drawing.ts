import { type Paper, usualPaper } from './paper.ts'
import type { Picture, Shape } from './picture.ts'

/** A picture with the figures from which it is drawn, row by row. */
export interface Drawing {
  readonly picture: Picture
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number | null)[])[]
}

/** Width of a picture that nobody asked for in another. */
export const drawingWidth = usualPaper.width

/** A picture with its table, its letters as large as the paper wants them. */
export function drawing(
  about: Pick<Picture, 'id' | 'title' | 'description'>,
  table: Pick<Drawing, 'columns' | 'rows'>,
  drawn: { readonly height: number; readonly shapes: readonly Shape[] },
  paper: Paper = usualPaper,
): Drawing {
  return { picture: { ...about, ...laidOn(paper, drawn) }, ...table }
}

/** What is drawn as it stands on a paper: its width, and no letter smaller than the paper allows. */
export function laidOn(
  { width, leastLetter }: Paper,
  { height, shapes }: Pick<Picture, 'height' | 'shapes'>,
): Pick<Picture, 'width' | 'height' | 'shapes'> {
  const read = shapes.map((shape) =>
    shape.kind === 'text' && shape.size < leastLetter ? { ...shape, size: leastLetter } : shape,
  )
  return { width, height, shapes: read }
}
