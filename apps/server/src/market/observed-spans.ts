import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { textOf } from '../store/database/row.ts'
import { type Sql, sql, values } from '../store/database/sql.ts'
import { findStatement, member } from '../store/records/find.ts'
import { idRange } from '../store/records/resource-types.ts'
import type { TenantRecords } from '../store/records/tenant-records.ts'
import { eventsWithin } from './events-within.ts'
import { type BlockRange, StandingRanges } from './standing-ranges.ts'

type Observation = Static<typeof contract.VenueObservation>
type Chained = Pick<Observation, 'range' | 'start' | 'state'>

/** What an observation says of the chain, without its figures. */
export interface ObservedSpan {
  readonly id: string
  readonly resourceVersion: string
  readonly status: string
  readonly payload: Chained & Pick<Observation, 'events' | 'gaps'>
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
    and e.body::jsonb ->> 'kind' = ${venueReorganized}`
}

/**
 * Of what is on the chain of a venue the observation that reaches furthest: made last it may as well fill an old hole. A query of
 * one column, `id`.
 *
 * @param reads EVENTS reads what happened up to its last block, STATE the market at one block and nothing else
 */
export function furthestObservation(
  organizationId: string,
  venueId: string,
  reads: 'EVENTS' | 'STATE',
): Sql {
  const { from, to } = idRange('VenueObservation')
  const isState = sql`coalesce(${member('payload.gaps.0.code')} = ${eventsNotRead}, false)`
  return sql`select h.id from record_heads h join records r on r.organization_id = h.organization_id
    and r.id = h.id and r.sequence = h.sequence where h.organization_id = ${organizationId}
    and h.id >= ${from} and h.id < ${to} and ${member('payload.venue.id')} = ${venueId}
    and ${isState} = ${reads === 'STATE'} and h.id not in (${overtakenIds(organizationId, [venueId])})
    order by ${member('payload.range.to.number')}::bigint desc, h.id desc limit 1`
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

/**
 * Every observation of venues, and whether it counts: the one place that decides. What an index run found to have left
 * the chain is named by an event of the venue, in one transaction with what the run read instead. What was sealed before
 * its run could know is held against each other: of two that contradict, the one made last counts.
 */
export async function observedSpans(
  records: TenantRecords,
  venueIds: readonly string[],
): Promise<Map<string, VenueSpans>> {
  const { organizationId } = records
  const [rows = [], told = []] = await records.query([
    findStatement(organizationId, 'VenueObservation', {
      status: ['COMPLETED', 'PARTIAL'],
      where: sql`${member('payload.venue.id')} in ${values(venueIds)}`,
    }),
    overtakenIds(organizationId, venueIds),
  ])
  const named = new Set(told.map((row) => textOf(row, 'id')))
  const found = records.opened<Observation>(rows)
  const byVenue = Map.groupBy(found, ({ payload }) => payload.venue.id)
  const read = (span: ObservedSpan) => records.sharedArtifact(span.payload.events.artifactHash)
  return new Map(
    await Promise.all(
      venueIds.map(async (venueId) => {
        const spans = (byVenue.get(venueId) ?? []).map(spanOf)
        return [venueId, await spansOf(spans, named, read)] as const
      }),
    ),
  )
}

function spanOf({
  id,
  resourceVersion,
  status,
  payload,
}: VersionedRecord<Observation>): ObservedSpan {
  const { range, start, state, events, gaps } = payload
  return { id, resourceVersion, status, payload: { range, start, state, events, gaps } }
}

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
  for (const ranged of latestFirst) {
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
