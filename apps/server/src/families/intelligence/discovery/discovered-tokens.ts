import { type Address, getAddress } from 'viem'
import type { ListedToken } from '../../../integrations/market-data/dialect.ts'
import { limits } from '../../../limits.ts'
import { assetKeyOf } from '../../../market/prices/prices-of-pair.ts'
import type { Services } from '../../../services.ts'
import { integerOf, type Row, textOf } from '../../../store/database/row.ts'
import { sql, values } from '../../../store/database/sql.ts'
import { catalogue, firstIdOf } from './catalogue/catalogue.ts'

/** A token outside the catalog, with the texts of the provider that listed it last. */
export interface DiscoveredToken extends ListedToken {
  readonly id: number
  readonly assetKey: string
  /** Host of the provider. */
  readonly source: string
  /** Unix milliseconds of the provider's answer. */
  readonly at: number
}

export interface Listing extends ListedToken {
  readonly source: string
  readonly at: number
}

type Storage = Pick<Services, 'database' | 'log'>

/**
 * Gives tokens of providers a public id that every node resolves, and stores their texts. Rows that
 * no provider lists for 30 days are deleted, and the oldest above the limit.
 *
 * @returns null if storage fails
 */
export async function keepDiscovered(
  { database, log }: Storage,
  listings: readonly Listing[],
  now: number,
): Promise<DiscoveredToken[] | null> {
  if (listings.length === 0) return []
  const keyed = listings.map((listing) => ({ ...listing, assetKey: keyOf(listing) }))
  try {
    const selected = sql`select id, asset_key, body, reported_at from discovered_tokens
      where asset_key in ${values(keyed.map(({ assetKey }) => assetKey))}`
    const [before = []] = await database.global([selected])
    const reportedAt = new Map(
      before.map((row) => [textOf(row, 'asset_key'), integerOf(row, 'reported_at')]),
    )
    const changed = keyed.filter(({ assetKey, at }) => (reportedAt.get(assetKey) ?? -1) < at)
    const results =
      changed.length === 0
        ? [before]
        : await database.global([
            ...changed.map(
              (one) =>
                sql`insert into discovered_tokens (id, asset_key, body, reported_at)
                  values (${idOf(one.assetKey)}, ${one.assetKey}, ${bodyOf(one)}, ${one.at})
                  on conflict do nothing`,
            ),
            ...changed.map(
              (one) =>
                sql`update discovered_tokens set body = ${bodyOf(one)}, reported_at = ${one.at}
                  where asset_key = ${one.assetKey} and reported_at < ${one.at}`,
            ),
            sql`delete from discovered_tokens where reported_at < ${now - limits.discoveredTokenMilliseconds}
              or id in (select id from discovered_tokens order by reported_at desc offset ${limits.discoveredTokens})`,
            selected,
          ])
    const stored = new Map(
      (results.at(-1) ?? []).map((row) => [textOf(row, 'asset_key'), tokenOf(row)]),
    )
    // A taken id belongs to another token, which happens once in 10^15 pairs: then the token has no id.
    return keyed.flatMap(({ assetKey }) => stored.get(assetKey) ?? [])
  } catch (error) {
    log.warn({ err: error }, 'Tokens of a market data provider were not stored.')
    return null
  }
}

/** The token with this public id, or null. */
export async function findDiscovered(
  { database }: Pick<Services, 'database'>,
  id: number,
): Promise<DiscoveredToken | null> {
  const [rows] = await database.global([
    sql`select id, asset_key, body from discovered_tokens where id = ${id}`,
  ])
  const row = rows?.[0]
  return row ? tokenOf(row) : null
}

const keyOf = ({ chainId, address }: ListedToken): string => assetKeyOf({ chainId }, address)

function idOf(assetKey: string): number {
  let id = firstIdOf(assetKey)
  while (catalogue().byId.has(id)) id += 1
  return id
}

const bodyOf = ({ name, symbol, decimals, source, at }: Listing): string =>
  JSON.stringify({ name, symbol, decimals, source, at })

function tokenOf(row: Row): DiscoveredToken {
  const assetKey = textOf(row, 'asset_key')
  const [, chainId, address] = /^eip155:(\d+)\/erc20:(0x[0-9a-f]{40})$/.exec(assetKey) ?? []
  if (chainId === undefined || address === undefined) {
    throw new Error(`The key ${assetKey} of a discovered token is not one of a token.`)
  }
  return {
    ...(JSON.parse(textOf(row, 'body')) as Pick<
      DiscoveredToken,
      'name' | 'symbol' | 'decimals' | 'source' | 'at'
    >),
    id: integerOf(row, 'id'),
    assetKey,
    chainId: Number(chainId),
    address: getAddress(address) as Address,
  }
}
