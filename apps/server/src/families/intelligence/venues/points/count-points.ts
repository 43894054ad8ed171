import { settlePoints } from '../../../../market/settle-points.ts'
import { venueOrientation } from '../../../../market/venue-orientation.ts'
import { type Sql, sql } from '../../../../store/database/sql.ts'
import type { Threads } from '../../../../threads.ts'
import { isContinuable } from '../earlier-end.ts'
import type { ObservationPayload } from '../observation.ts'
import type { VenueProfile } from '../venue.ts'
import { heldPoints, type Point, PointTable, type StoredPoint } from './point.ts'
import { addPoints } from './point-rows.ts'
import type { PointsTask } from './points-task.ts'

/** Computes points in a thread, because depth takes time. */
export const pointsInThread = (threads: Threads, task: PointsTask): Promise<Point[]> =>
  threads.run(new URL('./points-task.ts', import.meta.url), task)

/** Points of an observation that is not stored yet. None if it does not count. */
export async function pointsOfRead(
  threads: Threads,
  read: {
    readonly observation: { readonly id: string; readonly payload: ObservationPayload }
    /** Bytes of its artifacts by hash. */
    readonly artifacts: ReadonlyMap<string, Uint8Array>
    readonly profile: VenueProfile
    readonly now: number
  },
): Promise<StoredPoint[]> {
  const { id, payload } = read.observation
  if (!isContinuable(read.observation)) return []
  const bytesOf = ({ artifactHash }: { artifactHash: string }) => {
    const bytes = read.artifacts.get(artifactHash)
    if (bytes === undefined) throw new Error(`The observation has no bytes of ${artifactHash}.`)
    return bytes
  }
  const points = await pointsInThread(threads, {
    start: bytesOf(payload.start),
    events: bytesOf(payload.events),
    ...marketOf(read.profile),
    observed: {
      from: secondsOf(payload.range.from.timestamp),
      to: secondsOf(payload.range.to.timestamp),
    },
    part: null,
  })
  const table = new PointTable({ from: 0, until: Number.MAX_SAFE_INTEGER })
  table.add(id, points)
  return heldPoints(table.all(), Math.floor(read.now / 1000))
}

/** Market terms of a venue that points depend on. They never change. */
export const marketOf = (profile: VenueProfile) => ({
  orientation: venueOrientation(profile),
  feePips: profile.feePips ?? 3000,
})

export const secondsOf = (timestamp: string): number => Math.floor(Date.parse(timestamp) / 1000)

/** Statements that count a new observation, after those of its verdict. */
export const countPoints = (
  organizationId: string,
  venueId: string,
  observationId: string,
  points: readonly StoredPoint[],
): Sql[] => [
  ...(points.length === 0 ? [] : [addPoints(organizationId, venueId, observationId, points)]),
  settlePoints(organizationId, venueId, sql`s.id = ${observationId}`),
]
