import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../../limits.ts'
import { type Database, StandbyError, StoreUnavailableError } from './database.ts'
import { textOf } from './row.ts'
import { sql } from './sql.ts'

/** Why the database takes no change now, in words for whoever supervises; null where it takes them. */
export type Writable = () => Promise<string | null>

/**
 * Tries whether the database takes a change: that it is no standby, that its log reaches the disk, and, where
 * the database has a disk of its own, that there is room for another block. Nothing is left behind. Askers
 * within a few seconds share one trial.
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

/** A database that stopped answering leaves nobody waiting. */
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
      ...(database.kind === 'postgres' ? room : []),
    ])
    return null
  } catch (cause) {
    if (isFull(cause)) return 'database disk full'
    if (isStandby(cause)) return 'database read-only'
    // Whoever took the right to temporary tables away has not taken the database away.
    return cause instanceof StoreUnavailableError ? 'database unavailable' : null
  }
}

const room = [
  sql`create temporary table room (block text) on commit drop`,
  sql`insert into room values ('taken')`,
]

/** disk_full, also where the log is what found no room. */
const isFull = (cause: unknown) =>
  cause instanceof StoreUnavailableError && (cause.cause as { code?: string }).code === '53100'

const isStandby = (cause: unknown) =>
  cause instanceof StoreUnavailableError && cause.cause instanceof StandbyError
