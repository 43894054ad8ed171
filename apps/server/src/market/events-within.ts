const lineFeed = 0x0a

/**
 * The lines of sealed events within a block range. Events are in chain order, so reading stops
 * after both ends are found.
 *
 * @param from first block
 * @param to last block
 */
export function eventsWithin(events: Uint8Array, from: number, to: number): Uint8Array {
  const begin = firstLine(events, from)
  return events.slice(begin, firstLine(events, to + 1))
}

/** Offset of the first line of the block or a later one; the end if no such line exists. */
function firstLine(events: Uint8Array, block: number): number {
  let [low, high] = [0, events.length]
  // Invariant: lines that begin before `low` are of earlier blocks; lines at or after `high` are
  // not.
  while (low < high) {
    const middle = (low + high) >> 1
    const begin = middle === low ? low : events.lastIndexOf(lineFeed, middle - 1) + 1
    const found = events.indexOf(lineFeed, begin)
    const end = found < 0 ? events.length : found
    const line = decoder.decode(events.subarray(begin, end))
    if (line !== '' && blockOf(line) < block) low = end + 1
    else high = begin
  }
  return Math.min(low, events.length)
}

const decoder = new TextDecoder()

/** Amounts are texts in a sealed line, so that plain JSON reads its block. */
const blockOf = (line: string) => (JSON.parse(line) as { block: number }).block
