import { firstBlock, lastBlock } from './observed-spans.ts'

/** What of an observation says which blocks it read. */
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
 * Every block that observations of one venue read, each by the observation that was made last of those that read it.
 *
 * One that was read over from its first block on counts no more, not even for what was not read again. Of the others
 * each was proved, and where they share blocks they sealed the same events of these: so they agree on every state that they
 * share, and a market goes on from the part of one into the part of another. A part that is cut at its start always
 * follows a part of another observation: so the first part of blocks that follow each other begins where its observation
 * does, with the sealed start of it.
 *
 * @param observations of those that stand
 * @returns in chain order
 */
export function observedParts<Observation extends Ranged>(
  observations: readonly Observation[],
): ObservedPart<Observation>[] {
  return overlapping(observations).flatMap(partsOf)
}

/** Groups of which none shares a block with another, in chain order; mostly an observation is alone. */
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
