import type { ObservationRecord } from './completed-observations.ts'

/** Blocks of an observation that no later one read again. */
export interface ObservedPart {
  readonly observation: ObservationRecord
  /** Both ends included. */
  readonly from: number
  readonly to: number
}

/**
 * Every block that observations of one venue read, each by the observation that was made last of those that read it.
 *
 * An index run reads on from where observations end that are still on the chain: one that it read over from the first
 * block on had been overtaken by a reorganization and counts no more, not even for what was not read again. Of the
 * others each was proved, so they agree on every state that they share, and a market goes on from the part of one into
 * the part of another. A part that is cut at its start always follows a part of another observation: so the
 * first part of blocks that follow each other begins where its observation does, with the sealed start of it.
 *
 * @returns in chain order
 */
export function observedParts(observations: readonly ObservationRecord[]): ObservedPart[] {
  return overlapping(observations).flatMap(partsOf)
}

/** Groups of which none shares a block with another, in chain order; mostly an observation is alone. */
function overlapping(observations: readonly ObservationRecord[]): ObservationRecord[][] {
  const groups: ObservationRecord[][] = []
  let end = -1
  for (const observation of observations.toSorted((a, b) => rangeOf(a).from - rangeOf(b).from)) {
    const { from, to } = rangeOf(observation)
    if (from <= end) groups.at(-1)?.push(observation)
    else groups.push([observation])
    end = Math.max(end, to)
  }
  return groups
}

function partsOf(group: readonly ObservationRecord[]): ObservedPart[] {
  // Ids of one kind sort by their creation.
  const latestFirst = group.toSorted((a, b) => (a.id < b.id ? 1 : -1))
  const parts: ObservedPart[] = []
  for (const [place, observation] of latestFirst.entries()) {
    const { from, to } = rangeOf(observation)
    const isOvertaken = latestFirst
      .slice(0, place)
      .some((later) => rangeOf(later).from <= from && from <= rangeOf(later).to)
    if (isOvertaken) continue
    let next = from
    for (const later of parts.toSorted((a, b) => a.from - b.from)) {
      if (later.to < next || later.from > to) continue
      if (later.from > next) parts.push({ observation, from: next, to: later.from - 1 })
      next = later.to + 1
    }
    if (next <= to) parts.push({ observation, from: next, to })
  }
  return parts.sort((a, b) => a.from - b.from)
}

const rangeOf = ({ payload: { range } }: ObservationRecord) => ({
  from: range.from.number,
  to: range.to.number,
})

const lineFeed = 0x0a

/**
 * The lines of sealed events that lie in some blocks. Events come in chain order, so only as many lines are read as it
 * takes to find both ends.
 *
 * @param from first block
 * @param to   last block
 */
export function eventsWithin(events: Uint8Array, from: number, to: number): Uint8Array {
  const begin = firstLine(events, from)
  return events.slice(begin, firstLine(events, to + 1))
}

/** Where the first line of that block or a later one begins; the end where there is none. */
function firstLine(events: Uint8Array, block: number): number {
  let [low, high] = [0, events.length]
  // Lines that begin before `low` are of earlier blocks, those that begin at `high` or behind are not.
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
