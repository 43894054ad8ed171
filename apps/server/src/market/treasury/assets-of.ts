import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { sql } from '../../store/database/sql.ts'
import { member } from '../../store/records/find.ts'
import type { TenantRecords } from '../../store/records/tenant-records.ts'
import currencies from './currencies.json' with { type: 'json' }

type KnownAsset = contract.TreasuryAssumptions['assets'][number]
type Venue = VersionedRecord<Static<typeof contract.VenueProfile>>

const nativeDecimals = 18

/**
 * Assets that an organization may name without a chain read, by key. These are ISO 4217 currencies,
 * coins and tokens of its venues, declared tokens, and fungible assets of its active entries. If
 * several records define an asset, a venue takes precedence.
 */
export async function assetsOf(records: TenantRecords): Promise<ReadonlyMap<string, KnownAsset>> {
  const [venues, declared, entries] = await Promise.all([
    venuesOf(records),
    records.find<contract.TreasuryAsset>('TreasuryAsset', { order: 'OLDEST' }),
    records.find<contract.TreasuryBucket>('TreasuryBucket', {
      status: ['ACTIVE', 'PARTIAL'],
      order: 'OLDEST',
      where: sql`${member('payload.entryKind')} = 'ASSET'`,
    }),
  ])
  const tokens = declared.flatMap((asset) => knownBy(asset, asset.payload))
  const held = entries.flatMap((entry) => {
    const { asset: assetKey, decimals } = entry.payload
    return assetKey.includes('/erc721:') ? [] : knownBy(entry, { assetKey, decimals })
  })
  const all = [...held.toReversed(), ...tokens, ...moneyAndTokens(venues)]
  return new Map(all.map((one) => [one.assetKey, one]))
}

/** An asset as a record describes it; null if the record does not contain its decimals. */
const knownBy = (
  { id, resourceType, resourceVersion }: VersionedRecord<unknown>,
  { assetKey, decimals }: Pick<contract.TreasuryAsset, 'assetKey' | 'decimals'>,
): KnownAsset[] =>
  decimals === null ? [] : [{ assetKey, decimals, source: { resourceType, id, resourceVersion } }]

/** Venues that are not revoked, oldest first; validated ones come before drafts. */
async function venuesOf(records: TenantRecords): Promise<Venue[]> {
  const venues = await records.find<Venue['payload']>('VenueProfile', {
    exceptStatus: ['REVOKED'],
    order: 'OLDEST',
  })
  return venues.toSorted((a, b) => Number(a.status === 'DRAFT') - Number(b.status === 'DRAFT'))
}

function moneyAndTokens(venues: readonly Venue[]): KnownAsset[] {
  const money = Object.entries(currencies.decimals).map(([code, decimals]) => ({
    assetKey: `iso4217:${code}`,
    decimals,
    source: null,
  }))
  const traded = venues.flatMap(({ id, resourceType, resourceVersion, payload: { pair } }) => {
    const source = { resourceType, id, resourceVersion }
    const chain = `eip155:${pair.chainId}`
    return [
      { assetKey: `${chain}/slip44:60`, decimals: nativeDecimals, source },
      ...[
        { token: pair.base, decimals: pair.baseDecimals },
        { token: pair.quote, decimals: pair.quoteDecimals },
      ].map(({ token, decimals }) => ({
        assetKey: `${chain}/erc20:${token.toLowerCase()}`,
        decimals,
        source,
      })),
    ]
  })
  // If two sources describe an asset, the first one applies.
  return [...money, ...traded.toReversed()]
}
