import {
  completeSubtrees,
  growTree,
  type Hash,
  hexToBytes,
  isHash,
  merkleLeafHash,
  proofLeaf,
  type StoredSubtree,
} from '@liquidity-os/evidence'
import { limits } from '../../../limits.ts'
import type { Services } from '../../../services.ts'
import { ConflictError, type Database } from '../../../store/database/database.ts'
import { integerOf, type Row, textOf } from '../../../store/database/row.ts'
import { column, type Sql, sql } from '../../../store/database/sql.ts'
import { eventsBehindLog, fromStored, type LogState, stateOf, stateStatement } from './log-store.ts'
import { type HeadSigning, signHead } from './sign-head.ts'

/**
 * Appends all newly committed events to the log in commit order and signs a checkpoint. Safe for
 * concurrent processes: the one that advances the log size wins, and the others retry on their next
 * turn. A crash leaves the log before or after a batch.
 *
 * @returns number of leaves appended by this process
 */
export async function sequenceEvents(
  services: HeadSigning & Pick<Services, 'config'>,
): Promise<number> {
  let appended = 0
  try {
    for (;;) {
      const count = await appendBatch(services)
      appended += count
      if (count < limits.logBatchEvents) break
    }
    await signHead(services)
  } catch (error) {
    // Another process appended or signed first.
    if (!(error instanceof ConflictError)) throw error
  }
  return appended
}

async function appendBatch({
  database,
  config,
  clock,
}: Pick<Services, 'clock' | 'config' | 'database'>): Promise<number> {
  const [states = [], events = []] = await database.proofLog([stateStatement, nextEvents])
  const last = events.at(-1)
  if (!last) return 0
  const state = stateOf(states[0])
  const size = state?.size ?? 0
  const loggedAt = Math.floor(clock() / 1000)
  const hashes = events.map(hashOf)
  const leaves = hashes.map((hash) =>
    hexToBytes(merkleLeafHash(proofLeaf(hash, loggedAt)).slice(2)),
  )
  const { completed } = growTree(size, await peaksOf(database, size), leaves)
  await database.proofLog([
    moved(state, { origin: originOf(config), size: size + events.length, last: placeOf(last) }),
    sql`insert into log_leaves (leaf_index, subject_hash, logged_at)
      select ${size} + place - 1, subject_hash, ${loggedAt}
      from unnest(${column('text', hashes, (hash) => hash)}) with ordinality as e (subject_hash, place)`,
    nodesStatement(completed),
  ])
  return events.length
}

/** No open transaction can get in between; see `event-order.ts`. */
const nextEvents = sql`select e.evidence_hash, e.era, e.transaction_id, e.organization_id, e.ordinal from events e
  where ${eventsBehindLog} and (e.era < (select max(era) from event_eras)
    or e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())::text::bigint)
  order by e.era, e.transaction_id, e.organization_id, e.ordinal limit ${limits.logBatchEvents}`

function hashOf(row: Row): Hash {
  const hash = textOf(row, 'evidence_hash')
  if (!isHash(hash)) throw new Error(`An event has no hash: ${hash}.`)
  return hash
}

const placeOf = (row: Row): LogState['last'] => ({
  era: integerOf(row, 'era'),
  transactionId: BigInt(textOf(row, 'transaction_id')),
  organizationId: textOf(row, 'organization_id'),
  ordinal: integerOf(row, 'ordinal'),
})

/** Hashes of the complete subtrees along the right edge, to which new leaves are appended. */
async function peaksOf(database: Database, size: number): Promise<Uint8Array[]> {
  const needs = completeSubtrees(size)
  const [peaks = []] = await fromStored(database, [
    { needs, make: (stored: (subtree: (typeof needs)[number]) => Uint8Array) => needs.map(stored) },
  ])
  return peaks
}

/** The transaction fails (LQ001) if the log has advanced since the read. */
function moved(from: LogState | null, to: LogState): Sql {
  const { era, transactionId, organizationId, ordinal } = to.last
  if (!from) {
    return sql`insert into log_state (origin, tree_size, era, transaction_id, last_organization_id, ordinal)
      values (${to.origin}, ${to.size}, ${era}, ${transactionId}, ${organizationId}, ${ordinal})`
  }
  return sql`with moved as (
      update log_state set tree_size = ${to.size}, era = ${era}, transaction_id = ${transactionId},
        last_organization_id = ${organizationId}, ordinal = ${ordinal}
      where tree_size = ${from.size} returning 1)
    select require_expected(count(*) = 1) from moved`
}

function nodesStatement(completed: readonly StoredSubtree[]): Sql {
  const hex = (hash: Uint8Array) => Buffer.from(hash).toString('hex')
  return sql`insert into log_nodes (level, place, hash) select level, place, decode(hash, 'hex')
    from unnest(${column('integer', completed, ({ level }) => level)},
      ${column('bigint', completed, ({ place: index }) => index)},
      ${column('text', completed, ({ hash }) => hex(hash))}) as n (level, place, hash)`
}

/** Permanent name of the log, from the host at its creation. */
const originOf = ({ baseUrl }: Services['config']) => `${new URL(baseUrl).host}/liquidity-os/log`
