import type { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import {
  completedObservations,
  type ObservationRecord,
} from '../../../market/completed-observations.ts'
import { type ObservedPart, observedParts } from '../../../market/observed-parts.ts'
import { consecutiveParts, sealedEvents } from '../../../market/venue-history.ts'
import type { Services } from '../../../services.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { type BoundedHistory, boundHistory } from './bounded-history.ts'
import type { EmptyPositionsTask } from './empty-positions-task.ts'
import {
  type FlowSums,
  noFlows,
  type PositionFlowsTask,
  type PositionRange,
} from './position-flows-task.ts'
import type { PositionFlows } from './position-performance.ts'

type Part = ObservedPart<ObservationRecord>

/** Flows of a position, or the reason for missing flows. */
export type FlowsRead =
  | { readonly flows: PositionFlows }
  | { readonly missing: Exclude<contract.ResultReason, 'RESULTS_NEED_WALLET_POSITION'> }

/**
 * Flows of positions from when they were empty to the state of an observation. The observations
 * without a gap must reach back to a state in which the position was empty.
 */
export async function readFlows(
  records: TenantRecords,
  threads: Pick<Services, 'awaited'>,
  { id: venueId }: { readonly id: string },
  observation: ObservationRecord,
  positions: readonly PositionRange[],
): Promise<FlowsRead[]> {
  if (positions.length === 0) return []
  const found = await partsUpTo(records, venueId, observation)
  if (found === null) return positions.map(() => ({ missing: 'EVENTS_NOT_OBSERVED' }))
  const { parts, isLimited } = found
  const sums = await sumFlows(records, threads, parts, positions)
  const areEmpty = await emptyBefore(records, threads, parts, positions, sums)
  return sums.map(({ since, isComplete, deposited, withdrawn, collected }, index): FlowsRead => {
    if (since !== null && isComplete && areEmpty[index])
      return { flows: { deposited, withdrawn, collected, since } }
    return { missing: isLimited ? 'HISTORY_LIMIT_REACHED' : 'HISTORY_INCOMPLETE' }
  })
}

/** Sums the events of all parts, with a bounded number of artifacts in memory. */
async function sumFlows(
  records: TenantRecords,
  { awaited }: Pick<Services, 'awaited'>,
  parts: readonly Part[],
  positions: readonly PositionRange[],
): Promise<readonly FlowSums[]> {
  let sums: readonly FlowSums[] = positions.map(() => noFlows)
  for (let from = 0; from < parts.length; from += limits.positionObservationsAtOnce) {
    const group = parts.slice(from, from + limits.positionObservationsAtOnce)
    const events = await Promise.all(group.map((part) => sealedEvents(records, part)))
    const task: PositionFlowsTask = { events, from, positions, sums }
    sums = await awaited.run<FlowSums[]>(new URL('./position-flows-task.ts', import.meta.url), task)
  }
  return sums
}

/** Per position: true if it was empty before its first event. Reads each distinct state once. */
async function emptyBefore(
  records: TenantRecords,
  { awaited }: Pick<Services, 'awaited'>,
  parts: readonly Part[],
  positions: readonly PositionRange[],
  sums: readonly FlowSums[],
): Promise<boolean[]> {
  const areEmpty = positions.map(() => false)
  const rows = sums.flatMap(({ first }, row) => (first === null ? [] : [{ row, first }]))
  for (const [first, starting] of Map.groupBy(rows, (each) => each.first)) {
    const { payload } = parts[first]!.observation
    const task: EmptyPositionsTask = {
      state: await records.artifact(payload.start.artifactHash),
      positions: starting.map(({ row }) => positions[row]!),
      areAllListed: areAllListed(payload),
    }
    const url = new URL('./empty-positions-task.ts', import.meta.url)
    const read = await awaited.run<boolean[]>(url, task)
    for (const [index, { row }] of starting.entries()) areEmpty[row] = read[index] ?? false
  }
  return areEmpty
}

const areAllListed = ({ evidence }: ObservationRecord['payload']): boolean =>
  !evidence.assumptions.some(({ code }) => code === 'POSITIONS_FROM_EVENTS')

/**
 * Observations without a gap that end with this one.
 *
 * @returns null if the events end before the state of the observation
 */
async function partsUpTo(
  records: TenantRecords,
  venueId: string,
  { id }: ObservationRecord,
): Promise<BoundedHistory | null> {
  const observations = await completedObservations(records, venueId, limits.positionObservations)
  const runs = consecutiveParts(observedParts(observations))
  // Events between the last proved observation and a newer state are unknown.
  if (runs.at(-1)?.at(-1)?.observation.id !== id) return null
  return boundHistory(runs, observations.length)
}
