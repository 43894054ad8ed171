import type { contract } from '@liquidity-os/contract'
import type { TenantRecords } from '../../store/records/tenant-records.ts'
import { crossed, inverted, type PriceCourse } from './price-course.ts'
import { type AssetUnit, isSameUnit, type KnownDecimals, scaledCourse } from './price-scale.ts'
import { type PriceSeriesRecord, readPrices } from './price-store.ts'

export interface PricesOfPair {
  /** Source name: `feed:<provider>/<feed>`, or two feeds divided. */
  readonly name: string
  readonly course: PriceCourse
  /** Newest versions of the series at the time of the read. */
  readonly versions: readonly { readonly id: string; readonly resourceVersion: string }[]
}

type Pair = contract.VenueProfile['pair']

export const assetKeyOf = ({ chainId }: Pick<Pair, 'chainId'>, address: string): string =>
  `eip155:${chainId}/erc20:${address.toLowerCase()}`

interface Read extends PricesOfPair {
  readonly base: AssetUnit
  readonly quote: AssetUnit
}

/**
 * All feed prices of a pair, including today's. Uses series of the pair in either direction, and
 * base over quote if both are priced in the same third asset.
 *
 * @param window Unix seconds, both ends included
 */
export async function pricesOfPair(
  records: TenantRecords,
  pair: Pair,
  window: { readonly from: number; readonly to: number },
): Promise<PricesOfPair[]> {
  const [base, quote] = [assetKeyOf(pair, pair.base), assetKeyOf(pair, pair.quote)]
  return pricesOfAssets(records, { base, quote, window, known: decimalsOfPair(pair) })
}

/** The decimals of the two tokens of a pair. */
export function decimalsOfPair(pair: Pair): KnownDecimals {
  const known = new Map([
    [assetKeyOf(pair, pair.base), pair.baseDecimals],
    [assetKeyOf(pair, pair.quote), pair.quoteDecimals],
  ])
  return (assetKey) => known.get(assetKey) ?? null
}

/**
 * The same for any two assets, from the series of the given provider, if any. Prices use the
 * decimals of currencies and native coins, and known decimals of other assets.
 */
export async function pricesOfAssets(
  records: TenantRecords,
  requested: {
    readonly base: string
    readonly quote: string
    readonly window: { readonly from: number; readonly to: number }
    readonly providerId?: string
    readonly known?: KnownDecimals
  },
): Promise<PricesOfPair[]> {
  const { base, quote, window, providerId, known } = requested
  const series = await records.find<contract.PriceSeries>('PriceSeries', { order: 'OLDEST' })
  const near = series.filter(
    ({ payload: { key, providerId: of } }) =>
      (providerId === undefined || of === providerId) &&
      [key.base, key.quote].some((asset) => asset === base || asset === quote),
  )
  const read = await Promise.all(near.map((record) => readOf(records, record, window, known)))
  const direct = read.flatMap((one) => ofPair(one, base, quote) ?? [])
  const bases = read.flatMap((one) => ofAsset(one, base) ?? [])
  const quotes = read.flatMap((one) => ofAsset(one, quote) ?? [])
  const over = bases.flatMap((a) =>
    quotes
      .filter((b) => isSameUnit(a.unit, b.unit) && ![base, quote].includes(a.unit.assetKey))
      .map((b) => ({
        name: `${a.name} over ${b.name}`,
        course: crossed(a.course, b.course),
        versions: [...a.versions, ...b.versions],
      })),
  )
  return [...direct, ...over]
}

async function readOf(
  records: TenantRecords,
  record: PriceSeriesRecord,
  { from, to }: { readonly from: number; readonly to: number },
  known?: KnownDecimals,
): Promise<Read> {
  const { id, resourceVersion, payload } = record
  const { maximumAgeSeconds, providerId, feed } = payload
  // The initial price of the window was published earlier.
  const { points } = await readPrices(records, record, { from: from - maximumAgeSeconds, to })
  return {
    ...scaledCourse({ points, maximumAgeSeconds }, payload, known),
    name: `feed:${providerId}/${feed}`,
    versions: [{ id, resourceVersion }],
  }
}

/** The same prices with the pair's base first; null for other assets. */
function ofPair(read: Read, base: string, quote: string): PricesOfPair | null {
  const { name, versions, course } = read
  const [from, to] = [read.base.assetKey, read.quote.assetKey]
  if (from === base && to === quote) return { name, versions, course }
  if (from !== quote || to !== base) return null
  return { name, versions, course: inverted(course) }
}

/** Prices of one asset, and their unit. */
function ofAsset(read: Read, asset: string): (PricesOfPair & { unit: AssetUnit }) | null {
  const { name, versions, course, base, quote } = read
  if (base.assetKey === asset) return { name, versions, course, unit: quote }
  if (quote.assetKey !== asset) return null
  return { name, versions, course: inverted(course), unit: base }
}
