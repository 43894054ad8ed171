import { type Drawn, laidOn } from '../drawing.ts'
import type { Figure } from '../figure.ts'
import { type Paper, usualPaper } from '../paper.ts'
import { type Picture, type SeriesStyle, styleOf } from '../picture.ts'

export interface ChartTerms {
  readonly baseDecimals: number
  readonly quoteDecimals: number
  /** True if the base is token0 of a pool, so its price rises with its tick. */
  readonly isBaseFirst: boolean
  /** Every arm of the study, in order: its place gives its style in all pictures. */
  readonly arms: readonly { readonly armId: string; readonly label: string }[]
  readonly amountWords?: string
}

export const amountWordsOf = ({ amountWords }: ChartTerms): string => amountWords ?? 'quote tokens'

export const armLabel = ({ arms }: ChartTerms, armId: string): string =>
  arms.find((arm) => arm.armId === armId)?.label ?? armId

export const armStyle = ({ arms }: ChartTerms, armId: string): SeriesStyle =>
  styleOf(
    Math.max(
      0,
      arms.findIndex((arm) => arm.armId === armId),
    ),
  )

/** The picture of a figure. */
export function pictureOf(
  { id, title, description }: Figure,
  drawn: Drawn,
  paper: Paper = usualPaper,
): Picture {
  return { id, title, description, ...laidOn(paper, drawn) }
}

/** Flow models as people read them. */
export const flowWords: Readonly<Record<string, string>> = {
  INELASTIC_INPUT: 'fixed flow',
  PRICE_SETTING: 'price-matching flow',
}
