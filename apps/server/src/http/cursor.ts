import type { Operation } from '@liquidity-os/contract'
import type { Sealing } from '../access/sealing.ts'
import { Failure } from '../failure.ts'

/**
 * Cursors name the last id of a page. Where the contract fixes their form they are that id; elsewhere they
 * carry a code, so that one of another organization, collection or deployment is refused.
 */
export function printCursor(
  operation: Operation,
  organizationId: string,
  id: string,
  sealing: Sealing,
): string {
  if (operation.paging?.cursorPattern && new RegExp(operation.paging.cursorPattern).test(id))
    return id
  const code = sealing.code('cursor', `${operation.id}\n${organizationId}\n${id}`)
  return Buffer.from(`${code}${id}`).toString('base64url')
}

/** @throws Failure 400 LIQUIDITY_CURSOR_INVALID */
export function readCursor(
  operation: Operation,
  organizationId: string,
  cursor: string | undefined,
  sealing: Sealing,
): string | null {
  if (cursor === undefined) return null
  const text = Buffer.from(cursor, 'base64url').toString('utf8')
  const id = text.slice(22)
  if (id !== '' && printCursor(operation, organizationId, id, sealing) === cursor) return id
  throw new Failure('LIQUIDITY_CURSOR_INVALID', {
    fieldErrors: {
      'query.cursor': ['must be meta.nextCursor of this collection and organization'],
    },
  })
}
