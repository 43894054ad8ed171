import type { LoggedMarket } from '@liquidity-os/engine'
import {
  type ContinuableSpan,
  continuableSpans,
  marketAfter,
  type ObservationRecord,
} from '../../../observations/completed-observations.ts'
import type { TenantRecords } from '../../../records/tenant-records.ts'

/** The end of an earlier observation, from which an index run goes on. */
export interface EarlierEnd {
  nextBlock: number
  market: LoggedMarket
  positions: 'COMPLETE' | 'PARTIAL'
  /** Whether the chain confirmed the market; otherwise the engine alone computed it. */
  isRead: boolean
}

/** What is still to be read: from a block, up to where the next observation begins or without a bound. */
export interface Unread {
  fromBlock: number
  /** Null where nothing was read behind it. */
  toBlock: number | null
  earlier: EarlierEnd | null
}

type HashOf = (block: number) => Promise<string | null>

/**
 * Where an index run begins. Without a block to begin at it goes on behind everything that was read; with one it
 * fills the first hole from there on. An observation whose last block is not on the chain any more was overtaken by a
 * reorganization: it stays, and does not count.
 *
 * @param hashOf the hash that the chain has at a height now
 */
export async function unreadRange(
  records: TenantRecords,
  venueId: string,
  { askedFrom, startBlock }: { askedFrom: number | null; startBlock: number },
  hashOf: HashOf,
): Promise<Unread> {
  const spans = await continuableSpans(records, venueId)
  const found = (among: readonly ContinuableSpan[]) => firstOnChain(records, among, hashOf)
  if (askedFrom === null) {
    const last = await found(spans.toSorted((a, b) => b.to - a.to))
    const earlier = last && (await endOf(records, last))
    return { fromBlock: earlier?.nextBlock ?? startBlock, toBlock: null, earlier }
  }
  const last = await found(coveringFrom(askedFrom, spans).toReversed())
  const earlier = last && (await endOf(records, last))
  const fromBlock = earlier?.nextBlock ?? askedFrom
  const next = await found(spans.filter(({ from }) => from > fromBlock))
  return { fromBlock, toBlock: next && next.payload.range.from.number - 1, earlier }
}

/** Spans that, one after the other and without a hole, cover what follows a block, ascending. */
function coveringFrom(block: number, spans: readonly ContinuableSpan[]): ContinuableSpan[] {
  const covering: ContinuableSpan[] = []
  let next = block
  for (const span of spans) {
    if (span.to < next - 1) continue
    if (span.from > next) break
    covering.push(span)
    next = Math.max(next, span.to + 1)
  }
  return covering
}

async function firstOnChain(
  records: TenantRecords,
  spans: readonly ContinuableSpan[],
  hashOf: HashOf,
): Promise<ObservationRecord | null> {
  for (const { id, to, toHash } of spans) {
    if ((await hashOf(to)) !== toHash) continue
    const found = await records.current<ObservationRecord['payload']>('VenueObservation', id)
    if (found) return found.record
  }
  return null
}

async function endOf(records: TenantRecords, observation: ObservationRecord): Promise<EarlierEnd> {
  const { state, evidence } = observation.payload
  const isPartial = evidence.assumptions.some(({ code }) => code === 'POSITIONS_FROM_EVENTS')
  return {
    nextBlock: state.at.number + 1,
    market: await marketAfter(records, observation),
    positions: isPartial ? 'PARTIAL' : 'COMPLETE',
    isRead: observation.status === 'COMPLETED',
  }
}
