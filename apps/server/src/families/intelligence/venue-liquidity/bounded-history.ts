import { limits } from '../../../limits.ts'
import type { ObservationRecord } from '../../../market/completed-observations.ts'
import type { ObservedPart } from '../../../market/observed-parts.ts'
import { firstBlock } from '../../../market/observed-spans.ts'

type Part = ObservedPart<ObservationRecord>

export interface BoundedHistory {
  readonly parts: readonly Part[]
  /** True if earlier observations without a gap can exist beyond a limit. */
  readonly isLimited: boolean
}

/**
 * The newest run of observations, within the limit of events.
 *
 * @param runs observations without a gap, in order
 * @param observations number of observations that were read, up to the limit
 */
export function boundHistory(
  runs: readonly (readonly Part[])[],
  observations: number,
): BoundedHistory {
  const latest = runs.at(-1) ?? []
  let events = 0
  const tooEarly = latest.findLastIndex(({ observation: { payload } }) => {
    events += payload.events.count
    return events > limits.positionEvents
  })
  const kept = latest.slice(tooEarly + 1)
  // A part that is cut at its start has the start state of an earlier block.
  const whole = kept.findIndex(({ observation, from }) => from === firstBlock(observation))
  const reachesOldest = runs.length === 1 && observations >= limits.positionObservations
  return {
    parts: whole === -1 ? [] : kept.slice(whole),
    isLimited: tooEarly !== -1 || reachesOldest,
  }
}
