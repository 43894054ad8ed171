import { limits } from '../../../limits.ts'
import {
  completedObservations,
  type ObservationRecord,
} from '../../../market/completed-observations.ts'
import { type ObservedPart, observedParts } from '../../../market/observed-parts.ts'
import { firstBlock } from '../../../market/observed-spans.ts'
import { consecutiveParts, sealedEvents } from '../../../market/venue-history.ts'
import type { Services } from '../../../services.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import {
  isEmptyIn,
  type PositionFlowsTask,
  type PositionRange,
  type ReadFlows,
} from './position-flows-task.ts'
import type { PositionFlows } from './position-performance.ts'

type Part = ObservedPart<ObservationRecord>

/**
 * Flows of positions from when they were empty to the state of an observation.
 *
 * @returns per position; null if the observations without a gap do not reach back to a state in
 *   which the position was empty
 */
export async function readFlows(
  records: TenantRecords,
  { awaited }: Pick<Services, 'awaited'>,
  { id: venueId }: { readonly id: string },
  observation: ObservationRecord,
  positions: readonly PositionRange[],
): Promise<(PositionFlows | null)[]> {
  if (positions.length === 0) return []
  const parts = await partsUpTo(records, venueId, observation)
  if (parts.length === 0) return positions.map(() => null)
  const task: PositionFlowsTask = {
    events: await Promise.all(parts.map((part) => sealedEvents(records, part))),
    positions,
  }
  const read: ReadFlows[] = await awaited.run(
    new URL('./position-flows-task.ts', import.meta.url),
    task,
  )
  return Promise.all(
    read.map(async (found, index) => {
      if (found === null) return null
      const { payload } = parts[found.first]!.observation
      const state = await records.artifact(payload.start.artifactHash)
      return isEmptyIn(state, positions[index]!, areAllListed(payload)) ? found.flows : null
    }),
  )
}

const areAllListed = ({ evidence }: ObservationRecord['payload']): boolean =>
  !evidence.assumptions.some(({ code }) => code === 'POSITIONS_FROM_EVENTS')

/** Observations without a gap that end with this one, within the limit of events. */
async function partsUpTo(
  records: TenantRecords,
  venueId: string,
  { id }: ObservationRecord,
): Promise<Part[]> {
  const observations = await completedObservations(records, venueId, limits.positionObservations)
  const latest = consecutiveParts(observedParts(observations)).at(-1) ?? []
  // Events between the last proved observation and a newer state are unknown.
  if (latest.at(-1)?.observation.id !== id) return []
  let events = 0
  const tooEarly = latest.findLastIndex(({ observation: { payload } }) => {
    events += payload.events.count
    return events > limits.positionEvents
  })
  const kept = latest.slice(tooEarly + 1)
  // A part that is cut at its start has the start state of an earlier block.
  const whole = kept.findIndex(({ observation, from }) => from === firstBlock(observation))
  return whole === -1 ? [] : kept.slice(whole)
}
