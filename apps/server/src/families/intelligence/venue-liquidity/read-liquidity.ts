import type { ObservationRecord } from '../../../market/completed-observations.ts'
import { confirmedStates } from '../../../market/completed-observations.ts'
import type { VenueRecord } from '../../../market/named-venue.ts'
import { venueOrientation } from '../../../market/venue-orientation.ts'
import type { Services } from '../../../services.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { LiquidityTask, ReadLiquidity } from './liquidity-task.ts'

/** A venue and its newest confirmed state; null without an observation. */
export async function venueState(
  records: TenantRecords,
  id: string,
): Promise<{ venue: VenueRecord; observation: ObservationRecord | null } | null> {
  const current = await records.current<VenueRecord['payload']>('VenueProfile', id)
  if (!current) return null
  const [observation = null] = await confirmedStates(records, id, 1)
  return { venue: current.record, observation }
}

/** Reads a sealed state in a thread, to not block the event loop. */
export async function readInThread(
  records: TenantRecords,
  { awaited }: Pick<Services, 'awaited'>,
  venue: VenueRecord,
  observation: ObservationRecord,
  rest: Pick<LiquidityTask, 'bins' | 'positions'>,
): Promise<ReadLiquidity> {
  const task: LiquidityTask = {
    state: await records.artifact(observation.payload.state.artifactHash),
    orientation: venueOrientation(venue.payload),
    ...rest,
  }
  return awaited.run(new URL('./liquidity-task.ts', import.meta.url), task)
}

/** Source of the figures in a response. */
export const sourceOf = (
  venue: VenueRecord,
  observation: ObservationRecord | null,
  priceX36: string | null,
) => ({
  venueId: venue.id,
  observation: observation && {
    id: observation.id,
    resourceVersion: observation.resourceVersion,
  },
  block: observation?.payload.state.at ?? null,
  priceX36,
})
