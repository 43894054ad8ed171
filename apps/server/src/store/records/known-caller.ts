import { optionalTextOf, type Row, textOf } from '../database/row.ts'
import { column, type Sql } from '../database/sql.ts'

/** How the caller says who it is; secrets are already hashed. */
export type Presented =
  | { kind: 'session'; tokenHash: string }
  | { kind: 'selector'; selector: string }
  | { kind: 'credential'; credentialId: string }

/** A caller as a moment ago; a change that rests on it commits only if all of it still holds. */
export interface KnownCaller {
  presented: Presented
  identity: Row
}

/** The callers that a transaction has to confirm, each reading once, as `append_change_group` takes them. */
export function callersToConfirm(callers: readonly KnownCaller[]): Sql[] {
  const readings = (isSession: boolean) => {
    const own = callers.filter(({ presented }) => (presented.kind === 'session') === isSession)
    return [...new Set(own.map(({ identity }) => identity))]
  }
  const [sessions, credentials] = [readings(true), readings(false)]
  const texts = (rows: readonly Row[], name: string) =>
    column('text', rows, (row) => textOf(row, name))
  const times = (rows: readonly Row[], name: string) =>
    column('bigint', rows, (row) => {
      const value = optionalTextOf(row, name)
      return value === null ? null : BigInt(value)
    })
  return [
    texts(sessions, 'token_hash'),
    texts(sessions, 'user_id'),
    times(sessions, 'authenticated_at'),
    times(sessions, 'expires_at'),
    texts(sessions, 'role'),
    texts(credentials, 'credential_id'),
    texts(credentials, 'secret_hash'),
    texts(credentials, 'scopes'),
    texts(credentials, 'creator_id'),
    times(credentials, 'expires_at'),
    texts(credentials, 'role'),
  ]
}
