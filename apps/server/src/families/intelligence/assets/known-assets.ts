import type { contract } from '@liquidity-os/contract'
import { venuesToEvaluate } from '../../../market/named-venue.ts'
import { namedAsset } from '../../../market/treasury/asset-keys.ts'
import { tokenStandings } from '../../../market/treasury/token-statuses.ts'
import { venueTokens } from '../../../market/venue-tokens.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { type CatalogueToken, catalogue, foldText, searchCatalogue } from '../discovery/api.ts'
import { latestObservations, savedProjects } from '../projects/api.ts'

type Asset = contract.KnownAsset

interface AssetQuery {
  readonly query?: string
  readonly chainId?: number
}

/** Tokens that match, own tokens first, then other tokens of the organization, then the catalog. */
export async function knownAssets(
  records: TenantRecords,
  { query, chainId }: AssetQuery,
): Promise<Asset[]> {
  const { bound, declared, undeclared } = await tokenStandings(records)
  const isOwn = (key: string) => bound.has(key) || declared.get(key)?.payload.class === 'OWN_TOKEN'
  const { byKey } = catalogue()
  const tokens = new Map<string, Asset>()
  const add = (token: Omit<Asset, 'isOwn' | 'chainId'> | null) => {
    const asset = token && namedAsset(token.assetKey)
    if (!token || asset?.kind !== 'TOKEN' || tokens.has(token.assetKey)) return
    tokens.set(token.assetKey, { ...token, chainId: asset.chainId, isOwn: isOwn(token.assetKey) })
  }
  for (const { payload } of declared.values()) {
    const { assetKey, symbol, decimals } = payload
    const name = byKey.get(assetKey)?.name ?? null
    if (symbol && decimals !== null) add({ assetKey, symbol, name, decimals, source: 'CHAIN' })
  }
  for (const token of await observedTokens(records)) add(token)
  for (const token of venueTokens(await venuesToEvaluate(records))) {
    add({ ...token, name: byKey.get(token.assetKey)?.name ?? null, source: 'CHAIN' })
  }
  // Tokens of the organization that only the catalog describes.
  for (const key of [...bound.keys(), ...undeclared]) add(fromCatalogue(byKey.get(key)))
  const own = [...tokens.values()].filter((token) => query === undefined || matches(token, query))
  const listed = query === undefined ? [] : searchCatalogue(catalogue(), foldText(query))
  const others = listed.flatMap(({ token }): Asset[] => {
    const known = fromCatalogue(token)
    return known && !tokens.has(token.assetKey)
      ? [{ ...known, chainId: token.chainId, isOwn: false }]
      : []
  })
  const sorted = own.toSorted(
    (a, b) =>
      Number(b.isOwn) - Number(a.isOwn) ||
      compare(a.symbol, b.symbol) ||
      compare(a.assetKey, b.assetKey),
  )
  return [...sorted, ...others].filter(
    (token) => chainId === undefined || token.chainId === chainId,
  )
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function fromCatalogue(token: CatalogueToken | undefined) {
  if (!token) return null
  const { assetKey, symbol, name, decimals } = token
  return { assetKey, symbol, name, decimals, source: 'CATALOGUE' } as const
}

/** Tokens of saved projects, with the facts of their latest observation. */
async function observedTokens(records: TenantRecords) {
  const projects = await savedProjects(records)
  const keys = new Map(projects.map(({ id, payload }) => [id, payload.assetKey]))
  const observed = await latestObservations(records, projects)
  return observed.flatMap(({ payload: { projectId, analysis } }) => {
    const assetKey = keys.get(projectId)
    const { symbol, name, decimals } = analysis.token
    return assetKey === undefined || !symbol.value || decimals.value === null
      ? []
      : [
          {
            assetKey,
            symbol: symbol.value,
            name: name.value,
            decimals: decimals.value,
            source: 'CHAIN',
          } as const,
        ]
  })
}

function matches({ symbol, name, assetKey }: Asset, query: string): boolean {
  const requestedText = foldText(query)
  return [symbol, name ?? symbol, assetKey].some((text) => foldText(text).includes(requestedText))
}
