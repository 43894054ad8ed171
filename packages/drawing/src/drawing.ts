import { type Paper, usualPaper } from './paper.ts'
import { fitText, type Picture, type Shape, type Spot, widthOf } from './picture.ts'

/** A picture with the figures from which it is drawn, row by row. */
export interface Drawing {
  readonly picture: Picture
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number | null)[])[]
}

/** What a chart draws. */
export interface Drawn {
  readonly height: number
  readonly shapes: readonly Shape[]
  /** Where rows of the table stand. */
  readonly spots?: readonly Spot[]
}

/** A picture with its table, its letters as large as the paper wants them. */
export function drawing(
  about: Pick<Picture, 'id' | 'title' | 'description'>,
  table: Pick<Drawing, 'columns' | 'rows'>,
  drawn: Drawn,
  paper: Paper = usualPaper,
): Drawing {
  return { picture: { ...about, ...laidOn(paper, drawn) }, ...table }
}

/** What is drawn as it stands on a paper: its width, no letter smaller than the paper allows, and no text beyond its edges. */
export function laidOn(
  { width, leastLetter }: Paper,
  { height, shapes, spots = [] }: Drawn,
): Pick<Picture, 'width' | 'height' | 'shapes' | 'spots'> {
  if (leastLetter === 0) return { width, height, shapes }
  const read = shapes.map((shape) =>
    shape.kind === 'text'
      ? withinEdges({ ...shape, size: Math.max(shape.size, leastLetter) }, width)
      : shape,
  )
  // An axis whose title is broken may need another line.
  const lowest = Math.max(height, ...read.map((shape) => (shape.kind === 'text' ? shape.y + 4 : 0)))
  return { width, height: lowest, shapes: read, spots }
}

type Text = Extract<Shape, { kind: 'text' }>

/** A text moved inwards where it would stand out, as the label of a last tick does; cut where it is wider than the paper. */
function withinEdges(text: Text, width: number): Text {
  const edge = 2
  const said = fitText(text.text, width - 2 * edge, text.size, text.isBold)
  const wide = widthOf(said, text.size, text.isBold)
  const before = text.anchor === 'start' ? 0 : text.anchor === 'middle' ? wide / 2 : wide
  const left = Math.min(Math.max(text.x - before, edge), width - edge - wide)
  return { ...text, text: said, x: left + before }
}
