import { expect, it } from 'vitest'
import { collectPages } from './collect-pages.ts'

const rows = ['é', 'b', 'c']

/** A list with one row per page. */
function list() {
  const read: string[] = []
  const page = async (cursor = '0') => {
    read.push(cursor)
    const index = Number(cursor)
    const hasMore = index + 1 < rows.length
    const meta = { count: 1, hasMore, nextCursor: hasMore ? `${index + 1}` : null }
    return JSON.stringify({ data: [rows[index]], meta })
  }
  return { page, read }
}

const bytesOf = (pages: readonly string[]) => Buffer.byteLength(pages.join(''))

it('collects all pages up to both limits', async () => {
  const pages = await collectPages(list().page)
  expect(pages.flatMap((page) => JSON.parse(page).data)).toEqual(rows)
  const max = { rows: rows.length, bytes: bytesOf(pages) }
  expect(await collectPages(list().page, max)).toEqual(pages)
})

it('stops at the page that exceeds the limit of bytes', async () => {
  const [first = '', second = ''] = await collectPages(list().page)
  const bytes = bytesOf([first, second]) - 1
  const { page, read } = list()
  await expect(collectPages(page, { rows: 3, bytes })).rejects.toMatchObject({
    code: 'LIQUIDITY_EXPORT_TOO_LARGE',
    detail: {
      fieldErrors: {
        'params.view': [
          `must have records of at most ${bytes} bytes in total, got more after 2 rows; use the filters of the list`,
        ],
      },
    },
  })
  expect(read).toEqual(['0', '1'])
})

it('stops at the page that exceeds the limit of rows', async () => {
  const { page, read } = list()
  await expect(collectPages(page, { rows: 1, bytes: 1_000 })).rejects.toMatchObject({
    code: 'LIQUIDITY_EXPORT_TOO_LARGE',
    detail: { fieldErrors: { 'params.view': ['must have at most 1 rows, got more than 1'] } },
  })
  expect(read).toEqual(['0', '1'])
})
