import { type FromStored, hexToBytes, type Subtree } from '@liquidity-os/evidence'
import type { Database } from '../../../store/database/database.ts'
import { integerOf, optionalTextOf, type Row, textOf } from '../../../store/database/row.ts'
import { column, type Sql, sql } from '../../../store/database/sql.ts'

/** State of the log: the number of leaves and the last logged event. */
export interface LogState {
  readonly origin: string
  readonly size: number
  /** Position of the last event in commit order. */
  readonly last: {
    readonly era: number
    readonly transactionId: bigint
    readonly organizationId: string
    readonly ordinal: number
  }
}

/** A signed checkpoint; immutable. */
export interface StoredCheckpoint {
  readonly treeSize: number
  readonly rootHash: `0x${string}`
  /** Exact signed note, with the witness cosignatures received so far. */
  readonly note: string
  readonly signedAt: number
}

export const stateStatement = sql`select origin, tree_size, era, transaction_id, last_organization_id, ordinal
  from log_state`

/** The public part. */
export const sizeStatement = sql`select origin, tree_size from log_state`

/** Null if no event was ever appended. */
export const sizeOf = (row: Row | undefined): Pick<LogState, 'origin' | 'size'> | null =>
  row ? { origin: textOf(row, 'origin'), size: integerOf(row, 'tree_size') } : null

/** Null if no event was ever appended. */
export function stateOf(row: Row | undefined): LogState | null {
  const size = sizeOf(row)
  if (!row || !size) return null
  return {
    ...size,
    last: {
      era: integerOf(row, 'era'),
      transactionId: BigInt(textOf(row, 'transaction_id')),
      organizationId: textOf(row, 'last_organization_id'),
      ordinal: integerOf(row, 'ordinal'),
    },
  }
}

/** Columns of `log_checkpoints` under its own name. */
export const checkpointColumns = sql`tree_size, root_hash, signed_at,
  note || coalesce((select string_agg(c.line, '' order by c.name, c.public_key) from log_cosignatures c
    where c.tree_size = log_checkpoints.tree_size), '') as note`

/** Newest checkpoint with at most the given number of leaves, or the newest of all. */
export const newestCheckpointStatement = (atMost?: number): Sql =>
  sql`select ${checkpointColumns} from log_checkpoints
    ${atMost === undefined ? sql`` : sql`where tree_size <= ${atMost}`} order by tree_size desc limit 1`

export function checkpointOf(row: Row): StoredCheckpoint {
  return {
    treeSize: integerOf(row, 'tree_size'),
    rootHash: textOf(row, 'root_hash') as `0x${string}`,
    note: textOf(row, 'note'),
    signedAt: integerOf(row, 'signed_at'),
  }
}

export async function newestCheckpoint(database: Database): Promise<StoredCheckpoint | null> {
  const [rows = []] = await database.global([newestCheckpointStatement()])
  return rows[0] ? checkpointOf(rows[0]) : null
}

/** The log lacks data that was written earlier, so it was tampered with. */
export class LogBrokenError extends Error {}

/**
 * Computes roots and proofs from stored hashes, with one database query in total.
 *
 * @throws LogBrokenError if a hash is missing
 */
export async function fromStored<T>(
  database: Database,
  requested: readonly FromStored<T>[],
): Promise<T[]> {
  const needs = new Map(requested.flatMap(({ needs }) => needs.map((one) => [keyOf(one), one])))
  if (needs.size === 0) return requested.map(({ make }) => make(neverNeeded))
  const subtrees = [...needs.values()]
  const [rows = []] = await database.global([
    sql`select n.level, n.place, encode(n.hash, 'hex') as hash
      from unnest(${column('integer', subtrees, ({ level }) => level)},
        ${column('bigint', subtrees, ({ place: index }) => index)}) as asked (level, place)
      join log_nodes n on n.level = asked.level and n.place = asked.place`,
  ])
  const hashes = new Map(
    rows.map((row) => [
      keyOf({ level: integerOf(row, 'level'), place: integerOf(row, 'place') }),
      hexToBytes(textOf(row, 'hash')),
    ]),
  )
  const hashOf = (subtree: Subtree) => {
    const hash = hashes.get(keyOf(subtree))
    if (!hash) throw new LogBrokenError(`The log lacks the subtree ${keyOf(subtree)}.`)
    return hash
  }
  return requested.map(({ make }) => make(hashOf))
}

const keyOf = ({ level, place: itemIndex }: Subtree) => `${level}/${itemIndex}`

const neverNeeded = (): Uint8Array => {
  throw new Error('No hash should be needed here.')
}

/**
 * Number of events that wait to be appended (counted up to a limit), and the time of the oldest.
 */
export async function waitingEvents(
  database: Database,
  bound: number,
): Promise<{ waiting: number; since: number | null }> {
  const [rows = []] = await database.proofLog([
    sql`select count(*) as waiting, min(at) as since from (
      select at from events e where ${eventsBehindLog} limit ${bound}) as behind`,
  ])
  const row = rows[0] ?? {}
  const since = optionalTextOf(row, 'since')
  return { waiting: integerOf(row, 'waiting'), since: since === null ? null : Number(since) }
}

/**
 * Events after the last leaf, in commit order over all organizations; all events before the log
 * exists.
 */
export const eventsBehindLog = sql`(e.era, e.transaction_id, e.organization_id, e.ordinal) > (
    coalesce((select era from log_state), 0), coalesce((select transaction_id from log_state), 0),
    coalesce((select last_organization_id from log_state), ''), coalesce((select ordinal from log_state), 0))`
