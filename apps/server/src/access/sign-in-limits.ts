import { limits } from '../limits.ts'
import type { Database } from '../store/database/database.ts'
import { type Sql, sql } from '../store/database/sql.ts'
import { foldEmail } from './email-address.ts'
import { isWithinHourlyLimit, requireTurn } from './hourly-turns.ts'
import { hashSecret } from './secrets.ts'

/** Requester of a sign-in link: the client address, and the browser by its cookie. */
export interface LinkAsker {
  readonly email: string
  readonly client: string
  readonly browserHash: string
}

/**
 * Limits sign-in links per address. Browsers that signed in with the address have their own quota,
 * as does each other client. Third parties therefore cannot use up the user's quota. Many clients
 * at once trigger one email each, which bounds the volume without locking the user out.
 *
 * @throws Failure 429
 */
export async function requireLinkTurn(
  database: Database,
  { email, client, browserHash }: LinkAsker,
  now: number,
): Promise<void> {
  await requireTurn(database, `link-client|${client}`, limits.signInLinksPerClientPerHour, now)
  const address = hashSecret(foldEmail(email))
  const asker = limits.signInLinksPerAskerPerHour
  if (await isKnownBrowser(database, { address, browserHash })) {
    return requireTurn(database, `link-browser|${address}|${browserHash}`, asker, now)
  }
  const isQuiet = await isWithinHourlyLimit(
    database,
    `link-strangers|${address}`,
    limits.signInLinksOfStrangersPerHour,
    now,
  )
  await requireTurn(database, `link-address|${address}|${client}`, isQuiet ? asker : 1, now)
}

/** Who is signed in is counted apart from all who are not. @throws Failure 429 */
export async function requireReauthenticationTurn(
  database: Database,
  { email, client }: Omit<LinkAsker, 'browserHash'>,
  now: number,
): Promise<void> {
  await requireTurn(database, `link-client|${client}`, limits.signInLinksPerClientPerHour, now)
  const bucket = `reauthentication|${hashSecret(foldEmail(email))}`
  await requireTurn(database, bucket, limits.signInLinksPerAskerPerHour, now)
}

/** Statements that mark the browser as known for later link requests. */
export function rememberBrowser(
  { email, browserHash }: { email: string; browserHash: string },
  now: number,
): Sql[] {
  if (browserHash === '') return []
  return [
    sql`insert into known_browsers (email_hash, browser_hash, seen_at)
      values (${hashSecret(foldEmail(email))}, ${browserHash}, ${now})
      on conflict (email_hash, browser_hash) do update set seen_at = excluded.seen_at`,
  ]
}

async function isKnownBrowser(
  database: Database,
  { address, browserHash }: { address: string; browserHash: string },
): Promise<boolean> {
  const [rows] = await database.global([
    sql`select 1 as known from known_browsers where email_hash = ${address} and browser_hash = ${browserHash}`,
  ])
  return rows?.length === 1
}
