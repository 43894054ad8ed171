import { setImmediate } from 'node:timers/promises'
import { textOf } from '../store/database/row.ts'
import { type Sql, sql, values } from '../store/database/sql.ts'
import type { TenantRecords } from '../store/records/tenant-records.ts'
import { ActiveRanges, type BlockRange } from './active-ranges.ts'
import { eventsWithin } from './events-within.ts'

interface SpanBlock {
  readonly number: number
  readonly hash: string
  /** ISO 8601, in UTC. */
  readonly timestamp: string
}

interface Chained {
  readonly range: {
    readonly from: SpanBlock
    readonly to: SpanBlock
    readonly parentHash?: string | undefined
  }
  readonly start: { readonly snapshotHash: string }
  readonly state: { readonly snapshotHash: string }
}

/** Chain data of an observation, without its statistics; an observation also has this type. */
export interface ObservedSpan {
  readonly id: string
  readonly resourceVersion: string
  readonly status: string
  readonly payload: Chained & {
    readonly events: { readonly artifactHash: string }
    readonly gaps: readonly { readonly code: string }[]
  }
}

/** Observations of a venue by first block: current ones, and ones off the chain. */
export interface VenueSpans {
  readonly activeSpans: readonly ObservedSpan[]
  readonly overtaken: readonly ObservedSpan[]
}

/** Event of a venue with recorded blocks that are no longer on the chain. */
export const venueReorganized = 'venue.reorg'

/** Gap of an observation that read only the state at one block, without events. */
export const eventsNotRead = 'EVENTS_NOT_READ'

/** Gap of an observation whose tokens did not deliver or hold the amounts of its events. */
export const tokenNotExact = 'TOKEN_NOT_EXACT'

/** Assumption of an observation whose token transfers no provider could prove or refute. */
export const transfersAssumed = 'TOKEN_TRANSFERS'

/** True if an observation starts directly after the block that ends another. */
export function follows(next: Chained, last: Chained): boolean {
  if (next.range.from.number !== last.range.to.number + 1) return false
  const { parentHash } = next.range
  // Observations from before the parent was sealed have only the state for this check.
  return parentHash === undefined
    ? next.start.snapshotHash === last.state.snapshotHash
    : parentHash === last.range.to.hash
}

/**
 * Query of IDs (column `id`) of observations that left the chain, as named by venue events.
 *
 * @param venueIds all venues if omitted
 */
export function overtakenIds(organizationId: string, venueIds?: readonly string[]): Sql {
  const ofVenues = venueIds
    ? sql`e.subject_id in ${values(venueIds)}`
    : sql`e.subject_id >= 'venue_0' and e.subject_id < 'venue_g'`
  return sql`select told ->> 'id' as id from events e,
      jsonb_array_elements(e.body::jsonb #> '{payload,overtaken}') as told
    where e.organization_id = ${organizationId} and ${ofVenues}
    and e.kind = ${venueReorganized}`
}

export const overtakenWords =
  'was replaced by a chain reorganization; index the venue and use the new observation'

/** IDs of observations that an index run found to have left the chain. */
export async function namedOvertaken(
  records: TenantRecords,
  venueIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const [rows = []] = await records.query([overtakenIds(records.organizationId, venueIds)])
  return new Set(rows.map((row) => textOf(row, 'id')))
}

/** Observations that are compared without a pause (about 25 ms). */
const spansAtOnce = 1_000

type EventsOf = (span: ObservedSpan) => Promise<Uint8Array>

/**
 * Divides the observations of a venue into ones on and off the chain. Takes O(n log n) steps for n
 * observations, plus one per pair with shared blocks.
 *
 * @param named IDs known to have left the chain
 * @param eventsOf reads the sealed events of an observation, to compare shared blocks
 */
export async function spansOf(
  spans: readonly ObservedSpan[],
  named: ReadonlySet<string>,
  eventsOf: EventsOf,
): Promise<VenueSpans> {
  // Ids of one kind sort by their creation.
  const latestFirst = spans.toSorted((a, b) => (a.id < b.id ? 1 : -1)).map(rangedSpan)
  const hashes = new Map<number, string>()
  const withEvents = latestFirst.filter(({ span }) => readsEvents(span))
  const later: LaterRanges = {
    all: new ActiveRanges(withEvents),
    completed: new ActiveRanges(withEvents.filter(({ span }) => span.status === 'COMPLETED')),
  }
  const activeSpans: ObservedSpan[] = []
  const overtaken: ObservedSpan[] = []
  for (const [index, ranged] of latestFirst.entries()) {
    // Yields at intervals, so a long history does not block other requests.
    if (index % spansAtOnce === spansAtOnce - 1) await setImmediate()
    const { span } = ranged
    const own = sealedBlocks(span.payload)
    const isContradicted = own.some(([block, hash]) => (hashes.get(block) ?? hash) !== hash)
    if (named.has(span.id) || isContradicted || (await isReadOver(ranged, later, eventsOf))) {
      overtaken.push(span)
      continue
    }
    activeSpans.push(span)
    for (const [block, hash] of own) hashes.set(block, hash)
    if (readsEvents(span)) later.all.add(ranged)
    if (readsEvents(span) && span.status === 'COMPLETED') later.completed.add(ranged)
  }
  const inOrder = (some: ObservedSpan[]) =>
    some.sort((a, b) => firstBlock(a) - firstBlock(b) || lastBlock(a) - lastBlock(b))
  return { activeSpans: inOrder(activeSpans), overtaken: inOrder(overtaken) }
}

interface RangedSpan extends BlockRange {
  readonly span: ObservedSpan
}

const rangedSpan = (span: ObservedSpan): RangedSpan => ({
  span,
  first: firstBlock(span),
  last: lastBlock(span),
})

/** Current observations among later ones that read events. */
interface LaterRanges {
  readonly all: ActiveRanges<RangedSpan>
  readonly completed: ActiveRanges<RangedSpan>
}

/** Blocks whose hashes an observation seals in addition to those of its events. */
export function sealedBlocks({
  range: { from, to, parentHash },
}: Pick<Chained, 'range'>): [block: number, hash: string][] {
  const parent: [number, string][] = parentHash === undefined ? [] : [[from.number - 1, parentHash]]
  return [...parent, [from.number, from.hash], [to.number, to.hash]]
}

export const readsEvents = ({ payload }: Pick<ObservedSpan, 'payload'>): boolean =>
  payload.gaps.every(({ code }) => code !== eventsNotRead)

/**
 * True if later observations replace this one. A run continues from the chain, so a later
 * observation that reads its first block replaces it. If a later one begins inside it, both must
 * have sealed equal events for shared blocks.
 */
async function isReadOver(
  ranged: RangedSpan,
  later: LaterRanges,
  eventsOf: EventsOf,
): Promise<boolean> {
  const { span, first, last } = ranged
  if (!readsEvents(span)) return false
  // An unproven observation replaces a proven one only by the hash of a block.
  const ranges = span.status === 'COMPLETED' ? later.completed : later.all
  if (ranges.coversBlock(first)) return true
  for (const one of ranges.beginningWithin({ first: first + 1, last })) {
    const to = Math.min(last, one.last)
    const [ours, theirs] = await Promise.all([eventsOf(span), eventsOf(one.span)])
    if (placesOf(ours, one.first, to) !== placesOf(theirs, one.first, to)) return true
  }
  return false
}

/** Identity of logs per block; other fields may grow in later releases. */
function placesOf(events: Uint8Array, from: number, to: number): string {
  const lines = new TextDecoder().decode(eventsWithin(events, from, to)).split('\n')
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const { blockHash, logIndex } = JSON.parse(line) as { blockHash: string; logIndex: number }
      return `${blockHash} ${logIndex}`
    })
    .join('\n')
}

type Ranged = { payload: { range: { from: { number: number }; to: { number: number } } } }

export const firstBlock = ({ payload }: Ranged): number => payload.range.from.number
export const lastBlock = ({ payload }: Ranged): number => payload.range.to.number
