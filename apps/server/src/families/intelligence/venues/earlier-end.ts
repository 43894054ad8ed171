import type { LoggedMarket } from '@liquidity-os/engine/amm'
import { marketAfter, type ObservationRecord } from '../../../market/completed-observations.ts'
import {
  firstBlock,
  lastBlock,
  type ObservedSpan,
  type VenueSpans,
} from '../../../market/observed-spans.ts'
import { continuableGaps } from '../../../market/span-rows.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'

/** End of an earlier observation; an index run continues there. */
export interface EarlierEnd {
  nextBlock: number
  market: LoggedMarket
  positions: 'COMPLETE' | 'PARTIAL'
  /** True if the chain confirmed the market; otherwise the engine alone computed it. */
  isRead: boolean
}

/**
 * True if an index job can continue from its end: the end is proven, or no gap contradicts the
 * engine.
 */
export const isContinuable = ({ payload }: Pick<ObservedSpan, 'payload'>): boolean =>
  payload.gaps.every(({ code }) => continuableGaps.includes(code))

/** Blocks to read: from one block to the start of the next observation, or without an end. */
export interface UnreadBlocks {
  fromBlock: number
  /** Null without a later observation. */
  toBlock: number | null
  /** The observation to continue from, or null. */
  after: ObservedSpan | null
}

/**
 * Start of an index run. Without a requested block, it continues after the last observation. With
 * one, it fills the first gap from there. Blocks removed by a reorg count as unread. If the run
 * would follow such an observation, it starts at that observation's first block to replace it.
 *
 * @param spans compared with the current chain
 */
export function unreadBlocks(
  { activeSpans: standing, overtaken }: VenueSpans,
  { requestedFrom, startBlock }: { requestedFrom: number | null; startBlock: number },
): UnreadBlocks {
  const spans = standing.filter(isContinuable)
  if (requestedFrom === null) {
    const after = spans.toSorted((a, b) => lastBlock(b) - lastBlock(a))[0] ?? null
    return { fromBlock: after ? lastBlock(after) + 1 : startBlock, toBlock: null, after }
  }
  const begin = beginOf(requestedFrom, spans, overtaken.filter(isContinuable))
  const after = coveringFrom(begin, spans).at(-1) ?? null
  const fromBlock = after ? lastBlock(after) + 1 : begin
  const next = spans.find((span) => firstBlock(span) > fromBlock)
  return { fromBlock, toBlock: next ? firstBlock(next) - 1 : null, after }
}

/** The requested block, or the first block of the reorged observations that lead up to it. */
function beginOf(
  requestedFrom: number,
  activeSpans: readonly ObservedSpan[],
  overtaken: readonly ObservedSpan[],
): number {
  const covers = (block: number) => (span: ObservedSpan) =>
    firstBlock(span) <= block && block <= lastBlock(span)
  let begin = requestedFrom
  while (!activeSpans.some(covers(begin - 1))) {
    const uncovered = overtaken.find(covers(begin - 1))
    if (!uncovered) break
    begin = firstBlock(uncovered)
  }
  return begin
}

/** Contiguous spans after a block, ascending. */
function coveringFrom(block: number, spans: readonly ObservedSpan[]): ObservedSpan[] {
  const covering: ObservedSpan[] = []
  let next = block
  for (const span of spans) {
    if (lastBlock(span) < next - 1) continue
    if (firstBlock(span) > next) break
    covering.push(span)
    next = Math.max(next, lastBlock(span) + 1)
  }
  return covering
}

/** @throws Error if the observation does not exist */
export async function observationOf(
  records: TenantRecords,
  { id }: Pick<ObservedSpan, 'id'>,
): Promise<ObservationRecord> {
  const found = await records.current<ObservationRecord['payload']>('VenueObservation', id)
  if (!found) throw new Error(`Observation ${id} does not exist.`)
  return found.record
}

export async function endOf(records: TenantRecords, span: ObservedSpan): Promise<EarlierEnd> {
  const observation = await observationOf(records, span)
  const { state, evidence } = observation.payload
  const isPartial = evidence.assumptions.some(({ code }) => code === 'POSITIONS_FROM_EVENTS')
  return {
    nextBlock: state.at.number + 1,
    market: await marketAfter(records, observation),
    positions: isPartial ? 'PARTIAL' : 'COMPLETE',
    isRead: observation.status === 'COMPLETED',
  }
}
