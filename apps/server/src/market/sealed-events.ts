import type { MarketEvent } from '@liquidity-os/engine/replay'
import { parseExact } from './exact-json.ts'

const decoder = new TextDecoder()

/** The events of sealed observations, one a line, in order. */
export function* eventsOf(parts: readonly Uint8Array[]): Generator<MarketEvent> {
  for (const part of parts) {
    for (const line of decoder.decode(part).split('\n')) {
      if (line === '') continue
      // Written from the engine's own events, and checked against their hash before they came here.
      const event = parseExact(line) as MarketEvent
      yield Object.assign(event, { line: null })
    }
  }
}
