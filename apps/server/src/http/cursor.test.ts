import { cursorPatternOf, type Operation, operations } from '@liquidity-os/contract'
import { describe, expect, it } from 'vitest'
import { Sealing } from '../access/sealing.ts'
import { printCursor, readCursor } from './cursor.ts'

const sealing = new Sealing([{ id: 'k', key: Buffer.alloc(32, 1) }])
const hex = '0198f0f0c0de7000800000000000a001'
const place = (operation: Operation) => ({ operation, organizationId: 'org_a', filter: '' })
const read = (operation: Operation, cursor: string) => readCursor(place(operation), cursor, sealing)

/** The id or the sequence of a last item, as the list of an operation would have it. */
function lastOf({ paging, path }: Operation): string {
  if (paging?.cursor === 'SEQUENCE' || path.endsWith('/versions')) return '17'
  const prefix = /^\^([a-z_]+)_\[/.exec(paging?.cursorPattern ?? '')?.[1]
  return `${prefix ?? 'venue'}_${hex}`
}

const paged = operations.filter(({ paging }) => paging)

describe.each(paged.map((operation) => [operation.id, operation] as const))(
  'a cursor of %s',
  (_id, operation) => {
    const cursor = printCursor(place(operation), lastOf(operation), sealing)

    it('has the form of the contract, and is read as the named type', () => {
      const pattern = operation.paging && cursorPatternOf(operation.paging)
      if (pattern) expect(cursor).toMatch(new RegExp(pattern))
      expect(read(operation, cursor)).toBe(lastOf(operation))
    })

    it('is refused in any other form', () => {
      for (const other of ['', ' ', `${cursor} `, `${cursor}\n`, '/', 'a/b']) {
        expect(() => read(operation, other)).toThrow(
          expect.objectContaining({ code: 'LIQUIDITY_CURSOR_INVALID' }),
        )
      }
    })

    it('carries a code unless it is an id or a sequence', () => {
      const elsewhere = { ...place(operation), organizationId: 'org_b' }
      if (operation.paging?.cursor) expect(cursor).toBe(lastOf(operation))
      else {
        expect(() => readCursor(elsewhere, cursor, sealing)).toThrow()
        expect(() => read(operation, lastOf(operation))).toThrow()
      }
    })
  },
)
