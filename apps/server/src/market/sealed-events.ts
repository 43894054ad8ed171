import type { MarketEvent } from '@liquidity-os/engine/replay'
import { parseExact } from './exact-json.ts'

const decoder = new TextDecoder()
/** Bytes that are decoded at once, up to the end of a line. */
const blockBytes = 65_536
const lineEnd = 10

/**
 * The events of sealed observations, one a line, in order. Memory does not grow with them.
 *
 * @param skipped how many of the first are left out
 */
export function* eventsOf(parts: readonly Uint8Array[], skipped = 0): Generator<MarketEvent> {
  let left = skipped
  for (const line of linesOf(parts)) {
    if (left > 0) {
      left -= 1
      continue
    }
    // Written from the engine's own events, and checked against their hash before they came here.
    const event = parseExact(line) as MarketEvent
    yield Object.assign(event, { line: null })
  }
}

function* linesOf(parts: readonly Uint8Array[]): Generator<string> {
  for (const part of parts) {
    for (let from = 0; from < part.length; ) {
      const found = part.indexOf(lineEnd, from + blockBytes)
      const to = found === -1 ? part.length : found
      for (const line of decoder.decode(part.subarray(from, to)).split('\n')) {
        if (line !== '') yield line
      }
      from = to + 1
    }
  }
}
