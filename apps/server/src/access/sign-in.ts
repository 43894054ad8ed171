import { Failure } from '../failure.ts'
import { limits } from '../limits.ts'
import type { Database } from '../store/database/database.ts'
import { integerOf, optionalTextOf, textOf } from '../store/database/row.ts'
import { type Sql, sql } from '../store/database/sql.ts'
import { foldEmail } from './email-address.ts'
import { acceptAtSignIn } from './invitations.ts'
import { findInvitations } from './received-invitations.ts'
import { hashSecret, mintToken } from './secrets.ts'
import { rememberBrowser } from './sign-in-limits.ts'

/**
 * Creates a one-time link. Unknown addresses cost the same work, so neither response nor timing
 * reveals them.
 *
 * @returns the token to send, and whether the address is known or invited
 */
export async function requestLink(
  database: Database,
  input: { email: string; browserHash: string; sessionHash: string | null },
  now: number,
): Promise<{ token: string; isKnown: boolean; email: string; expiresAt: number }> {
  const { token, tokenHash } = mintToken()
  const email = foldEmail(input.email)
  const expiresAt = now + limits.signInLinkMilliseconds
  const invited = await findInvitations(database, email, now)
  const [, users] = await database.global([
    sql`insert into sign_in_links (token_hash, email, browser_hash, session_hash, created_at, expires_at)
      values (${tokenHash}, ${email}, ${input.browserHash}, ${input.sessionHash}, ${now}, ${expiresAt})`,
    sql`select id from users where email = ${email}`,
  ])
  return { token, isKnown: users?.length === 1 || invited.length > 0, email, expiresAt }
}

export interface RedeemedSession {
  /** The session cookie's value; null when an existing session was refreshed. */
  token: string | null
  userId: string
  expiresAt: number
}

/**
 * Redeems a link: once, before expiry, and only in the browser that requested it.
 *
 * @throws Failure LIQUIDITY_SIGN_IN_LINK_INVALID, without a specific cause
 */
export async function redeemLink(
  database: Database,
  input: {
    token: string
    /** Empty if the browser has no sign-in cookie. */
    browserHash: string
    sessionHash: string | null
    /** Lifetime of a new session. */
    sessionMilliseconds: number
  },
  now: number,
): Promise<RedeemedSession> {
  const linkHash = hashSecret(input.token)
  const [links] = await database.global([
    sql`update sign_in_links set used_at = ${now} where token_hash = ${linkHash} and used_at is null
      and expires_at > ${now} and browser_hash in ('', ${input.browserHash})
      and (session_hash is null or session_hash = ${input.sessionHash})
      returning email, session_hash`,
  ])
  const link = links?.[0]
  if (!link) throw new Failure('LIQUIDITY_SIGN_IN_LINK_INVALID')
  const sessionHash = optionalTextOf(link, 'session_hash')
  if (sessionHash !== null) return refreshSession(database, { sessionHash }, now)
  const email = textOf(link, 'email')
  const { sessionMilliseconds } = input
  const terms = { email, authenticatedAt: now, sessionMilliseconds }
  const opened = await openSession(database, terms, now, [
    ...rememberBrowser({ email, browserHash: input.browserHash }, now),
  ])
  if (!opened) throw new Failure('LIQUIDITY_SIGN_IN_LINK_INVALID')
  return opened
}

/**
 * Opens a session for the owner of an address and accepts the invitations of a new user. Returns
 * null if no user has the address. For users with a passkey, an email sign-in does not count as
 * recent.
 */
export async function openSession(
  database: Database,
  terms: {
    email: string
    /** Milliseconds since 1970. */
    authenticatedAt: number
    sessionMilliseconds: number
  },
  now: number,
  more: readonly Sql[] = [],
): Promise<RedeemedSession | null> {
  await acceptAtSignIn(database, terms.email, now)
  const session = mintToken()
  const expiresAt = now + terms.sessionMilliseconds
  const [users] = await database.global([
    sql`insert into sessions (token_hash, user_id, created_at, authenticated_at, expires_at, epoch)
      select ${session.tokenHash}, u.id, ${now},
        case when ${hasPasskey('u.id')} then 0 else ${terms.authenticatedAt}::bigint end, ${expiresAt}, u.epoch from users u
      where u.email = ${terms.email} returning user_id`,
    ...more,
  ])
  const user = users?.[0]
  return user ? { token: session.token, userId: textOf(user, 'user_id'), expiresAt } : null
}

/** True if the user has a passkey; SQL for statements with the user id in that column. */
const hasPasskey = (column: 'u.id' | 's.user_id') =>
  sql`exists (select from passkeys p where p.user_id = ${{ text: column }})`

/**
 * Marks a session as recently authenticated by email. No effect for users with a passkey. Times are
 * in milliseconds since 1970.
 *
 * @param terms expected `email`, if any; `authenticatedAt` if in the past
 * @throws Failure LIQUIDITY_SIGN_IN_LINK_INVALID for an invalid session
 */
export async function refreshSession(
  database: Database,
  terms: { sessionHash: string; email?: string; authenticatedAt?: number },
  now: number,
): Promise<RedeemedSession> {
  const { sessionHash, email = null, authenticatedAt = now } = terms
  const [sessions] = await database.global([
    sql`update sessions s set authenticated_at = greatest(authenticated_at, ${authenticatedAt}::bigint) where token_hash = ${sessionHash}
      and revoked_at is null and expires_at > ${now} and not ${hasPasskey('s.user_id')}
      and (${email}::text is null or user_id = (select id from users where email = ${email}))
      returning user_id, expires_at`,
  ])
  const session = sessions?.[0]
  if (!session) throw new Failure('LIQUIDITY_SIGN_IN_LINK_INVALID')
  return {
    token: null,
    userId: textOf(session, 'user_id'),
    expiresAt: integerOf(session, 'expires_at'),
  }
}

/** Ends a session for good. */
export async function revokeSession(
  database: Database,
  sessionHash: string,
  now: number,
): Promise<void> {
  await database.global([
    sql`update sessions set revoked_at = ${now} where token_hash = ${sessionHash} and revoked_at is null`,
  ])
}

export interface SessionView {
  userId: string
  email: string
  authenticatedAt: string
  expiresAt: string
  /** True if only a passkey makes the session recent again. */
  hasPasskey: boolean
  organizations: { id: string; name: string; role: string }[]
}

/** The signed-in user and their memberships; null if the session is not live. */
export async function readSession(
  database: Database,
  sessionHash: string,
  now: number,
): Promise<SessionView | null> {
  const [rows] = await database.global([
    sql`select s.user_id, s.epoch, u.email, s.authenticated_at, s.expires_at, ${hasPasskey('s.user_id')} as has_passkey from sessions s
      join users u on u.id = s.user_id
      where s.token_hash = ${sessionHash} and s.revoked_at is null and s.expires_at > ${now}`,
  ])
  const row = rows?.[0]
  if (!row) return null
  const userId = textOf(row, 'user_id')
  const [memberships = []] = await database.dispatch([
    sql`select m.organization_id as id, o.name, m.role from memberships m
      join organizations o on o.id = m.organization_id
      where m.user_id = ${userId} and m.epoch <= ${integerOf(row, 'epoch')} order by o.created_at, o.id`,
  ])
  return {
    userId,
    email: textOf(row, 'email'),
    authenticatedAt: new Date(integerOf(row, 'authenticated_at')).toISOString(),
    expiresAt: new Date(integerOf(row, 'expires_at')).toISOString(),
    hasPasskey: textOf(row, 'has_passkey') === 't',
    organizations: memberships.map((membership) => ({
      id: textOf(membership, 'id'),
      name: textOf(membership, 'name'),
      role: textOf(membership, 'role'),
    })),
  }
}
