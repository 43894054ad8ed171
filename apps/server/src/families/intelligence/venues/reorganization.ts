import type { Block } from '@liquidity-os/contract'
import type { Header } from '../../../integrations/chain/header.ts'
import {
  lastBlock,
  type ObservedSpan,
  readsEvents,
  type VenueSpans,
} from '../../../market/observed-spans.ts'
import { eventsOf } from '../../../market/sealed-events.ts'
import type { SealedEvent } from '../../../market/venue-history.ts'
import { unvouchedSpans, venueSpans } from '../../../market/venue-spans.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { blockOf } from './validate-venue.ts'

/** Event payload of a reorganization. */
export interface Reorganization {
  /** Newest recorded block that is still on the chain; null if none is. */
  fork: Block | null
  /** Observations that end on a block that left the chain. */
  overtaken: { id: string; resourceVersion: string }[]
}

/** Current header at a height, finalized or not; null above the chain head. */
type HeaderAt = (block: number) => Promise<Header | null>
type Recorded = { number: number; hash: string }

/**
 * Finds recorded blocks of a venue that left the chain since the last reorganization event. If an
 * observation starts at the end of another, it proves that end, so only ends without such a
 * successor are checked.
 */
export async function findReorganization(
  records: TenantRecords,
  { id, chainId }: { readonly id: string; readonly chainId: number },
  headerAt: HeaderAt,
): Promise<Reorganization | null> {
  const isOnChain = async ({ number, hash }: Recorded) => (await headerAt(number))?.hash === hash
  const ends = await unvouchedSpans(records, id)
  const answers = await Promise.all(ends.map(({ payload }) => isOnChain(payload.range.to)))
  if (answers.every((isThere) => isThere)) return null
  return reorganizationOf(records, chainId, await venueSpans(records, id), headerAt)
}

/**
 * Finds observations removed by a reorg. The fork search covers all their blocks: range starts and
 * event blocks.
 */
async function reorganizationOf(
  records: TenantRecords,
  chainId: number,
  { activeSpans: standing }: VenueSpans,
  headerAt: HeaderAt,
): Promise<Reorganization | null> {
  const isOnChain = async ({ number, hash }: Recorded) => (await headerAt(number))?.hash === hash
  const { valid, overtaken } = await dividedBy(standing, isOnChain)
  if (overtaken.length === 0) return null
  const blocks = (await Promise.all(overtaken.map((span) => blocksOf(records, span)))).flat()
  blocks.sort((a, b) => a.number - b.number)
  const onChain = await countOnChain(blocks, isOnChain)
  // Every overtaken observation ends on a block that left the chain.
  const firstRemoved = blocks[onChain]!.number
  const before = valid
    .map(({ payload }) => payload.range.to)
    .filter(({ number }) => number < firstRemoved)
  const [fork = null] = [...blocks.slice(Math.max(0, onChain - 1), onChain), ...before].sort(
    (a, b) => b.number - a.number,
  )
  const header = fork && (await headerAt(fork.number))
  return {
    fork: header && blockOf(chainId, header),
    overtaken: overtaken.map(({ id, resourceVersion }) => ({ id, resourceVersion })),
  }
}

/**
 * Splits observations into valid and reorged. An end block needs a chain request only if no valid
 * later observation starts from it. For state-only observations, the search stops at the newest one
 * still on chain.
 */
async function dividedBy(
  activeSpans: readonly ObservedSpan[],
  isOnChain: (block: Recorded) => Promise<boolean>,
): Promise<{ valid: ObservedSpan[]; overtaken: ObservedSpan[] }> {
  const valid: ObservedSpan[] = []
  const overtaken: ObservedSpan[] = []
  const latestFirst = activeSpans.toSorted((a, b) => lastBlock(b) - lastBlock(a))
  const parents = new Set(
    activeSpans.filter(readsEvents).map(({ payload }) => payload.range.parentHash),
  )
  const spans = latestFirst.filter(readsEvents)
  const alone = spans.filter(({ payload }) => !parents.has(payload.range.to.hash))
  const requested = new Map(
    await Promise.all(
      alone.map(async (one) => [one, await isOnChain(one.payload.range.to)] as const),
    ),
  )
  const vouched = new Set<string>()
  for (const span of spans) {
    const { to, parentHash } = span.payload.range
    const isValid = vouched.has(to.hash) || (requested.get(span) ?? (await isOnChain(to)))
    if (isValid && parentHash !== undefined) vouched.add(parentHash)
    if (isValid) valid.push(span)
    else overtaken.push(span)
  }
  for (const span of latestFirst.filter((one) => !readsEvents(one))) {
    if (await isOnChain(span.payload.range.to)) {
      valid.push(span)
      break
    }
    overtaken.push(span)
  }
  return { valid, overtaken }
}

/** Blocks of an observation, including the last. */
async function blocksOf(
  records: TenantRecords,
  { payload: { range, events } }: ObservedSpan,
): Promise<Recorded[]> {
  const lines = await records.artifact(events.artifactHash)
  const sealed = [...eventsOf([lines])] as SealedEvent[]
  const named = sealed.map(({ block, blockHash }) => ({ number: block, hash: blockHash }))
  return [range.from, ...named, range.to]
}

/**
 * The blocks before a fork are on the chain and those after it are not, so a binary search finds
 * the fork.
 */
async function countOnChain(
  ascending: readonly Recorded[],
  isOnChain: (block: Recorded) => Promise<boolean>,
): Promise<number> {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (await isOnChain(ascending[middle]!)) low = middle + 1
    else high = middle
  }
  // With two concurrent forks, an invalid block can precede a valid one. The last sealed block is
  // off the chain in either case.
  return Math.min(low, ascending.length - 1)
}
