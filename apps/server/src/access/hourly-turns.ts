import { Failure } from '../failure.ts'
import type { Database } from '../store/database/database.ts'
import { sql } from '../store/database/sql.ts'
import { hourMilliseconds, hourSeconds } from '../units.ts'

/**
 * Counts one use of an hourly bucket, shared by all nodes.
 *
 * @throws Failure 429 if the hourly limit is reached
 */
export async function requireTurn(
  database: Database,
  bucket: string,
  limit: number,
  now: number,
): Promise<void> {
  if (await isWithinHourlyLimit(database, bucket, limit, now)) return
  throw new Failure('LIQUIDITY_RATE_LIMITED', { retryAfterSeconds: hourSeconds })
}

/** Counts one use in the hourly bucket; returns true if within the limit. */
export async function isWithinHourlyLimit(
  database: Database,
  bucket: string,
  limit: number,
  now: number,
): Promise<boolean> {
  return isWithinLimit(database, { bucket, limit, windowMilliseconds: hourMilliseconds }, now)
}

/**
 * The same for any window length. The purge must retain counters for longer than the longest
 * window.
 */
export async function isWithinLimit(
  database: Database,
  turn: { readonly bucket: string; readonly limit: number; readonly windowMilliseconds: number },
  now: number,
): Promise<boolean> {
  const { bucket, limit, windowMilliseconds } = turn
  const windowStart = Math.floor(now / windowMilliseconds) * windowMilliseconds
  const [rows] = await database.global([
    sql`insert into rate_windows as w (bucket, window_start, used) values (${bucket}, ${windowStart}, 1)
      on conflict (bucket, window_start) do update set used = w.used + 1 where w.used < ${limit}
      returning used`,
  ])
  return (rows?.length ?? 0) > 0
}
