/** Below this nobody reads a letter, in pixels of the page. */
const minLetter = 11

/** The view box of a picture, in its units. @param svg as the service draws it */
export function sizeOf(svg: string): { readonly width: number; readonly height: number } {
  const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg) ?? []
  return { width: Number(width), height: Number(height) }
}

/**
 * How wide a drawn picture must be shown for its smallest letters to be read, in pixels of the page.
 *
 * @param svg as the service draws it: letters say their size in units of the view box
 */
export function readableWidth(svg: string): number {
  const { width } = sizeOf(svg)
  const letters = [...svg.matchAll(/font-size="([\d.]+)"/g)].map(([, size]) => Number(size))
  return Math.ceil((width * minLetter) / Math.min(minLetter, ...letters))
}

/** Widths that the console asks pictures for, in pixels, and the step between them: a picture is not asked anew for each pixel. */
const asked = { least: 280, most: 1080, step: 40 } as const

/** The widest layout that fits a sheet. @param room width of the sheet, pixels of the page */
export function askedWidth(room: number): number {
  const { least, most, step } = asked
  return Math.min(most, Math.max(least, Math.floor(room / step) * step))
}
