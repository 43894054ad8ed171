import { ln } from '@liquidity-os/engine/numerics'
import type { TenantRecords } from '../../store/records/tenant-records.ts'
import { daySeconds } from '../../units.ts'
import { type VenueRecord, venuesToEvaluate } from '../named-venue.ts'
import { tokenKey } from '../treasury/asset-keys.ts'
import { venueOrientation } from '../venue-orientation.ts'
import { crossed, type PriceCourse, type PricePoint, resampled } from './price-course.ts'
import { pricesOfAssets } from './prices-of-pair.ts'
import { namesPrices, pricesOfVenue } from './venue-prices.ts'

/** Seconds since 1970, both ends included. */
export interface Window {
  readonly from: number
  readonly to: number
}

/** Prices at the ends of days in UTC, by that moment. */
export type DailyCloses = ReadonlyMap<number, bigint>

export interface DailyPrices {
  readonly source: 'OBSERVATIONS' | 'SERIES'
  /** The venue or the feed. */
  readonly of: string
  readonly closes: DailyCloses
  readonly returns: ReadonlyMap<number, number>
}

/** Number of returns that makes a window sufficient without further sources. */
const enoughReturns = 250

/** Prices at 00:00 UTC after each day with a new price; a carried-forward price is no close. */
export function dailyCloses(points: readonly PricePoint[], window: Window): DailyCloses {
  const pricedDays = new Set(points.map(({ at }) => Math.ceil(at / daySeconds) * daySeconds))
  const days = resampled(points, daySeconds, window).filter(({ at }) => pricedDays.has(at))
  return new Map(days.map(({ at, priceX36 }) => [at, priceX36]))
}

/** Log returns from one close to that of the next day, by the later moment. */
export function dailyReturns(closes: DailyCloses): ReadonlyMap<number, number> {
  return new Map(
    [...closes].flatMap(([at, priceX36]) => {
      const before = closes.get(at - daySeconds)
      return before ? [[at, ln(Number(priceX36) / Number(before))] as const] : []
    }),
  )
}

/**
 * Daily prices of an asset. Uses sealed observations of its venues if they cover 250 returns, else
 * a sealed series, else the longest source. On a tie, observations win.
 *
 * @param input.providerId restricts the series to one provider; optional
 * @returns null without two consecutive days
 */
export async function dailyPricesOf(
  records: TenantRecords,
  requested: {
    readonly assetKey: string
    readonly quoteKey: string
    readonly providerId?: string
    readonly window: Window
  },
): Promise<DailyPrices | null> {
  const { assetKey, quoteKey, providerId, window } = requested
  if (assetKey === quoteKey) return null
  const found: DailyPrices[] = []
  for (const venue of await venuesWithBase(records, assetKey)) {
    const course = await venueCourse(records, venue, requested)
    if (course) found.push(pricesFrom('OBSERVATIONS', venue.id, course, window))
  }
  const isEnough = ({ returns }: DailyPrices) => returns.size >= enoughReturns
  if (!found.some(isEnough)) {
    const series = await pricesOfAssets(records, {
      base: assetKey,
      quote: quoteKey,
      window,
      ...(providerId === undefined ? {} : { providerId }),
    })
    for (const { name, course } of series) found.push(pricesFrom('SERIES', name, course, window))
  }
  const [best] = found.toSorted((a, b) => b.returns.size - a.returns.size)
  return best && best.closes.size > 1 ? best : null
}

const pricesFrom = (
  source: DailyPrices['source'],
  of: string,
  { points }: PriceCourse,
  window: Window,
): DailyPrices => {
  const closes = dailyCloses(points, window)
  return { source, of, closes, returns: dailyReturns(closes) }
}

/** Valid venues with the asset as base. */
export async function venuesWithBase(
  records: TenantRecords,
  assetKey: string,
): Promise<VenueRecord[]> {
  const venues = await venuesToEvaluate(records)
  return venues.filter(({ payload: { pair } }) => tokenKey(pair.chainId, pair.base) === assetKey)
}

/**
 * Prices of an asset from a venue, in its own quote or converted with a price series of the quote.
 */
async function venueCourse(
  records: TenantRecords,
  venue: VenueRecord,
  { quoteKey, providerId, window }: Parameters<typeof dailyPricesOf>[1],
): Promise<PriceCourse | null> {
  const { payload } = venue
  if (!namesPrices(payload)) return null
  const own = await pricesOfVenue(records, venue, venueOrientation(payload), window)
  const paidIn = tokenKey(payload.pair.chainId, payload.pair.quote)
  if (own.points.length === 0 || paidIn === quoteKey) return own
  const series = await pricesOfAssets(records, {
    base: paidIn,
    quote: quoteKey,
    window,
    ...(providerId === undefined ? {} : { providerId }),
  })
  const [longest] = series.toSorted((a, b) => b.course.points.length - a.course.points.length)
  return longest ? crossed(own, longest.course) : null
}
