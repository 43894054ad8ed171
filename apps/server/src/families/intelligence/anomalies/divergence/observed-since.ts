import type { ObservationRecord } from '../../../../market/completed-observations.ts'
import type { VenueRecord } from '../../../../market/named-venue.ts'
import { sealedBlocks } from '../../../../market/observed-spans.ts'
import {
  type HistoryStretch,
  historyOf,
  observationsWithin,
} from '../../../../market/venue-history.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import type { BoundStudy } from './bound-study.ts'

type Block = NonNullable<BoundStudy['study']['payload']['result']>['evidence']['blocks'][number]

/** Proven observations of a venue since a study began, without gaps. */
export interface ObservedSince {
  readonly stretch: HistoryStretch
  readonly observations: readonly ObservationRecord[]
  /** Time of the last known block, in Unix seconds; not after the requested moment. */
  readonly until: number
}

/**
 * Observations from the start block of a study onward, or null.
 *
 * @param at Unix seconds
 */
export async function observedSince(
  records: TenantRecords,
  venue: VenueRecord,
  begun: Block,
  at: number,
): Promise<ObservedSince | null> {
  const from = Date.parse(begun.timestamp) / 1000
  if (at <= from) return null
  const observations = (await observationsWithin(records, [venue.id], { from, to: at })).get(
    venue.id,
  )
  const { stretches } = await historyOf(records, venue, observations ?? [])
  const stretch = stretches.find(
    ({ fromBlock, toBlock }) => fromBlock <= begun.number + 1 && toBlock > begun.number,
  )
  if (!stretch) return null
  const used = (observations ?? []).filter(
    ({ payload: { range } }) =>
      range.from.number >= stretch.fromBlock && range.to.number <= stretch.toBlock,
  )
  // A reorg removed the study's start block, so no observation follows it.
  const sealed = used.flatMap(({ payload }) => sealedBlocks(payload))
  if (!sealed.some(([block, hash]) => block === begun.number && hash === begun.hash)) return null
  return { stretch, observations: used, until: Math.min(at, stretch.to) }
}
