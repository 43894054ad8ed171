import { createHash } from 'node:crypto'
import { eventsOf } from './sealed-events.ts'
import type { SealedEvent, VenueHistory } from './venue-history.ts'

/** A block whose hash draws sample moments. */
export interface DrawBlock {
  readonly timestamp: number
  readonly block: number
  readonly hash: string
}

/** Name of the method in evidence. A changed rule gets a new name. */
export const drawMethod = 'DRAWN_BY_BLOCK_HASH_V1'

const noEvent = `0x${'0'.repeat(64)}`

/**
 * One random second in each of the equal cells of a window, ascending. A caller can choose regular
 * moments in advance and provide liquidity only at these. The hash of a block is unknown before it.
 *
 *     first + sha256("liquidity-os/sample-moment/v1 HASH FIRST")[0..8] mod length
 *
 * The number of cells is that of regular moments at the interval, both ends included.
 *
 * @param window Unix seconds, both ends included
 * @param block last event of the window; null without events, when the state is constant
 */
export function drawnMoments(
  { from, to }: { from: number; to: number },
  intervalSeconds: number,
  block: Pick<DrawBlock, 'hash'> | null,
): number[] {
  const seconds = to - from + 1
  const cells = Math.min(seconds, Math.floor((to - from) / intervalSeconds) + 1)
  const firstOf = (cell: number) => from + Math.floor((cell * seconds) / cells)
  const hash = block?.hash.toLowerCase() ?? noEvent
  return Array.from({ length: cells }, (_, cell) => {
    const first = firstOf(cell)
    return first + drawBelow(`${hash} ${first}`, firstOf(cell + 1) - first)
  })
}

/** One random second of a cell, for a single sample. */
export const drawnMoment = (
  { from, to }: { from: number; to: number },
  block: Pick<DrawBlock, 'hash'> | null,
): number => from + drawBelow(`${block?.hash.toLowerCase() ?? noEvent} ${from}`, to - from + 1)

function drawBelow(text: string, length: number): number {
  const digest = createHash('sha256').update(`liquidity-os/sample-moment/v1 ${text}`).digest()
  return Number(digest.readBigUInt64BE() % BigInt(length))
}

/**
 * Block of the last event up to a second, over all venues. Without a later event, which would draw
 * other moments, the state stays constant. So its hash is of no use to a liquidity provider.
 *
 * @param until Unix seconds, included
 */
export function lastEventBlock(
  histories: readonly Pick<VenueHistory, 'stretches'>[],
  until: number,
): DrawBlock | null {
  let last: DrawBlock | null = null
  for (const { stretches } of histories) {
    const found = lastEventOf(stretches, until)
    if (found && (last === null || isLater(found, last))) last = found
  }
  return last
}

const isLater = (a: DrawBlock, b: DrawBlock) =>
  a.timestamp > b.timestamp || (a.timestamp === b.timestamp && a.block > b.block)

function lastEventOf(stretches: VenueHistory['stretches'], until: number): DrawBlock | null {
  for (const { from, events } of stretches.toReversed()) {
    if (from > until) continue
    for (const part of events.toReversed()) {
      for (const line of linesFromEnd(part)) {
        const [event] = eventsOf([line]) as Generator<SealedEvent>
        if (!event || event.timestamp === null || event.timestamp > until) continue
        return { timestamp: event.timestamp, block: event.block, hash: event.blockHash }
      }
    }
  }
  return null
}

const lineEnd = 10

function* linesFromEnd(bytes: Uint8Array): Generator<Uint8Array> {
  for (let end = bytes.length; end > 0; ) {
    const start = bytes.lastIndexOf(lineEnd, end - 1) + 1
    if (start < end) yield bytes.subarray(start, end)
    end = start - 1
  }
}
