import type { MarketEvent } from '@liquidity-os/engine/replay'
import { parseExact } from './exact-json.ts'
import { frequentEvent } from './frequent-events.ts'

const decoder = new TextDecoder()
/** Bytes decoded per step, up to the end of a line. */
const blockBytes = 65_536
const lineEnd = 10

/**
 * The events of sealed observations, one per line, in order. Streams them, so memory use stays
 * constant.
 *
 * @param skipped number of events to omit from the start
 */
export function* eventsOf(parts: readonly Uint8Array[], skipped = 0): Generator<MarketEvent> {
  let remaining = skipped
  for (const block of blocksOf(parts)) {
    // Without a backslash, the next quotation mark ends each text.
    const isPlain = !block.includes('\\')
    for (let at = 0; at < block.length; ) {
      const found = block.indexOf('\n', at)
      const end = found === -1 ? block.length : found
      if (end > at) {
        if (remaining > 0) remaining -= 1
        else
          yield (isPlain ? frequentEvent(block, at, end) : null) ?? anyEvent(block.slice(at, end))
      }
      at = end + 1
    }
  }
}

/** Whole lines. */
function* blocksOf(parts: readonly Uint8Array[]): Generator<string> {
  for (const part of parts) {
    for (let from = 0; from < part.length; ) {
      const found = part.indexOf(lineEnd, from + blockBytes)
      const to = found === -1 ? part.length : found
      yield decoder.decode(part.subarray(from, to))
      from = to + 1
    }
  }
}

function anyEvent(line: string): MarketEvent {
  // The service wrote these from events of the engine and has verified their hash.
  const event = parseExact(line) as MarketEvent
  return Object.assign(event, { line: null })
}
