import { cursorPatternOf, type Operation } from '@liquidity-os/contract'
import type { Sealing } from '../access/sealing.ts'
import { Failure } from '../failure.ts'

/** The list that a cursor belongs to. A cursor is valid only with the same filter and order. */
export interface CursorScope {
  readonly operation: Operation
  readonly organizationId: string
  readonly filter: string
  /** Request field of the cursor. Default: `query.cursor`. */
  readonly member?: string
}

/**
 * Cursors name the last ID or sequence of a page. If the contract requires it, they are that plain
 * value. Otherwise they contain a MAC, so a cursor of another organization, collection, filter or
 * deployment is rejected.
 */
export function printCursor(place: CursorScope, id: string, sealing: Sealing): string {
  const { operation, organizationId, filter } = place
  if (operation.paging?.cursor) return id
  const what = [operation.id, organizationId, id, ...(filter === '' ? [] : [filter])]
  const code = sealing.code('cursor', what.join('\n'))
  return Buffer.from(`${code}${id}`).toString('base64url')
}

/** @throws Failure 400 LIQUIDITY_CURSOR_INVALID */
export function readCursor(
  place: CursorScope,
  cursor: string | undefined,
  sealing: Sealing,
): string | null {
  if (cursor === undefined) return null
  const { paging } = place.operation
  if (paging?.cursor) {
    const pattern = cursorPatternOf(paging)
    if (pattern && new RegExp(pattern).test(cursor)) return cursor
    throw invalid(place, `must be meta.nextCursor of this collection, got ${cursor}`)
  }
  const text = Buffer.from(cursor, 'base64url').toString('utf8')
  const id = text.slice(22)
  if (id !== '' && printCursor(place, id, sealing) === cursor) return id
  throw invalid(
    place,
    'must be nextCursor of this collection and organization, with the same filter and order',
  )
}

const invalid = ({ member = 'query.cursor' }: CursorScope, message: string) =>
  new Failure('LIQUIDITY_CURSOR_INVALID', { fieldErrors: { [member]: [message] } })
