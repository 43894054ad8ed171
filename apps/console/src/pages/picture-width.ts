/** Below this nobody reads a letter, in pixels of the page. */
const leastLetter = 11

/**
 * How wide a drawn picture must be shown for its smallest letters to be read, in pixels of the page.
 *
 * @param svg as the service draws it: letters say their size in units of the view box
 */
export function readableWidth(svg: string): number {
  const width = Number(/viewBox="0 0 ([\d.]+) /.exec(svg)?.[1])
  const letters = [...svg.matchAll(/font-size="([\d.]+)"/g)].map(([, size]) => Number(size))
  return Math.ceil((width * leastLetter) / Math.min(leastLetter, ...letters))
}
