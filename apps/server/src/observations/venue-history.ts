import {
  followMarket,
  type LoggedMarket,
  type MarketEvent,
  type MarketFollower,
  type Orientation,
  pairFlows,
} from '@liquidity-os/engine'
import { sql, values } from '../database/sql.ts'
import type { TenantRecords } from '../records/tenant-records.ts'
import { parseExact } from '../simulation/exact-json.ts'
import { eventsOf } from '../simulation/sealed-events.ts'
import type { ObservationRecord } from './completed-observations.ts'
import type { VenueRecord } from './named-venue.ts'
import { eventsWithin, type ObservedPart, observedParts } from './observed-parts.ts'
import { venueOrientation } from './venue-orientation.ts'

/** Observations that follow each other block by block, as bytes. */
export interface HistoryStretch {
  /** Unix seconds of the first and the last block. */
  readonly from: number
  readonly to: number
  readonly fromBlock: number
  readonly toBlock: number
  /** The market before the first event, as JSON. */
  readonly start: Uint8Array
  /** Sealed events of each observation, one a line, in order. */
  readonly events: readonly Uint8Array[]
}

/** What was proved of a venue over a window, as it travels to a thread: bytes and plain data only. */
export interface VenueHistory {
  readonly venueId: string
  readonly kind: VenueRecord['payload']['kind']
  readonly feePips: number
  readonly orientation: Orientation
  /** Ascending, with time between any two. */
  readonly stretches: readonly HistoryStretch[]
}

/**
 * The proved observations of venues that touch a time, each venue's by their last block. Observations that are not
 * COMPLETED prove nothing and are left out, and so are those of which later ones read every block again.
 *
 * @param window Unix seconds, both ends included
 */
export async function observationsWithin(
  records: TenantRecords,
  venueIds: readonly string[],
  window: { from: number; to: number },
): Promise<Map<string, ObservationRecord[]>> {
  const time = (seconds: number) => new Date(seconds * 1000).toISOString()
  const [rows = []] = await records.query([
    sql`select r.body from record_heads h join records r on r.organization_id = ${records.organizationId}
        and r.id = h.id and r.sequence = h.sequence
      where h.organization_id = ${records.organizationId} and h.status = 'COMPLETED'
      and h.id >= 'venue_observation_0' and h.id < 'venue_observation_g'
      and r.body::jsonb #>> '{payload,venue,id}' in ${values(venueIds)}
      and r.body::jsonb #>> '{payload,range,from,timestamp}' <= ${time(window.to)}
      and r.body::jsonb #>> '{payload,range,to,timestamp}' >= ${time(window.from)}`,
  ])
  // The sealed status decides, not the column beside it.
  const completed = rows
    .map((row) => JSON.parse(row.body ?? '') as ObservationRecord)
    .filter(({ status }) => status === 'COMPLETED')
  const byVenue = Map.groupBy(completed, ({ payload }) => payload.venue.id)
  return new Map(
    venueIds.map((id) => {
      const parts = observedParts(byVenue.get(id) ?? [])
      const kept = new Set(parts.map(({ observation }) => observation))
      return [id, [...kept].sort((a, b) => lastBlock(a) - lastBlock(b))]
    }),
  )
}

const firstBlock = ({ payload }: ObservationRecord) => payload.range.from.number
const lastBlock = ({ payload }: ObservationRecord) => payload.range.to.number
const seconds = (timestamp: string) => Date.parse(timestamp) / 1000

/** Loads what observations of a venue sealed, each block from the one that was made last. */
export async function historyOf(
  records: TenantRecords,
  venue: VenueRecord,
  observations: readonly ObservationRecord[],
): Promise<VenueHistory> {
  const { kind, feePips } = venue.payload
  const stretches = await Promise.all(
    consecutive(observedParts(observations)).map(async (parts): Promise<HistoryStretch> => {
      // The blocks before the first and behind the last part were not read, so neither is cut there.
      const [first, last] = [parts[0]!.observation, parts.at(-1)!.observation]
      return {
        from: seconds(first.payload.range.from.timestamp),
        to: seconds(last.payload.range.to.timestamp),
        fromBlock: firstBlock(first),
        toBlock: lastBlock(last),
        start: await records.artifact(first.payload.start.artifactHash),
        events: await Promise.all(parts.map((part) => sealedEvents(records, part))),
      }
    }),
  )
  const orientation = venueOrientation(venue.payload)
  return { venueId: venue.id, kind, feePips: feePips ?? 3000, orientation, stretches }
}

async function sealedEvents(
  records: TenantRecords,
  { observation, from, to }: ObservedPart,
): Promise<Uint8Array> {
  const bytes = await records.artifact(observation.payload.events.artifactHash)
  const isWhole = from === firstBlock(observation) && to === lastBlock(observation)
  return isWhole ? bytes : eventsWithin(bytes, from, to)
}

function consecutive(parts: readonly ObservedPart[]): ObservedPart[][] {
  const groups: ObservedPart[][] = []
  for (const part of parts) {
    const group = groups.at(-1)
    if (group?.at(-1)?.to === part.from - 1) group.push(part)
    else groups.push([part])
  }
  return groups
}

/** An event as an observation sealed it, with who took part as far as that is known. */
export type SealedEvent = MarketEvent & {
  readonly transactionHash: string
  readonly blockHash: string
  readonly sender?: string
  readonly recipient?: string
  readonly origin?: string
}

/**
 * A step along a history: a moment that was asked for, a trade of the pair before it is applied, an event after it was, or a
 * hole.
 */
export type HistoryStep =
  | { readonly kind: 'BEFORE'; readonly event: SealedEvent; readonly market: MarketFollower }
  | { readonly kind: 'SAMPLE'; readonly at: number; readonly market: MarketFollower }
  | { readonly kind: 'EVENT'; readonly event: SealedEvent; readonly market: MarketFollower }
  | { readonly kind: 'HOLE'; readonly after: number | null }

/**
 * Walks along a history and shows the market at each moment, as the events up to that second left it, and around
 * each event in between. Moments that were not observed are left out, and a HOLE says where one
 * stretch ends and the next has not begun. The market is the same object throughout a stretch.
 *
 * @param moments Unix seconds, ascending
 */
export function* walkHistory(
  { stretches, orientation }: VenueHistory,
  moments: readonly number[],
): Generator<HistoryStep> {
  let next = 0
  let previousEnd: number | null = null
  for (const { from, to, start, events } of stretches) {
    yield { kind: 'HOLE', after: previousEnd }
    previousEnd = to
    while (next < moments.length && moments[next]! < from) next += 1
    const market = followMarket(parseExact(new TextDecoder().decode(start)) as LoggedMarket)
    for (const { event, trade } of withTrades(events, orientation)) {
      const at = event.timestamp ?? from
      for (; next < moments.length && moments[next]! < at; next += 1) {
        market.advance(moments[next]!)
        yield { kind: 'SAMPLE', at: moments[next]!, market }
      }
      if (trade !== null) yield { kind: 'BEFORE', event: trade, market }
      market.apply(event)
      yield { kind: 'EVENT', event, market }
    }
    for (; next < moments.length && moments[next]! <= to; next += 1) {
      market.advance(moments[next]!)
      yield { kind: 'SAMPLE', at: moments[next]!, market }
    }
  }
}

/**
 * Events with the trade of the pair that begins with them: mostly the event itself. A v2 pair tells its reserves
 * first, so the market before a swap is that before the Sync which the swap follows.
 */
function* withTrades(
  events: readonly Uint8Array[],
  orientation: Orientation,
): Generator<{ event: SealedEvent; trade: SealedEvent | null }> {
  const tradeIn = (event: SealedEvent) => (pairFlows(event, orientation) === null ? null : event)
  let synced: SealedEvent | null = null
  for (const event of eventsOf(events) as Generator<SealedEvent>) {
    const isTold = synced !== null && event.type === 'Swap' && event.block === synced.block
    if (synced !== null) yield { event: synced, trade: isTold ? tradeIn(event) : null }
    synced = event.type === 'Sync' ? event : null
    if (synced === null) yield { event, trade: isTold ? null : tradeIn(event) }
  }
  if (synced !== null) yield { event: synced, trade: null }
}

/** Moments of a cadence in a window, both ends included, counted from its begin. */
export function momentsOf(window: { from: number; to: number }, cadenceSeconds: number): number[] {
  const count = Math.floor((window.to - window.from) / cadenceSeconds) + 1
  return Array.from({ length: count }, (_, place) => window.from + place * cadenceSeconds)
}
