import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { limits } from '../../../limits.ts'
import { judgedVenues, type VenueRecord } from '../../../market/named-venue.ts'
import { assetKeyOf } from '../../../market/prices/prices-of-pair.ts'
import { sql, values } from '../../../store/database/sql.ts'
import { member } from '../../../store/records/find.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { type ObservedTime, observedUntil } from './observed-time.ts'

type Asset = Static<typeof contract.MarketAsset>
type Pair = VenueRecord['payload']['pair']

/** Key of a pair in paths and answers. */
export const marketKey = ({ chainId, base, quote }: Pick<Pair, 'chainId' | 'base' | 'quote'>) =>
  `${chainId}-${base.toLowerCase()}-${quote.toLowerCase()}`

/** Pairs with a VALIDATED venue, oldest first, with the limits of the market map. */
export async function watchedMarkets(records: TenantRecords): Promise<VenueRecord[][]> {
  const venues = await judgedVenues(records)
  return [...Map.groupBy(venues, ({ payload }) => marketKey(payload.pair)).values()]
    .slice(0, limits.mapPairs)
    .map((group) => group.slice(0, limits.mapVenues))
}

/** Both tokens per pair, with the symbols of declared assets. */
export async function assetsOf(
  records: TenantRecords,
  pairs: readonly Pair[],
): Promise<(pair: Pair) => { base: Asset; quote: Asset }> {
  const keys = new Set(
    pairs.flatMap((pair) => [assetKeyOf(pair, pair.base), assetKeyOf(pair, pair.quote)]),
  )
  const declared =
    keys.size === 0
      ? []
      : await records.find<contract.TreasuryAsset>('TreasuryAsset', {
          where: sql`${member('payload.assetKey')} in ${values([...keys])}`,
        })
  const symbols = new Map(declared.map(({ payload }) => [payload.assetKey, payload.symbol]))
  const assetOf = (pair: Pair, address: string, decimals: number): Asset => {
    const assetKey = assetKeyOf(pair, address)
    return { assetKey, address, decimals, symbol: symbols.get(assetKey) ?? null }
  }
  return (pair) => ({
    base: assetOf(pair, pair.base, pair.baseDecimals),
    quote: assetOf(pair, pair.quote, pair.quoteDecimals),
  })
}

/** The venues of an answer, and whether each counts now. */
export const venuesOf = (
  venues: readonly VenueRecord[],
  timeOf: (venueId: string) => ObservedTime,
  now: number,
) =>
  venues.map(({ id, payload }) => ({
    venueId: id,
    name: payload.name,
    isFresh: isFresh(timeOf(id), now),
  }))

/** @param now Unix seconds */
export function isFresh(time: ObservedTime, now: number): boolean {
  const until = observedUntil(time)
  return until !== null && now - until <= limits.mapFreshSeconds
}

/**
 * Price of a pair, as the market map combines it: the mean of the venues, weighted by the smaller
 * side of the 2 % depth.
 *
 * @param prices times 10^36; an unknown weight counts as 0
 */
export function pairPrice(
  prices: readonly { readonly price: bigint | null; readonly weight: bigint }[],
): bigint | null {
  const known = prices.flatMap(({ price, weight }) => (price === null ? [] : [{ price, weight }]))
  const [first] = known
  if (first === undefined) return null
  const weights = known.reduce((sum, { weight }) => sum + weight, 0n)
  if (weights === 0n) return first.price
  return known.reduce((sum, { price, weight }) => sum + price * weight, 0n) / weights
}

/** Sum of known values; null if one is unknown, or none exists. */
export function sumOf(some: readonly (bigint | null)[]): bigint | null {
  return some.length === 0
    ? null
    : some.reduce<bigint | null>(
        (sum, one) => (sum === null || one === null ? null : sum + one),
        0n,
      )
}

export const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)
export const textOrNull = (value: bigint | null): string | null =>
  value === null ? null : `${value}`
