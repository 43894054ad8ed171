import { optionalTextOf, type Row, textOf } from '../database/row.ts'
import { column, type Sql } from '../database/sql.ts'

/** Credential as presented; secrets are already hashed. */
export type Presented =
  | { kind: 'session'; tokenHash: string }
  | { kind: 'selector'; selector: string }
  | { kind: 'credential'; credentialId: string }

/**
 * A recently authenticated caller; a dependent change commits only if the identity is unchanged.
 */
export interface KnownCaller {
  presented: Presented
  identity: Row
}

/** Distinct identity rows of callers: sessions and credentials. */
export function readings(callers: readonly KnownCaller[]): {
  readonly sessions: readonly Row[]
  readonly credentials: readonly Row[]
} {
  const of = (isSession: boolean) => {
    const own = callers.filter(({ presented }) => (presented.kind === 'session') === isSession)
    return [...new Set(own.map(({ identity }) => identity))]
  }
  return { sessions: of(true), credentials: of(false) }
}

const textsOf = (rows: readonly Row[], name: string): Sql =>
  column('text', rows, (row) => textOf(row, name))

const timesOf = (rows: readonly Row[], name: string): Sql =>
  column('bigint', rows, (row) => {
    const value = optionalTextOf(row, name)
    return value === null ? null : BigInt(value)
  })

/** Token, user, authentication time, expiry and role. */
export const sessionColumns = (sessions: readonly Row[]): Sql[] => [
  ...[textsOf(sessions, 'token_hash'), textsOf(sessions, 'user_id')],
  ...[timesOf(sessions, 'authenticated_at'), timesOf(sessions, 'expires_at')],
  textsOf(sessions, 'role'),
]

/** Credential, secret, scopes, creator, expiry and role. */
export const credentialColumns = (credentials: readonly Row[]): Sql[] => [
  ...[textsOf(credentials, 'credential_id'), textsOf(credentials, 'secret_hash')],
  ...[textsOf(credentials, 'scopes'), textsOf(credentials, 'creator_id')],
  ...[timesOf(credentials, 'expires_at'), textsOf(credentials, 'role')],
]

/** Callers that a transaction must confirm, as arguments of `append_change_group`; each identity row once. */
export function callersToConfirm(callers: readonly KnownCaller[]): Sql[] {
  const { sessions, credentials } = readings(callers)
  return [...sessionColumns(sessions), ...credentialColumns(credentials)]
}
