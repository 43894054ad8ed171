import { contract } from '@liquidity-os/contract'
import { type ConsistencyProof, storedConsistency } from '@liquidity-os/evidence'
import { type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import type { Database } from '../../../store/database/database.ts'
import { integerOf, type Row } from '../../../store/database/row.ts'
import { type Sql, sql } from '../../../store/database/sql.ts'
import {
  type EventPosition,
  orderOfEventsNewest,
  parsePlace,
  placeColumns,
  placeOf,
  printPlace,
  readEvent,
} from '../../../store/records/event-order.ts'
import { pageOf, pageText } from '../../collection.ts'
import {
  checkpointColumns,
  checkpointOf,
  fromStored,
  newestCheckpoint,
  type StoredCheckpoint,
} from './log-store.ts'
import { readLogged } from './read-logged.ts'

const operation = contract.listProofV2
type Request = HandlerRequest<typeof operation>

/** A list item at its log position. A checkpoint follows the last leaf that it covers. */
type Item =
  | { kind: 'LEAF'; index: number; row: Row }
  | { kind: 'CHECKPOINT'; index: number; checkpoint: StoredCheckpoint; before: number | null }

/** End of a page in both lists: leaves by event, checkpoints by tree size. */
interface PageEnd {
  readonly leaf: EventPosition | null
  readonly treeSize: number | null
}

/**
 * Leaves of the organization's own events and checkpoints of the whole log, newest first. The head of the page is the
 * newest checkpoint; later leaves are shown once one covers them.
 */
export default handle(operation, async (request): Promise<Outcome> => {
  const { query, services, fail } = request
  const { after, limit } = pageOf(operation, request)
  if (query.subject !== undefined && query.kind === 'CHECKPOINT') {
    throw fail('LIQUIDITY_INVALID_REQUEST', {
      fieldErrors: {
        'query.subject': ['must be omitted: a checkpoint belongs to no record; use kind=LEAF'],
      },
    })
  }
  const { database } = services
  const head = await newestCheckpoint(database)
  const items = head ? await itemsBehind(request, parseAfter(after), head.treeSize, limit + 1) : []
  const shown = items.slice(0, limit)
  const texts = head ? await serializeItems(database, shown, head) : []
  const last = shown.length === 0 ? null : printAfter(parseAfter(after), shown)
  return {
    text: pageText(operation, request, { texts, lastId: last, hasMore: items.length > limit }),
  }
})

async function itemsBehind(
  { query, records, organizationId }: Request,
  { leaf, treeSize }: PageEnd,
  headSize: number,
  limit: number,
): Promise<Item[]> {
  const none = sql`select where false`
  const behind = leaf
    ? sql`and (e.era, e.transaction_id, e.ordinal) < (${Number(leaf.era)}, ${BigInt(leaf.transactionId)}, ${Number(leaf.ordinal)})`
    : sql``
  const subject = query.subject === undefined ? sql`` : sql`and e.subject_id = ${query.subject}`
  const leaves: Sql = sql`select l.leaf_index, ${placeColumns} from events e
    join log_leaves l on l.subject_hash = e.evidence_hash and l.leaf_index < ${headSize}
    where e.organization_id = ${organizationId} ${behind} ${subject} ${orderOfEventsNewest} limit ${limit}`
  const wantsCheckpoints = query.kind !== 'LEAF' && query.subject === undefined
  const checkpoints: Sql = sql`select ${checkpointColumns}, lead(tree_size) over (order by tree_size desc) as before
    from log_checkpoints ${treeSize === null ? sql`` : sql`where tree_size < ${treeSize}`}
    order by tree_size desc limit ${limit + 1}`
  const [leafRows = [], checkpointRows = []] = await records.query([
    query.kind === 'CHECKPOINT' ? none : leaves,
    wantsCheckpoints ? checkpoints : none,
  ])
  const found: Item[] = [
    ...leafRows.map((row) => ({ kind: 'LEAF' as const, index: integerOf(row, 'leaf_index'), row })),
    ...checkpointRows.slice(0, limit).map((row) => ({
      kind: 'CHECKPOINT' as const,
      index: integerOf(row, 'tree_size'),
      checkpoint: checkpointOf(row),
      before: row.before == null ? null : integerOf(row, 'before'),
    })),
  ]
  // A checkpoint of n leaves sorts before leaf n, the first leaf it does not cover.
  const rank = ({ kind, index }: Item) => 2 * index + (kind === 'LEAF' ? 1 : 0)
  return found.toSorted((a, b) => rank(b) - rank(a)).slice(0, limit)
}

async function serializeItems(
  database: Database,
  items: readonly Item[],
  head: StoredCheckpoint,
): Promise<string[]> {
  const events = items.flatMap((item) => (item.kind === 'LEAF' ? [readEvent(item.row).event] : []))
  const logged = await readLogged(
    database,
    events.map(({ evidenceHash }) => evidenceHash),
    head,
  )
  const steps = items.flatMap((item) =>
    item.kind === 'CHECKPOINT' && item.before !== null
      ? [storedConsistency(item.before, item.index)]
      : [],
  )
  const proofs = new Map(
    (await fromStored(database, steps)).map((proof) => [proof.treeSize, proof]),
  )
  return items.map((item) => {
    if (item.kind === 'CHECKPOINT') return serializeCheckpoint(item, proofs.get(item.index))
    const { event } = readEvent(item.row)
    const found = logged.get(event.evidenceHash)
    if (!found) throw new Error(`The event ${event.id} has a leaf but no proof.`)
    const { leafHash, leaf, inclusion, checkpoint } = found
    const { treeSize, rootHash, note } = checkpoint
    return JSON.stringify({
      kind: 'LEAF',
      leafIndex: inclusion.leafIndex,
      leafHash,
      leaf,
      subject: event.subject,
      event: { id: event.id, kind: event.kind },
      inclusion: { treeSize: inclusion.treeSize, path: inclusion.path },
      checkpoint: { treeSize, rootHash, note },
    })
  })
}

function serializeCheckpoint(
  { checkpoint }: Extract<Item, { kind: 'CHECKPOINT' }>,
  proof: ConsistencyProof | undefined,
): string {
  const { treeSize, rootHash, note, signedAt } = checkpoint
  return JSON.stringify({
    kind: 'CHECKPOINT',
    treeSize,
    rootHash,
    note,
    consistency: proof ? { fromSize: proof.fromSize, path: proof.path } : null,
    signedAt: new Date(signedAt).toISOString(),
  })
}

function parseAfter(cursor: string | null): PageEnd {
  if (cursor === null) return { leaf: null, treeSize: null }
  const [leaf = '', treeSize = ''] = cursor.split('~')
  return {
    leaf: leaf === '' ? null : parsePlace(leaf),
    treeSize: treeSize === '' ? null : Number(treeSize),
  }
}

function printAfter(before: PageEnd, shown: readonly Item[]): string {
  const leaf = shown.findLast((item) => item.kind === 'LEAF')
  const checkpoint = shown.findLast((item) => item.kind === 'CHECKPOINT')
  const place = leaf ? placeOf(leaf.row) : before.leaf
  // `join` prints null as an empty part.
  return [place && printPlace(place), checkpoint?.index ?? before.treeSize].join('~')
}
