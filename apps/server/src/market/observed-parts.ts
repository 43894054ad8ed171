import { firstBlock, lastBlock } from './observed-spans.ts'

/** The part of an observation that states its block range. */
interface Ranged {
  readonly id: string
  readonly payload: {
    readonly range: { readonly from: { number: number }; readonly to: { number: number } }
  }
}

/** Blocks of an observation that no later one read again. */
export interface ObservedPart<Observation> {
  readonly observation: Observation
  /** Both ends included. */
  readonly from: number
  readonly to: number
}

/**
 * Every block read by observations of one venue, each assigned to the newest observation that read
 * it.
 *
 * An observation whose first block was read again is dropped entirely. All others are proven, and
 * they sealed equal events for shared blocks. They therefore agree on every shared state, and a
 * market continues across parts. A part that is cut at its start always follows a part of another
 * observation. The first part of a contiguous run thus begins with its observation and sealed start
 * state.
 *
 * @param observations that are current
 * @returns in chain order
 */
export function observedParts<Observation extends Ranged>(
  observations: readonly Observation[],
): ObservedPart<Observation>[] {
  return overlapping(observations).flatMap(partsOf)
}

/** Groups of observations with overlapping blocks, in chain order; most groups have one observation. */
function overlapping<Observation extends Ranged>(
  observations: readonly Observation[],
): Observation[][] {
  const groups: Observation[][] = []
  let end = -1
  for (const observation of observations.toSorted((a, b) => rangeOf(a).from - rangeOf(b).from)) {
    const { from, to } = rangeOf(observation)
    if (from <= end) groups.at(-1)?.push(observation)
    else groups.push([observation])
    end = Math.max(end, to)
  }
  return groups
}

function partsOf<Observation extends Ranged>(
  group: readonly Observation[],
): ObservedPart<Observation>[] {
  // Ids of one kind sort by their creation.
  const latestFirst = group.toSorted((a, b) => (a.id < b.id ? 1 : -1))
  const parts: ObservedPart<Observation>[] = []
  for (const [index, observation] of latestFirst.entries()) {
    const { from, to } = rangeOf(observation)
    const isOvertaken = latestFirst
      .slice(0, index)
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

const rangeOf = (one: Ranged) => ({ from: firstBlock(one), to: lastBlock(one) })
