import type { Row } from '../database/database.ts'
import { join, type Sql, sql } from '../database/sql.ts'
import type { Presented } from '../http/opening-read.ts'
import { limits } from '../limits.ts'

/** A caller as a moment ago; a change that rests on it commits only if all of it still holds. */
export interface KnownCaller {
  presented: Presented
  identity: Row
}

/**
 * Callers that were authenticated a moment ago, so that their next mutation need not ask first: its own
 * transaction asks. Only a hint: nothing is answered on its word alone.
 */
export class KnownCallers {
  readonly #known = new Map<string, { identity: Row; readAt: number }>()

  /** The actor behind a credential, which never changes, however long ago it was seen. */
  actorOf(organizationId: string, hintKey: string): string | undefined {
    const { identity } = this.#known.get(`${organizationId}|${hintKey}`) ?? {}
    return identity?.user_id ?? identity?.credential_id ?? undefined
  }

  /** The caller's row if it was read lately, else null. */
  recent(organizationId: string, hintKey: string, now: number): Row | null {
    const known = this.#known.get(`${organizationId}|${hintKey}`)
    if (!known || now - known.readAt > limits.knownCallerMilliseconds) return null
    return known.identity
  }

  remember(organizationId: string, hintKey: string, identity: Row, readAt: number): void {
    if (this.#known.size > limits.knownCallers) this.#known.clear()
    this.#known.set(`${organizationId}|${hintKey}`, { identity, readAt })
  }

  forget(organizationId: string, hintKey: string): void {
    this.#known.delete(`${organizationId}|${hintKey}`)
  }
}

/** Whether two readings of a caller grant the same. */
export function isSameCaller(before: Row, after: Row | null): boolean {
  return after !== null && Object.keys(before).every((name) => before[name] === after[name])
}

/**
 * Statements that fail with a division by zero unless every caller is still as it was read: live, of the
 * same role and with the same scopes.
 */
export function confirmCallers(organizationId: string, callers: readonly KnownCaller[]): Sql[] {
  const rowsOf = (isSession: boolean, print: (identity: Row) => Sql) => {
    const own = callers.filter(({ presented }) => (presented.kind === 'session') === isSession)
    return [...new Map(own.map(({ identity }) => [print(identity).text, print(identity)])).values()]
  }
  const sessions = rowsOf(true, (row) => {
    const { token_hash, user_id, role } = row
    const [since, until] = [BigInt(row.authenticated_at ?? 0), BigInt(row.expires_at ?? 0)]
    return sql`(${text(token_hash)},${text(user_id)},${since}::bigint,${until}::bigint,${text(role)})`
  })
  const credentials = rowsOf(false, (row) => {
    const expiresAt = row.expires_at === null ? sql`null` : sql`${BigInt(row.expires_at ?? 0)}`
    return sql`(${text(row.credential_id)},${text(row.secret_hash)},${text(row.scopes)},${text(row.creator_id)},${expiresAt}::bigint,${text(row.role)})`
  })
  const statements: Sql[] = []
  if (sessions.length > 0) {
    statements.push(sql`select 1 / (count(*) = ${sessions.length})::int
      from (values ${join(sessions)}) as asked (token_hash, user_id, authenticated_at, expires_at, role)
      cross join lateral (select 1 from sessions where token_hash = asked.token_hash
        and user_id = asked.user_id and revoked_at is null
        and authenticated_at = asked.authenticated_at and expires_at = asked.expires_at limit 1) as session
      cross join lateral (select 1 from memberships where organization_id = ${organizationId}
        and user_id = asked.user_id and role = asked.role limit 1) as membership`)
  }
  if (credentials.length > 0) {
    statements.push(sql`select 1 / (count(*) = ${credentials.length})::int
      from (values ${join(credentials)}) as asked (credential_id, secret_hash, scopes, creator_id, expires_at, role)
      cross join lateral (select 1 from credential_secrets where organization_id = ${organizationId}
        and credential_id = asked.credential_id and secret_hash = asked.secret_hash and status = 'ACTIVE'
        and scopes = asked.scopes and creator_id = asked.creator_id
        and expires_at is not distinct from asked.expires_at limit 1) as credential
      cross join lateral (select 1 from memberships where organization_id = ${organizationId}
        and user_id = asked.creator_id and role = asked.role limit 1) as membership`)
  }
  return statements
}

const text = (value: string | null | undefined) => value ?? ''
