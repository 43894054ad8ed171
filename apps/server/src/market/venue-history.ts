import type { LoggedMarket, Orientation } from '@liquidity-os/engine/amm'
import {
  followMarket,
  type MarketEvent,
  type MarketFollower,
  pairFlows,
} from '@liquidity-os/engine/replay'
import type { TenantRecords } from '../store/records/tenant-records.ts'
import { type ObservationRecord, observationsById } from './completed-observations.ts'
import { eventsWithin } from './events-within.ts'
import { parseExact } from './exact-json.ts'
import type { VenueRecord } from './named-venue.ts'
import { type ObservedPart, observedParts } from './observed-parts.ts'
import { firstBlock, follows, lastBlock } from './observed-spans.ts'
import { eventsOf } from './sealed-events.ts'
import { fundingAmong, type VenueFunding } from './trader-funding.ts'
import { venueOrientation } from './venue-orientation.ts'
import { provedSpansWithin, widenedToSpans } from './venue-spans.ts'

/** Observations that follow each other block by block, as bytes. */
export interface HistoryStretch {
  /** Unix seconds of the first and the last block. */
  readonly from: number
  readonly to: number
  readonly fromBlock: number
  readonly toBlock: number
  /** The market before the first event, as JSON. */
  readonly start: Uint8Array
  /** Sealed events per observation, one per line, in order. */
  readonly events: readonly Uint8Array[]
}

/**
 * Proven history of a venue over a window. Bytes and plain data only, because it crosses a thread
 * boundary.
 */
export interface VenueHistory {
  readonly venueId: string
  readonly kind: VenueRecord['payload']['kind']
  readonly feePips: number
  readonly orientation: Orientation
  /** Ascending, with positive time differences. */
  readonly stretches: readonly HistoryStretch[]
  /** Funding sources of the traders; undefined without observations. */
  readonly funding?: VenueFunding
}

/**
 * Proven on-chain observations that overlap a period, per venue by last block. Omits observations
 * that are not COMPLETED, or whose blocks were all read again later.
 *
 * @param window Unix seconds, both ends included
 */
export async function observationsWithin(
  records: TenantRecords,
  venueIds: readonly string[],
  window: { from: number; to: number },
): Promise<Map<string, ObservationRecord[]>> {
  const touching = await provedSpansWithin(records, venueIds, window)
  const wanted = venueIds.map((id) => {
    const spans = touching.get(id) ?? []
    const current = new Set(observedParts(spans).map(({ observation }) => observation.id))
    return spans.filter((span) => current.has(span.id)).map((span) => span.id)
  })
  const found = await observationsById(records, wanted.flat())
  return new Map(
    venueIds.map((venueId, index) => [
      venueId,
      wanted[index]!.flatMap((id) => found.get(id) ?? []),
    ]),
  )
}

/**
 * Proven on-chain observations whose states cover a period, by last block: those that overlap it,
 * and the nearest ones if the period begins or ends outside these. The nearest ones can be far away:
 * `historyOf` joins only observations without a gap.
 *
 * @param window Unix seconds, both ends included
 */
export async function observationsCovering(
  records: TenantRecords,
  venueId: string,
  window: { from: number; to: number },
): Promise<ObservationRecord[]> {
  const within = (await observationsWithin(records, [venueId], window)).get(venueId) ?? []
  const begins = within.map(({ payload }) => seconds(payload.range.from.timestamp))
  const ends = within.map(({ payload }) => seconds(payload.range.to.timestamp))
  const [isBegun, isEnded] = [Math.min(...begins) <= window.from, Math.max(...ends) >= window.to]
  if (isBegun && isEnded) return within
  const { from, to } = await widenedToSpans(records, venueId, window)
  const wider = { from: isBegun ? window.from : from, to: isEnded ? window.to : to }
  return (await observationsWithin(records, [venueId], wider)).get(venueId) ?? []
}

const seconds = (timestamp: string) => Date.parse(timestamp) / 1000

/**
 * Loads the sealed data of a venue's observations, each block from the newest one. A stretch
 * continues across observations only if the next begins directly after the previous one.
 */
export async function historyOf(
  records: TenantRecords,
  venue: VenueRecord,
  observations: readonly ObservationRecord[],
): Promise<VenueHistory> {
  const { kind, feePips } = venue.payload
  const stretches = await Promise.all(
    consecutiveParts(observedParts(observations)).map(async (parts): Promise<HistoryStretch> => {
      // The blocks before the first and after the last part were not read, so neither is cut there.
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
  const funding = fundingAmong(observations.map(({ payload }) => payload))
  return { venueId: venue.id, kind, feePips: feePips ?? 3000, orientation, stretches, funding }
}

/** Sealed events of the blocks of a part, one per line. */
export async function sealedEvents(
  records: TenantRecords,
  { observation, from, to }: ObservedPart<ObservationRecord>,
): Promise<Uint8Array> {
  const bytes = await records.sharedArtifact(observation.payload.events.artifactHash)
  const isWhole = from === firstBlock(observation) && to === lastBlock(observation)
  return isWhole ? bytes : eventsWithin(bytes, from, to)
}

/** Groups of parts without a gap between them, in chain order. */
export function consecutiveParts(
  parts: readonly ObservedPart<ObservationRecord>[],
): ObservedPart<ObservationRecord>[][] {
  const groups: ObservedPart<ObservationRecord>[][] = []
  for (const part of parts) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    if (group && last && goesOn(part, last)) group.push(part)
    else groups.push([part])
  }
  return groups
}

/** Cut parts share blocks with equal sealed events. Whole parts must be on the same chain. */
function goesOn(
  part: ObservedPart<ObservationRecord>,
  last: ObservedPart<ObservationRecord>,
): boolean {
  if (last.to !== part.from - 1) return false
  const isCut = last.to < lastBlock(last.observation) || part.from > firstBlock(part.observation)
  return isCut || follows(part.observation.payload, last.observation.payload)
}

/** An event as an observation sealed it, with its known participants. */
export type SealedEvent = MarketEvent & {
  readonly transactionHash: string
  readonly blockHash: string
  readonly sender?: string
  readonly recipient?: string
  readonly origin?: string
}

/**
 * A step of a history: a requested moment, the state before a trade or before a removal of liquidity,
 * the state after an event, or a gap.
 */
export type HistoryStep =
  | { readonly kind: 'BEFORE'; readonly event: SealedEvent; readonly market: MarketFollower }
  | { readonly kind: 'REMOVAL'; readonly event: SealedEvent; readonly market: MarketFollower }
  | { readonly kind: 'SAMPLE'; readonly at: number; readonly market: MarketFollower }
  | { readonly kind: 'EVENT'; readonly event: SealedEvent; readonly market: MarketFollower }
  | { readonly kind: 'HOLE'; readonly after: number | null }

/**
 * Walks a history and yields the market at each moment, with all events up to that second applied,
 * and around each event. Unobserved moments are skipped; a HOLE marks the gap between stretches.
 * The market object is reused within a stretch.
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
    for (const { event, trade, removal } of withTrades(events, orientation)) {
      const at = event.timestamp ?? from
      for (; next < moments.length && moments[next]! < at; next += 1) {
        market.advance(moments[next]!)
        yield { kind: 'SAMPLE', at: moments[next]!, market }
      }
      if (trade !== null) yield { kind: 'BEFORE', event: trade, market }
      if (removal !== null) yield { kind: 'REMOVAL', event: removal, market }
      market.apply(event)
      yield { kind: 'EVENT', event, market }
    }
    for (; next < moments.length && moments[next]! <= to; next += 1) {
      market.advance(moments[next]!)
      yield { kind: 'SAMPLE', at: moments[next]!, market }
    }
  }
}

/** An event with the trade and the removal of liquidity that start at it. */
interface StartingEvent {
  readonly event: SealedEvent
  readonly trade: SealedEvent | null
  readonly removal: SealedEvent | null
}

/**
 * Events with the trade or removal that starts at them, usually the event itself. A v2 pair emits
 * its reserves first, so the state before a swap or a Burn is that before its Sync.
 */
function* withTrades(
  events: readonly Uint8Array[],
  orientation: Orientation,
): Generator<StartingEvent> {
  const tradeIn = (event: SealedEvent) => (pairFlows(event, orientation) === null ? null : event)
  const removalIn = (event: SealedEvent) => (event.type === 'Burn' ? event : null)
  let synced: SealedEvent | null = null
  for (const event of eventsOf(events) as Generator<SealedEvent>) {
    const follows = synced !== null && event.block === synced.block
    const hasSwap = follows && event.type === 'Swap'
    const hasBurn = follows && event.type === 'Burn'
    if (synced !== null) {
      const trade = hasSwap ? tradeIn(event) : null
      yield { event: synced, trade, removal: hasBurn ? event : null }
    }
    synced = event.type === 'Sync' ? event : null
    if (synced !== null) continue
    const trade = hasSwap ? null : tradeIn(event)
    yield { event, trade, removal: hasBurn ? null : removalIn(event) }
  }
  if (synced !== null) yield { event: synced, trade: null, removal: null }
}

/**
 * Regular moments of an interval in a window, both ends included, counted from its start. For prices
 * and returns. A caller knows these moments in advance, so measure liquidity at `drawnMoments`.
 */
export function momentsOf(window: { from: number; to: number }, cadenceSeconds: number): number[] {
  const count = Math.floor((window.to - window.from) / cadenceSeconds) + 1
  return Array.from({ length: count }, (_, index) => window.from + index * cadenceSeconds)
}
