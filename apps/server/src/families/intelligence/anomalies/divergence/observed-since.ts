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

/** What was proved of a venue since a study began, without a hole. */
export interface ObservedSince {
  readonly stretch: HistoryStretch
  readonly observations: readonly ObservationRecord[]
  /** Unix seconds of the last block that is known, not after the moment that was asked for. */
  readonly until: number
}

/**
 * The observations that lead from the block in which a study began onwards; null where none follow it.
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
  // A study that began on a block which left the chain is followed by nothing.
  const sealed = used.flatMap(({ payload }) => sealedBlocks(payload))
  if (!sealed.some(([block, hash]) => block === begun.number && hash === begun.hash)) return null
  return { stretch, observations: used, until: Math.min(at, stretch.to) }
}
