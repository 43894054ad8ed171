import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../../limits.ts'
import { type Database, StandbyError, StoreUnavailableError } from './database.ts'
import { textOf } from './row.ts'
import { sql } from './sql.ts'

/** Reason the database accepts no changes, as text for health checks; null if it does. */
export type Writable = () => Promise<string | null>

/**
 * Tests whether the database accepts changes: it is no standby, its log reaches the disk, and its
 * own disk, if any, has space. The test leaves no data. Calls within a few seconds share one test.
 *
 * @param clock milliseconds since 1970
 */
export function writableOf(database: Database, clock: () => number): Writable {
  let trial: { at: number; answer: Promise<string | null> } | null = null
  return () => {
    const now = clock()
    if (!trial || Math.abs(now - trial.at) >= limits.writableMilliseconds) {
      trial = { at: now, answer: Promise.race([attempt(database), unanswered()]) }
    }
    return trial.answer
  }
}

/** Bounds the wait for a hanging database. */
async function unanswered(): Promise<string> {
  await sleep(limits.writableTrialMilliseconds, undefined, { ref: false })
  return 'database unavailable'
}

async function attempt(database: Database): Promise<string | null> {
  try {
    const [settings] = await database.global([
      sql`select current_setting('transaction_read_only') as read_only`,
    ])
    if (textOf(settings![0]!, 'read_only') === 'on') {
      return database.kind === 'embedded' ? 'database disk full' : 'database read-only'
    }
    await database.global([
      sql`select pg_logical_emit_message(true, 'liquidity', 'ready')`,
      ...(database.kind === 'postgres' ? probeStatements : []),
    ])
    return null
  } catch (cause) {
    if (isFull(cause)) return 'database disk full'
    if (isStandby(cause)) return 'database read-only'
    // A missing privilege for temporary tables does not make the database unavailable.
    return cause instanceof StoreUnavailableError ? 'database unavailable' : null
  }
}

const probeStatements = [
  sql`create temporary table room (block text) on commit drop`,
  sql`insert into room values ('taken')`,
]

/** disk_full, including a full log disk. */
const isFull = (cause: unknown) =>
  cause instanceof StoreUnavailableError && (cause.cause as { code?: string }).code === '53100'

const isStandby = (cause: unknown) =>
  cause instanceof StoreUnavailableError && cause.cause instanceof StandbyError
