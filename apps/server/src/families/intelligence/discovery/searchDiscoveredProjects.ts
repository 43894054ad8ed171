import { contract } from '@liquidity-os/contract'
import { handle } from '../../../http/handler.ts'
import { limits } from '../../../limits.ts'
import { assetKeyOf } from '../../../market/prices/prices-of-pair.ts'
import type { Services } from '../../../services.ts'
import { catalogue } from './catalogue/catalogue.ts'
import { fold, matchesIn, type SearchedToken, search } from './catalogue/search.ts'
import { type DiscoveredToken, keepDiscovered, type Listing } from './discovered-tokens.ts'
import { type MarketSource, marketSources } from './reading/market-sources.ts'

const pageSize = 20 as const

type Result = contract.MarketDiscoverySearch['results'][number]
type SourceName = Result['sources'][number]

export default handle(
  contract.searchDiscoveredProjects,
  async ({ query: { q, page = 1 }, services, now, fail }) => {
    const query = fold(q)
    if (query.length < 2) {
      throw fail('LIQUIDITY_INVALID_REQUEST', {
        fieldErrors: {
          'query.q': [
            `must have at least 2 characters other than spaces, got ${JSON.stringify(q)}`,
          ],
        },
      })
    }
    const { version, hash, tokens } = catalogue()
    const listed = await listedBy(marketSources(services), query)
    const { discovered, gap } = await discoveredTokens(services, { listed, query }, now)
    // The catalog comes first, so that a provider cannot displace a token of the list.
    const matches = [...search(catalogue(), query), ...matchesIn(discovered, query)]
    const shown = matches.slice((page - 1) * pageSize, page * pageSize)
    const known = [...tokens, ...discovered]
    return {
      data: {
        query,
        page,
        pageSize,
        total: Math.min(matches.length, limits.publicSearchResults),
        catalogue: { version, hash },
        results: shown.map(({ token, matched, similarityPips }) => ({
          id: token.id,
          assetKey: token.assetKey,
          name: token.name,
          symbol: token.symbol,
          decimals: token.decimals,
          matched,
          similarityPips,
          sources: sourcesOf(token.assetKey, listed.sources),
          symbolShared: known.some((other) => isNamesake(other, token)),
        })),
        gaps: gap ? [...listed.gaps, gap] : listed.gaps,
      } satisfies contract.MarketDiscoverySearch,
    }
  },
)

interface Listed {
  readonly listings: readonly Listing[]
  /** Providers of each listed token, by its key. */
  readonly sources: ReadonlyMap<string, readonly SourceName[]>
  readonly gaps: contract.PublicGap[]
}

async function listedBy(sources: readonly MarketSource[], query: string): Promise<Listed> {
  const answers = await Promise.all(
    sources.map(async (source) => ({ source, answer: await source.search(query) })),
  )
  const byKey = new Map<string, SourceName[]>()
  const listings = answers.flatMap(({ source, answer }) =>
    (answer.value ?? []).map((token): Listing => {
      const assetKey = assetKeyOf(token, token.address)
      byKey.set(assetKey, [...(byKey.get(assetKey) ?? []), source.name])
      return { ...token, source: source.host, at: answer.at ?? 0 }
    }),
  )
  const gaps = answers.flatMap(({ answer }) =>
    answer.gap ? [{ ...answer.gap, pointer: '/results' }] : [],
  )
  return { listings, sources: byKey, gaps }
}

/**
 * Listed tokens outside the catalog that match, each as its first provider lists it, by chain and
 * address. Only these are stored.
 */
async function discoveredTokens(
  services: Pick<Services, 'database' | 'log'>,
  { listed, query }: { listed: Listed; query: string },
  now: number,
): Promise<{ discovered: DiscoveredToken[]; gap: contract.PublicGap | null }> {
  const { byKey } = catalogue()
  const first = new Map<string, Listing>()
  for (const listing of listed.listings) {
    const assetKey = assetKeyOf(listing, listing.address)
    const earlier = first.get(assetKey)
    // Only some providers state decimals.
    const decimals = earlier?.decimals ?? listing.decimals
    if (!byKey.has(assetKey)) first.set(assetKey, { ...(earlier ?? listing), decimals })
  }
  const named = [...first].map(([assetKey, listing]) => ({ ...listing, assetKey, id: 0 }))
  const matching = matchesIn(named, query).map(({ token }) => token)
  const kept = await keepDiscovered(services, matching, now)
  return {
    discovered: (kept ?? []).toSorted((a, b) => (a.assetKey < b.assetKey ? -1 : 1)),
    gap: kept === null ? notStored : null,
  }
}

const notStored: contract.PublicGap = {
  code: 'CALL_FAILED',
  pointer: '/results',
  detail: 'Tokens that only providers list are missing, because they could not be stored.',
}

function sourcesOf(
  assetKey: string,
  byKey: ReadonlyMap<string, readonly SourceName[]>,
): SourceName[] {
  const own: SourceName[] = catalogue().byKey.has(assetKey) ? ['CATALOGUE'] : []
  return [...own, ...(byKey.get(assetKey) ?? [])]
}

const isNamesake = (other: SearchedToken, { id, chainId, symbol }: SearchedToken) =>
  other.id !== id && other.chainId === chainId && fold(other.symbol) === fold(symbol)
