import { LogKeys, NoteError } from '@liquidity-os/evidence'
import type { Database } from '../../../store/database/database.ts'
import { integerOf, type Row, textOf } from '../../../store/database/row.ts'
import { type Sql, sql } from '../../../store/database/sql.ts'

/** A stored handover: a note signed by both keys. */
export interface StoredHandover {
  readonly size: number
  readonly note: string
  readonly handedAt: number
}

/** Consistent snapshot of the stored log keys. */
export interface StoredLogKeys {
  readonly origin: string
  /** The current key: 32 raw bytes in base64. */
  readonly inUse: string
  /** The oldest first. */
  readonly handovers: readonly StoredHandover[]
}

/** One statement, so that key and handovers are from the same snapshot. */
export const storedLogKeysStatement: Sql = sql`select s.origin, k.public_key, h.tree_size, h.note, h.handed_at
  from log_state s join signing_keys k on k.purpose = 'log' and k.retired_at is null
  left join log_handovers h on true order by h.tree_size`

export async function readStoredLogKeys(database: Database): Promise<StoredLogKeys | null> {
  const [rows = []] = await database.global([storedLogKeysStatement])
  return storedLogKeysOf(rows)
}

/** Null without a log or key. */
export function storedLogKeysOf(rows: readonly Row[]): StoredLogKeys | null {
  const [first] = rows
  if (!first) return null
  const handovers = rows
    .filter((row) => row.tree_size != null)
    .map((row) => ({
      size: integerOf(row, 'tree_size'),
      note: textOf(row, 'note'),
      handedAt: integerOf(row, 'handed_at'),
    }))
  return { origin: textOf(first, 'origin'), inUse: textOf(first, 'public_key'), handovers }
}

/**
 * Log keys in order.
 *
 * @throws NoteError if a note is invalid, or no earlier key vouches for the current one
 */
export function chainLogKeys({ origin, inUse, handovers }: StoredLogKeys): LogKeys {
  const notes = handovers.map(({ note }) => note)
  const keys = new LogKeys(origin, inUse, notes)
  if (keys.current !== inUse) throw new NoteError(`No key of the log has signed the key ${inUse}.`)
  return keys
}

/** Lock that prevents signing a checkpoint during a key rotation. */
export const lockLogKey: Sql = sql`select lock_log_key()`

/** Fails the transaction (LQ001) if the log key was rotated since the handovers were read. */
export const handoversAre = (count: number): Sql =>
  sql`select require_expected(count(*) = ${count}) from log_handovers`

/**
 * Declares the number of handovers behind a signature. Storing the checkpoint fails (LQ001) if the
 * number has changed.
 */
export const restsOnHandovers = (count: number): Sql =>
  sql`select set_config('app.log_handovers', ${String(count)}, true)`
