import type { contract } from '@liquidity-os/contract'
import type { TenantRecords } from '../../store/records/tenant-records.ts'
import { crossed, inverted, type PriceCourse } from './price-course.ts'
import { type PriceSeriesRecord, readPrices } from './price-store.ts'

/** Prices of a pair that come from outside of its venues. */
export interface PricesOfPair {
  /** Whose they are: `feed:<provider>/<feed>`, or two of them over each other. */
  readonly name: string
  readonly course: PriceCourse
  /** The versions of the series that were newest when they were read. */
  readonly versions: readonly { readonly id: string; readonly resourceVersion: string }[]
}

type Pair = Pick<contract.VenueProfile['pair'], 'chainId' | 'base' | 'quote'>

export const assetKeyOf = ({ chainId }: Pick<Pair, 'chainId'>, address: string): string =>
  `eip155:${chainId}/erc20:${address.toLowerCase()}`

interface Read extends PricesOfPair {
  readonly key: contract.PriceSeriesKey
}

/**
 * Every price of a pair that a feed told, today's included: of a series of the pair in either direction, and of its base over its
 * quote where both are told in the same third asset.
 *
 * @param window Unix seconds, both ends included
 */
export async function pricesOfPair(
  records: TenantRecords,
  pair: Pair,
  window: { readonly from: number; readonly to: number },
): Promise<PricesOfPair[]> {
  return pricesOfAssets(records, {
    ...{ base: assetKeyOf(pair, pair.base), quote: assetKeyOf(pair, pair.quote), window },
  })
}

/** The same of any two assets, of the series of one provider where it is named. */
export async function pricesOfAssets(
  records: TenantRecords,
  asked: {
    readonly base: string
    readonly quote: string
    readonly window: { readonly from: number; readonly to: number }
    readonly providerId?: string
  },
): Promise<PricesOfPair[]> {
  const { base, quote, window, providerId } = asked
  const series = await records.find<contract.PriceSeries>('PriceSeries', { order: 'OLDEST' })
  const near = series.filter(
    ({ payload: { key, providerId: of } }) =>
      (providerId === undefined || of === providerId) &&
      [key.base, key.quote].some((asset) => asset === base || asset === quote),
  )
  const read = await Promise.all(near.map((record) => readOf(records, record, window)))
  const direct = read.flatMap((one) => ofPair(one, base, quote) ?? [])
  const bases = read.flatMap((one) => ofAsset(one, base) ?? [])
  const quotes = read.flatMap((one) => ofAsset(one, quote) ?? [])
  const over = bases.flatMap((a) =>
    quotes
      .filter((b) => a.unit === b.unit && a.unit !== base && a.unit !== quote)
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
): Promise<Read> {
  const { id, resourceVersion, payload } = record
  const { key, maximumAgeSeconds, providerId, feed } = payload
  // What holds at the begin was told before.
  const { points } = await readPrices(records, record, { from: from - maximumAgeSeconds, to })
  return {
    ...{ key, name: `feed:${providerId}/${feed}`, course: { points, maximumAgeSeconds } },
    versions: [{ id, resourceVersion }],
  }
}

/** The same prices with the pair's base first; null where they are of other assets. */
function ofPair({ key, ...read }: Read, base: string, quote: string): PricesOfPair | null {
  if (key.base === base && key.quote === quote) return read
  if (key.base !== quote || key.quote !== base) return null
  return { ...read, course: inverted(read.course) }
}

/** Prices of one asset, and in what. */
function ofAsset({ key, ...read }: Read, asset: string): (PricesOfPair & { unit: string }) | null {
  if (key.base === asset) return { ...read, unit: key.quote }
  return key.quote === asset ? { ...read, course: inverted(read.course), unit: key.base } : null
}
