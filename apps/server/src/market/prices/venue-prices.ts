import type { LoggedMarket, Orientation } from '@liquidity-os/engine/amm'
import { H } from '@liquidity-os/evidence'
import type { TenantRecords } from '../../store/records/tenant-records.ts'
import { minuteSeconds } from '../../units.ts'
import { parseExact } from '../exact-json.ts'
import type { VenueRecord } from '../named-venue.ts'
import { eventsOf } from '../sealed-events.ts'
import { type HistoryStretch, historyOf, observationsWithin } from '../venue-history.ts'
import type { PriceCourse, PricePoint } from './price-course.ts'

export interface VenuePrices extends PriceCourse {
  /** Hash of the observations read, in order. `pricesHash` covers the resulting prices. */
  readonly observationsHash: string
  readonly pricesHash: string
}

const one = 10n ** 36n
const Q192 = 2n ** 192n

/** True if the venue's events state prices directly. */
export const namesPrices = ({ kind }: VenueRecord['payload']): boolean =>
  kind === 'UNISWAP_V3' || kind === 'UNISWAP_V2'

/**
 * Marginal price of a venue without its fee, from proven observations. Each second with events has a
 * point after its last event. A grid adds points in between, because an unchanged price still
 * applies. Unobserved periods have no price.
 *
 * Traders ignore deviations below the fee. The fee is therefore the error.
 *
 * @param side which token is base and which is quote of the requested pair
 * @param window Unix seconds, both ends included
 */
export async function pricesOfVenue(
  records: TenantRecords,
  venue: VenueRecord,
  side: Orientation,
  window: { readonly from: number; readonly to: number },
): Promise<VenuePrices> {
  const gridSeconds = Math.max(minuteSeconds, venue.payload.read.cadenceSeconds)
  const maximumAgeSeconds = 3 * gridSeconds
  // The initial price of the window was published earlier.
  const reach = { from: window.from - maximumAgeSeconds, to: window.to }
  const observations = (await observationsWithin(records, [venue.id], reach)).get(venue.id) ?? []
  const { stretches, feePips } = await historyOf(records, venue, observations)
  const points = stretches
    .flatMap((stretch) => pointsOf(stretch, side, { gridSeconds, errorPips: feePips }))
    .filter(({ at }) => at >= reach.from && at <= reach.to)
  return {
    points,
    maximumAgeSeconds,
    observationsHash: H(
      'reference-observations/v1',
      observations.map(({ id, resourceVersion }) => ({ id, resourceVersion })),
    ),
    pricesHash: H(
      'venue-prices/v1',
      points.map(({ at, priceX36, errorPips }) => [at, `${priceX36}`, errorPips]),
    ),
  }
}

/** @returns ascending, one price per second */
export function pointsOf(
  { from, to, start, events }: HistoryStretch,
  side: Orientation,
  { gridSeconds, errorPips }: { readonly gridSeconds: number; readonly errorPips: number },
): PricePoint[] {
  const points: PricePoint[] = []
  let priceX36 = priceX36Of(parseExact(new TextDecoder().decode(start)) as LoggedMarket, side)
  let at = from
  const addPoint = () => {
    if (priceX36 === null) return
    if (points.at(-1)?.at === at) points.pop()
    points.push({ at, priceX36, errorPips })
  }
  const goTo = (time: number) => {
    for (let next = gridAfter(at, gridSeconds); next < time; next += gridSeconds) {
      at = next
      addPoint()
    }
    at = time
  }
  addPoint()
  for (const event of eventsOf(events)) {
    const eventPrice = priceX36Of(event, side)
    if (eventPrice === null) continue
    goTo(event.timestamp ?? at)
    priceX36 = eventPrice
    addPoint()
  }
  goTo(to)
  addPoint()
  return points
}

const gridAfter = (at: number, gridSeconds: number) =>
  (Math.floor(at / gridSeconds) + 1) * gridSeconds

/**
 * Quote atoms per base atom times 10^36, rounded down, from a v3 root price or pair reserves. Null
 * if neither is present, or the result is zero.
 */
function priceX36Of(event: object, { base }: Orientation): bigint | null {
  const [amount1, amount0] = ratioOf(event)
  const [quote, unit] = base === 0 ? [amount1, amount0] : [amount0, amount1]
  if (quote === 0n || unit === 0n) return null
  return (quote * one) / unit || null
}

/** token1 over token0. */
function ratioOf(event: object): readonly [bigint, bigint] {
  if ('sqrtPriceX96' in event && typeof event.sqrtPriceX96 === 'bigint') {
    return [event.sqrtPriceX96 * event.sqrtPriceX96, Q192]
  }
  if ('reserve0' in event && 'reserve1' in event) {
    const { reserve0, reserve1 } = event
    if (typeof reserve0 === 'bigint' && typeof reserve1 === 'bigint') return [reserve1, reserve0]
  }
  return [0n, 0n]
}
