import type { contract } from '@liquidity-os/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { createContext, useContext, useMemo } from 'react'
import { familyOfId, familyOfKey, loadFamily } from '../declared/families.ts'
import { valueAt } from '../declared/schema.ts'
import type { FamilyEntry, FamilyFile } from '../declared/types.ts'
import {
  displaySymbols,
  distinctSymbols,
  type NamedToken,
  type Symbols,
  symbolsIn,
} from '../fields/symbols.ts'
import {
  type Assets,
  AssetsContext,
  assetsOf,
  coinIn,
  coinOf,
  noUnits,
  pairIn,
  type Units,
  unitsOf,
  unitsOfKeys,
} from '../fields/units.tsx'
import type { Item, Page, Session, Workspace } from './records.ts'
import { ask, askExtension, read } from './send.ts'

/** Signed-in user, organization and role. */
export interface Membership {
  session: Session
  organizationId: string
  organizationName: string
  role: string
}
export const MembershipContext = createContext<Membership | null>(null)

export function useMembership(): Membership {
  const membership = useContext(MembershipContext)
  if (!membership) throw new Error('This page requires an organization.')
  return membership
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => askExtension<{ data: Session }>('/auth/session').then(({ data }) => data),
  staleTime: 60_000,
})

export const methodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: () =>
    askExtension<{ data: { openId: { name: string } | null; passkeys: boolean } }>(
      '/auth/methods',
    ).then(({ data }) => data),
  staleTime: Number.POSITIVE_INFINITY,
})

export const familyQuery = (key: string) =>
  queryOptions({
    queryKey: ['family', key],
    queryFn: () => loadFamily(key),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const workspaceQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [organizationId, 'workspace'],
    queryFn: () => read<Workspace>(organizationId, '/workspace'),
    refetchInterval: 15_000,
  })

export const pageQuery = (
  organizationId: string,
  file: FamilyFile,
  query: Record<string, string | number>,
) =>
  queryOptions({
    queryKey: [organizationId, file.entry.key, 'list', query],
    queryFn: () => readPage(organizationId, file, query),
  })

export async function readPage(
  organizationId: string,
  { list, operations }: FamilyFile,
  query: Record<string, string | number>,
): Promise<Page> {
  const operation = list ? operations[list] : undefined
  if (!operation) throw new Error('The family has no list.')
  return (await ask<Page>(organizationId, operation, { query })).body
}

/** Maximum pages searched for one record of a family without a read operation. */
const pagesWalked = 20

/**
 * The current record with its ETag; null if the list lacks it. If the family has no get operation,
 * this walks its list.
 *
 * @throws ApiFailure if the service rejects the request
 */
export const itemQuery = (organizationId: string, entry: FamilyEntry, id: string) =>
  queryOptions({
    queryKey: [organizationId, entry.key, 'one', id],
    queryFn: async (): Promise<{ item: Item; etag: string | null } | null> => {
      const file = await loadFamily(entry.key)
      const operation = file.get ? file.operations[file.get] : undefined
      if (operation) {
        const [name = 'id'] = Object.keys(operation.params)
        const reply = await ask<{ data: Item }>(organizationId, operation, {
          params: { [name]: id },
        })
        return { item: reply.body.data, etag: reply.etag }
      }
      let cursor: string | undefined
      for (let page = 0; page < pagesWalked; page++) {
        const { data, meta } = await readPage(organizationId, file, cursor ? { cursor } : {})
        const item = data.find((one) => one.id === id)
        const version = item && 'resourceVersion' in item ? String(item.resourceVersion) : null
        if (item) return { item, etag: version }
        if (!meta.nextCursor) return null
        cursor = meta.nextCursor
      }
      return null
    },
  })

interface VenueLine {
  id: string
  status: string
  payload: {
    name: string
    kind: string
    pair: {
      chainId: number
      base: string
      quote: string
      baseDecimals: number
      quoteDecimals: number
    }
    address: string
    feePips: number | null
  }
}

/** The organization's venues. They define tokens and markets on all pages. */
export const venuesQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [organizationId, 'venues', 'named'],
    queryFn: () => read<VenueLine[]>(organizationId, '/venues', { limit: 100 }),
    staleTime: 60_000,
  })
export type { VenueLine }

const none: Symbols = new Map()

type VaultLine = Pick<VenueLine, 'id'> & { payload: Pick<VenueLine['payload'], 'pair'> }

/** Vaults of the organization. Amounts in records about a vault are in the units of its pair. */
const vaultsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [organizationId, 'vaults', 'pairs'],
    queryFn: () => read<VaultLine[]>(organizationId, '/vaults', { limit: 100 }),
    staleTime: 60_000,
  })

/**
 * Units for the amounts of a record. First its own pair, then the pair of its venue or vault, then
 * the assets that it names by key.
 */
export function useUnitsOf(): (file: FamilyFile, item: Item) => Units {
  const marketOf = useMarketOf()
  const symbols = useSymbols()
  const assetOf = useAssets()
  return (file, item) => {
    const payload = item.payload ?? item
    const own = pairIn(payload) ?? marketOf(file, item)?.payload.pair
    const coin = own ? coinOf(own.chainId) : coinIn(payload)
    const units = own
      ? unitsOf(own, symbols)
      : typeof payload === 'object' && payload !== null
        ? unitsOfKeys(payload, assetOf)
        : noUnits
    return coin === undefined ? units : { ...units, coin }
  }
}

/** The venue or the vault of a record, if the organization has it. */
export function useMarketOf(): (
  file: FamilyFile,
  item: Item,
) => { readonly payload: Pick<VenueLine['payload'], 'pair'> } | undefined {
  const { organizationId } = useMembership()
  const { data: venues } = useQuery(venuesQuery(organizationId))
  const { data: vaults } = useQuery(vaultsQuery(organizationId))
  return ({ subject }, item) => {
    const about = subject ? valueAt(item, subject) : undefined
    const vaultId = valueAt(item, 'payload.vaultId')
    return venues?.find(({ id }) => id === about) ?? vaults?.find(({ id }) => id === vaultId)
  }
}

/** Assets by key, known to the organization or defined by the enclosing record. */
export function useAssets(): Assets {
  const { organizationId } = useMembership()
  const { data } = useQuery(venuesQuery(organizationId))
  const symbols = useSymbols()
  const contextLookup = useContext(AssetsContext)
  return useMemo(() => {
    const known = assetsOf(data ?? [], symbols)
    return (key) => known(key) ?? contextLookup(key)
  }, [data, symbols, contextLookup])
}

/** Symbols that are compared with the catalog; tokens beyond them show their address. */
const maxComparedSymbols = 40

const namedAssets = (
  organizationId: string,
  query: { query?: string; chainId?: number },
): Promise<NamedToken[]> =>
  read<contract.KnownAsset[]>(organizationId, '/assets', { ...query, limit: 100 }).then((assets) =>
    assets.flatMap(({ assetKey, chainId, symbol }) => {
      const [, address] = /\/erc20:(0x[0-9a-f]{40})$/.exec(assetKey) ?? []
      return address ? [{ chainId, address, symbol }] : []
    }),
  )

/** Display names of the tokens of the organization, compared with each other and the catalog. */
const symbolsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [organizationId, 'venues', 'symbols'],
    queryFn: async ({ client }): Promise<Symbols> => {
      const venues = await client.fetchQuery(venuesQuery(organizationId))
      const tokens = symbolsIn(venues)
      const compared = distinctSymbols(tokens)
      const others = await Promise.all([
        namedAssets(organizationId, {}),
        ...compared
          .slice(0, maxComparedSymbols)
          .map(({ symbol, chainId }) => namedAssets(organizationId, { query: symbol, chainId })),
      ])
      return displaySymbols(tokens, [...others.flat(), ...unknownOwners(compared)])
    },
    staleTime: 60_000,
  })

/** Stands for owners of symbols that were not compared, so that these tokens show their address. */
const unknownOwners = (compared: readonly NamedToken[]): NamedToken[] =>
  compared.slice(maxComparedSymbols).map((token) => ({ ...token, address: 'not compared' }))

export function useSymbols(): Symbols {
  const { organizationId } = useMembership()
  const { data: venues } = useQuery(venuesQuery(organizationId))
  const { data: compared } = useQuery(symbolsQuery(organizationId))
  return useMemo(
    () => compared ?? (venues ? displaySymbols(symbolsIn(venues), []) : none),
    [compared, venues],
  )
}

/** False in lists whose rows name many records: their links show the type and a short ID. */
export const RecordNamesContext = createContext(true)

/** A record by its ID, to show its name. Sends no request for types without a page. */
export function useRecord(id: string) {
  const hasNames = useContext(RecordNamesContext)
  const { organizationId } = useMembership()
  // Other formats are user-defined names, not record IDs.
  const entry = /_[0-9a-f]{32}$/.test(id) ? familyOfId(id) : null
  const found = useQuery({
    ...itemQuery(organizationId, entry ?? fallback, id),
    enabled: hasNames && (entry?.isListed ?? false),
    staleTime: 60_000,
  })
  return { entry, item: found.data?.item ?? null }
}
const fallback = familyOfKey('venues') as FamilyEntry
