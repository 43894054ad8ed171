/** Minimum legible font size, in page pixels. */
const minLetter = 11

/**
 * View box of a chart, in its units.
 *
 * @param svg as served
 */
export function sizeOf(svg: string): { readonly width: number; readonly height: number } {
  const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg) ?? []
  return { width: Number(width), height: Number(height) }
}

/**
 * Minimum display width that leaves the smallest text legible, in page pixels.
 *
 * @param svg as the service renders it; font sizes are in view box units
 */
export function readableWidth(svg: string): number {
  const { width } = sizeOf(svg)
  const letters = [...svg.matchAll(/font-size="([\d.]+)"/g)].map(([, size]) => Number(size))
  return Math.ceil((width * minLetter) / Math.min(minLetter, ...letters))
}

/** Requested chart widths and their step, in pixels. Steps avoid a new request for each pixel. */
const requested = { least: 280, most: 1080, step: 40 } as const

/**
 * The widest layout that fits a sheet.
 *
 * @param availableWidth width of the sheet in page pixels
 */
export function requestedWidth(availableWidth: number): number {
  const { least, most, step } = requested
  return Math.min(most, Math.max(least, Math.floor(availableWidth / step) * step))
}
