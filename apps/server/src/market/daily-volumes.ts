import type { TenantRecords } from '../store/records/tenant-records.ts'
import { daySeconds } from '../units.ts'
import type { VenueRecord } from './named-venue.ts'
import { eventsOf } from './sealed-events.ts'
import { tradedBy } from './traded-by.ts'
import {
  historyOf,
  observationsWithin,
  type SealedEvent,
  type VenueHistory,
} from './venue-history.ts'

const volumeDays = 30

export interface DailyVolume {
  /** Atoms of the asset: the median, of an even count the lower of the two in the middle. */
  readonly median: bigint
  /** Number of whole UTC days in the data. */
  readonly days: number
}

/**
 * Median daily volume of an asset over the last 30 days. A day counts if it was observed completely
 * in every venue with any complete day. Other venues are ignored.
 *
 * @param venues with the asset as base
 * @param at Unix seconds; later data is ignored
 * @returns null without such a day
 */
export async function dailyVolumeOf(
  records: TenantRecords,
  venues: readonly VenueRecord[],
  at: number,
): Promise<DailyVolume | null> {
  const to = Math.floor(at / daySeconds) * daySeconds
  const window = { from: to - volumeDays * daySeconds, to }
  const read = await Promise.all(
    venues.map(async (venue) => {
      const observations = (await observationsWithin(records, [venue.id], window)).get(venue.id)
      return volumesByDay(await historyOf(records, venue, observations ?? []), window)
    }),
  )
  const nonEmpty = read.filter(({ size }) => size > 0)
  const [first] = nonEmpty
  const days = [...(first?.keys() ?? [])].filter((day) => nonEmpty.every((one) => one.has(day)))
  if (days.length === 0) return null
  const sums = days.map((day) => nonEmpty.reduce((sum, one) => sum + (one.get(day) ?? 0n), 0n))
  const sorted = sums.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return { median: sorted[Math.floor((sorted.length - 1) / 2)] ?? 0n, days: days.length }
}

/** Traded base atoms by start of day, for days that one stretch covers completely. */
export function volumesByDay(
  { stretches, orientation }: Pick<VenueHistory, 'stretches' | 'orientation'>,
  { from, to }: { readonly from: number; readonly to: number },
): ReadonlyMap<number, bigint> {
  const volumes = new Map<number, bigint>()
  for (const stretch of stretches) {
    const first = Math.max(from, Math.ceil(stretch.from / daySeconds) * daySeconds)
    const end = Math.min(to, Math.floor(stretch.to / daySeconds) * daySeconds)
    for (let day = first; day < end; day += daySeconds) volumes.set(day, 0n)
    for (const event of eventsOf(stretch.events) as Iterable<SealedEvent>) {
      if (event.timestamp === null) continue
      const day = Math.floor(event.timestamp / daySeconds) * daySeconds
      const before = day >= first && day < end ? volumes.get(day) : undefined
      const trade = before === undefined ? null : tradedBy(event, orientation)
      if (before === undefined || trade === null) continue
      volumes.set(day, before + (trade.base < 0n ? -trade.base : trade.base))
    }
  }
  return volumes
}
