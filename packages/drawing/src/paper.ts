/** The paper that a picture is laid out for. */
export interface Paper {
  /** Units of the picture, which a page shows as pixels. */
  readonly width: number
  /** Letters are no smaller than this; 0 leaves them as they were drawn. */
  readonly leastLetter: number
}

/** The text column of a report, on which a picture may be scaled: where nothing else is asked for. */
export const usualPaper: Paper = { width: 760, leastLetter: 0 }

/** Widths that a picture may be asked for, units. */
export const paperWidths = { least: 280, most: 1600 } as const

/** Below this nobody reads a letter on a screen, in its pixels. */
const leastLetter = 11

/**
 * Paper that is shown as wide as it is, so that its letters are as large as they say.
 *
 * @param width within `paperWidths`
 * @throws RangeError for any other
 */
export function screenPaper(width: number): Paper {
  const { least, most } = paperWidths
  if (!Number.isInteger(width) || width < least || width > most)
    throw new RangeError(`A picture is from ${least} to ${most} wide, not ${width}.`)
  return { width, leastLetter }
}

/** Whether two charts find no room beside each other, nor labels beside one. */
export const isNarrow = ({ width }: Paper): boolean => width < 600
