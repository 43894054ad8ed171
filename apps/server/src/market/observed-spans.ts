import { setImmediate } from 'node:timers/promises'
import { textOf } from '../store/database/row.ts'
import { type Sql, sql, values } from '../store/database/sql.ts'
import type { TenantRecords } from '../store/records/tenant-records.ts'
import { eventsWithin } from './events-within.ts'
import { type BlockRange, StandingRanges } from './standing-ranges.ts'

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

/** What an observation says of the chain, without its figures; an observation itself is one too. */
export interface ObservedSpan {
  readonly id: string
  readonly resourceVersion: string
  readonly status: string
  readonly payload: Chained & {
    readonly events: { readonly artifactHash: string }
    readonly gaps: readonly { readonly code: string }[]
  }
}

/** The observations of a venue in the order of their first blocks: those that count, and those that left the chain. */
export interface VenueSpans {
  readonly standing: readonly ObservedSpan[]
  readonly overtaken: readonly ObservedSpan[]
}

/** The event of a venue some of whose recorded blocks are no longer on the chain. */
export const venueReorganized = 'venue.reorg'

/** The gap of an observation that read the market at its one block and no event: it says nothing of what led there. */
export const eventsNotRead = 'EVENTS_NOT_READ'

/** Whether an observation begins on the very block with which another ends. */
export function follows(next: Chained, last: Chained): boolean {
  if (next.range.from.number !== last.range.to.number + 1) return false
  const { parentHash } = next.range
  // Before the parent was sealed, only the state could say so.
  return parentHash === undefined
    ? next.start.snapshotHash === last.state.snapshotHash
    : parentHash === last.range.to.hash
}

/**
 * Ids of the observations that left the chain, as the events of their venues name them; a query of one column, `id`.
 *
 * @param venueIds all venues where it is left out
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

/** What a request is told that names one of them. */
export const overtakenWords =
  'was overtaken by a reorganization; index the venue, and name what was read instead'

/** Ids of the observations of venues of which an index run found that they had left the chain. */
export async function namedOvertaken(
  records: TenantRecords,
  venueIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const [rows = []] = await records.query([overtakenIds(records.organizationId, venueIds)])
  return new Set(rows.map((row) => textOf(row, 'id')))
}

/** Observations that are compared without a pause, about 25 ms. */
const spansAtOnce = 1_000

type EventsOf = (span: ObservedSpan) => Promise<Uint8Array>

/**
 * Divides the observations of a venue into those that are on the chain and those that left it. Takes O(n log n) steps
 * for n observations, plus one for each pair that shares blocks.
 *
 * @param named ids that are known to have left the chain
 * @param eventsOf reads the sealed events of an observation, which are compared where two share blocks
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
    all: new StandingRanges(withEvents),
    completed: new StandingRanges(withEvents.filter(({ span }) => span.status === 'COMPLETED')),
  }
  const standing: ObservedSpan[] = []
  const overtaken: ObservedSpan[] = []
  for (const [index, ranged] of latestFirst.entries()) {
    // Of a long history others are served in between.
    if (index % spansAtOnce === spansAtOnce - 1) await setImmediate()
    const { span } = ranged
    const own = sealedBlocks(span.payload)
    const isContradicted = own.some(([block, hash]) => (hashes.get(block) ?? hash) !== hash)
    if (named.has(span.id) || isContradicted || (await isReadOver(ranged, later, eventsOf))) {
      overtaken.push(span)
      continue
    }
    standing.push(span)
    for (const [block, hash] of own) hashes.set(block, hash)
    if (readsEvents(span)) later.all.add(ranged)
    if (readsEvents(span) && span.status === 'COMPLETED') later.completed.add(ranged)
  }
  const inOrder = (some: ObservedSpan[]) =>
    some.sort((a, b) => firstBlock(a) - firstBlock(b) || lastBlock(a) - lastBlock(b))
  return { standing: inOrder(standing), overtaken: inOrder(overtaken) }
}

interface RangedSpan extends BlockRange {
  readonly span: ObservedSpan
}

const rangedSpan = (span: ObservedSpan): RangedSpan => ({
  span,
  first: firstBlock(span),
  last: lastBlock(span),
})

/** Of the observations that were made later and read events: those that stand. */
interface LaterRanges {
  readonly all: StandingRanges<RangedSpan>
  readonly completed: StandingRanges<RangedSpan>
}

/** The blocks whose hashes an observation seals beside those of its events. */
export function sealedBlocks({
  range: { from, to, parentHash },
}: Pick<Chained, 'range'>): [block: number, hash: string][] {
  const parent: [number, string][] = parentHash === undefined ? [] : [[from.number - 1, parentHash]]
  return [...parent, [from.number, from.hash], [to.number, to.hash]]
}

export const readsEvents = ({ payload }: Pick<ObservedSpan, 'payload'>): boolean =>
  payload.gaps.every(({ code }) => code !== eventsNotRead)

/**
 * Whether later observations replace one. A run continues from what is on the chain, so a later observation that
 * reads its first block replaces it. Where a later one begins inside it, both must have sealed the same events of the
 * blocks that they share.
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

/** Which logs of which blocks happened; what else a line says may be more in a later release. */
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
