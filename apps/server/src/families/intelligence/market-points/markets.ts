import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { limits } from '../../../limits.ts'
import { type VenueRecord, venuesToEvaluate } from '../../../market/named-venue.ts'
import { isFresh, type ObservedTime } from '../../../market/observed-time.ts'
import { marketKey } from '../../../market/pair.ts'
import { assetKeyOf } from '../../../market/prices/prices-of-pair.ts'
import { venueTokens } from '../../../market/venue-tokens.ts'
import { sql, values } from '../../../store/database/sql.ts'
import { member } from '../../../store/records/find.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'

type Asset = Static<typeof contract.MarketAsset>
type Pair = VenueRecord['payload']['pair']

/** Pairs with a VALIDATED venue, oldest first, with the limits of the market map. */
export async function watchedMarkets(records: TenantRecords): Promise<VenueRecord[][]> {
  const venues = await venuesToEvaluate(records)
  return [...Map.groupBy(venues, ({ payload }) => marketKey(payload.pair)).values()]
    .slice(0, limits.mapPairs)
    .map((group) => group.slice(0, limits.mapVenues))
}

/** Both tokens per pair, with the symbols of declared assets, or as stated to a venue check. */
export async function assetsOf(
  records: TenantRecords,
  venues: readonly VenueRecord[],
): Promise<(pair: Pair) => { base: Asset; quote: Asset }> {
  const keys = new Set(
    venues.flatMap(({ payload: { pair } }) => [
      assetKeyOf(pair, pair.base),
      assetKeyOf(pair, pair.quote),
    ]),
  )
  const declared =
    keys.size === 0
      ? []
      : await records.find<contract.TreasuryAsset>('TreasuryAsset', {
          where: sql`${member('payload.assetKey')} in ${values([...keys])}`,
        })
  const symbols = new Map([
    ...venueTokens(venues).map(({ assetKey, symbol }) => [assetKey, symbol] as const),
    ...declared.flatMap(({ payload: { assetKey, symbol } }) =>
      symbol === null ? [] : [[assetKey, symbol] as const],
    ),
  ])
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

export const textOrNull = (value: bigint | null): string | null =>
  value === null ? null : `${value}`
