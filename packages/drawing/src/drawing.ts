import { type Paper, usualPaper } from './paper.ts'
import { fitText, type Picture, type Shape, type Spot, widthOf } from './picture.ts'

export interface Drawing {
  readonly picture: Picture
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number | null)[])[]
}

export interface Drawn {
  readonly height: number
  readonly shapes: readonly Shape[]
  readonly spots?: readonly Spot[]
}

/** A chart with its table; font sizes meet the paper's minimum. */
export function drawing(
  about: Pick<Picture, 'id' | 'title' | 'description'>,
  table: Pick<Drawing, 'columns' | 'rows'>,
  drawn: Drawn,
  paper: Paper = usualPaper,
): Drawing {
  return { picture: { ...about, ...laidOn(paper, drawn) }, ...table }
}

/**
 * Fits shapes to a paper: its width, no text below the minimum size, and no text beyond the edges.
 */
export function laidOn(
  { width, minFontSize }: Paper,
  { height, shapes, spots = [] }: Drawn,
): Pick<Picture, 'width' | 'height' | 'shapes' | 'spots'> {
  if (minFontSize === 0) return { width, height, shapes }
  const read = shapes.map((shape) =>
    shape.kind === 'text'
      ? withinEdges({ ...shape, size: Math.max(shape.size, minFontSize) }, width)
      : shape,
  )
  // An axis whose title is broken may need another line.
  const lowest = Math.max(height, ...read.map((shape) => (shape.kind === 'text' ? shape.y + 4 : 0)))
  return { width, height: lowest, shapes: read, spots }
}

type Text = Extract<Shape, { kind: 'text' }>

/**
 * Moves text inward if it would cross an edge, such as the label of the last tick; truncates text
 * wider than the paper.
 */
function withinEdges(text: Text, width: number): Text {
  const edge = 2
  const fitted = fitText(text.text, width - 2 * edge, text.size, text.isBold)
  const wide = widthOf(fitted, text.size, text.isBold)
  const before = text.anchor === 'start' ? 0 : text.anchor === 'middle' ? wide / 2 : wide
  const left = Math.min(Math.max(text.x - before, edge), width - edge - wide)
  return { ...text, text: fitted, x: left + before }
}
