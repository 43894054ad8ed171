import type { Picture, Shape } from './picture.ts'

/** A picture with the figures from which it is drawn, row by row. */
export interface Drawing {
  readonly picture: Picture
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number | null)[])[]
}

/** Width of every picture: that of the text on a page. */
export const drawingWidth = 760

export function drawing(
  about: Pick<Picture, 'id' | 'title' | 'description'>,
  table: Pick<Drawing, 'columns' | 'rows'>,
  drawn: { readonly height: number; readonly shapes: readonly Shape[] },
): Drawing {
  return { picture: { ...about, width: drawingWidth, ...drawn }, ...table }
}
