/** The paper that a picture is laid out for. */
export interface Paper {
  /** Units of the picture, which a page shows as pixels. */
  readonly width: number
  /** Minimum font size; 0 disables it. */
  readonly minFontSize: number
  /** Symbols of the tokens of the drawn record, if known. */
  readonly symbols?: PairSymbols
}

/** Symbols in place of "base" and "quote". */
export interface PairSymbols {
  readonly base: string | null
  readonly quote: string
}

/** Text column of a report, which can scale a picture. The default paper. */
export const usualPaper: Paper = { width: 760, minFontSize: 0 }

/** Allowed picture widths, units. */
export const paperWidths = { least: 280, most: 1600 } as const

/** Minimum readable font size on a screen, in pixels. */
const minFontSize = 11

/**
 * Paper for display without scaling, so that font sizes are exact.
 *
 * @param width within `paperWidths`
 * @throws RangeError for any other
 */
export function screenPaper(width: number): Paper {
  const { least, most } = paperWidths
  if (!Number.isInteger(width) || width < least || width > most)
    throw new RangeError(`A chart must be ${least} to ${most} wide, got ${width}.`)
  return { width, minFontSize }
}

/** True if the paper is too narrow for two charts side by side, or for labels next to a chart. */
export const isNarrow = ({ width }: Paper): boolean => width < 600
