import { limits } from '../limits.ts'
import type { Services } from '../services.ts'
import { type Sql, sql } from '../store/database/sql.ts'
import { dayMilliseconds } from '../units.ts'

/** Rows that a family keeps for a while only, as statements over all organizations. */
export type Forgetting = (now: number) => readonly Sql[]

/**
 * Removes what has served its time: old answers, budget windows, links and sessions. Records never.
 * Each is found by an index over when it was made.
 */
export async function purge({ config, database, clock, families }: Services): Promise<void> {
  const now = clock()
  const { forgets } = await families()
  await database.dispatch([
    sql`delete from idempotency where created_at < ${now - config.idempotencyRetentionDays * dayMilliseconds}`,
    sql`delete from budgets where window_start < ${now - 2 * limits.budgetWindowSeconds * 1000}`,
    sql`delete from invitations where expires_at < ${now}`,
    ...forgets.flatMap((forget) => forget(now)),
  ])
  await database.global([
    sql`delete from sign_in_links where expires_at < ${now - limits.endedSessionsKeptMilliseconds}`,
    sql`delete from sessions where expires_at < ${now - limits.endedSessionsKeptMilliseconds}`,
    sql`delete from known_browsers where seen_at < ${now - limits.knownBrowserMilliseconds}`,
    sql`delete from rate_windows where window_start < ${now - limits.rateWindowsKeptMilliseconds}`,
  ])
}

export const purging = { what: 'purge', everyMilliseconds: limits.purgeMilliseconds, run: purge }
