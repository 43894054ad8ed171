import { Failure } from '../../../failure.ts'
import { limits } from '../../../limits.ts'

/** Reads the page after a cursor, the first without one. */
export type ReadPage = (cursor: string | undefined) => Promise<string>

interface MaxPages {
  readonly rows: number
  readonly bytes: number
}

/**
 * Collects the pages of a list. A page that exceeds a limit is the last one read.
 *
 * @throws Failure 422 LIQUIDITY_EXPORT_TOO_LARGE
 */
export async function collectPages(
  read: ReadPage,
  max: MaxPages = { rows: limits.exportRows, bytes: limits.exportBytes },
): Promise<string[]> {
  const pages: string[] = []
  let [rows, bytes] = [0, 0]
  let cursor: string | undefined
  do {
    const page = await read(cursor)
    const meta = metaOf(page)
    rows += meta.count
    bytes += Buffer.byteLength(page)
    if (rows > max.rows) throw tooManyRows(`more than ${max.rows}`, max.rows)
    if (bytes > max.bytes) {
      const rule = `must have records of at most ${max.bytes} bytes in total`
      throw tooLarge(`${rule}, got more after ${rows} rows; use the filters of the list`)
    }
    pages.push(page)
    cursor = meta.hasMore ? meta.nextCursor : undefined
  } while (cursor !== undefined)
  return pages
}

export const tooManyRows = (found: string, max: number = limits.exportRows) =>
  tooLarge(`must have at most ${max} rows, got ${found}`)

const tooLarge = (problem: string) =>
  new Failure('LIQUIDITY_EXPORT_TOO_LARGE', { fieldErrors: { 'params.view': [problem] } })

/** The end of a page, without parsing its records. */
function metaOf(page: string): { count: number; hasMore: boolean; nextCursor?: string } {
  return JSON.parse(page.slice(page.lastIndexOf('"meta":') + '"meta":'.length, -1))
}
