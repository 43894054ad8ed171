import type { ObservationRecord } from '../../../market/completed-observations.ts'
import { venueOrientation } from '../../../market/venue-orientation.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { Threads } from '../../../threads.ts'
import type { DepthTask, MeasuredDepth } from './depth-task.ts'
import { idleBase } from './ledger.ts'
import type { PassportSources } from './sources.ts'

/** Venue states bound by a score, with their venues; null if one is missing. */
export function boundStates({
  score,
  venues,
  observations,
}: Pick<PassportSources, 'score' | 'venues' | 'observations'>):
  | { venue: PassportSources['venues'][number]; observation: ObservationRecord }[]
  | null {
  if (!score || venues.length !== score.payload.request.venues.length) return null
  const found = venues.flatMap((venue, index) => {
    const observation = observations[index]
    return observation ? [{ venue, observation }] : []
  })
  return found.length === venues.length ? found : null
}

/**
 * Depth in the states bound by a score; null without them. Runs in a thread, to avoid blocking the
 * event loop.
 */
export async function measuredDepth(
  records: TenantRecords,
  threads: Threads,
  sources: Pick<PassportSources, 'score' | 'venues' | 'observations' | 'ledger' | 'vault'>,
): Promise<MeasuredDepth | null> {
  const bound = boundStates(sources)
  const claimed = sources.score?.payload.passportClaims
  if (!bound || !claimed) return null
  const task: DepthTask = {
    venues: await Promise.all(
      bound.map(async ({ venue, observation }) => ({
        venueId: venue.id,
        orientation: venueOrientation(venue.payload),
        feePips: venue.payload.feePips ?? 3000,
        state: await records.artifact(observation.payload.state.artifactHash),
      })),
    ),
    sizesQuote: claimed.usableDepthByTradeSize.map(({ tradeSizeQuote }) => tradeSizeQuote),
    saleBase: `${idleBase(sources.ledger.owned, sources.vault.payload.pair)}`,
  }
  return threads.run<MeasuredDepth>(new URL('./depth-task.ts', import.meta.url), task)
}
