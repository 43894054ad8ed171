import { contract } from '@liquidity-os/contract'
import { handle } from '../../../http/handler.ts'
import { type CatalogueToken, catalogue } from './catalogue/catalogue.ts'
import { fold, search } from './catalogue/search.ts'

const pageSize = 20 as const

export default handle(
  contract.searchDiscoveredProjects,
  async ({ query: { q, page = 1 }, fail }) => {
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
    const matches = search(catalogue(), query)
    const shown = matches.slice((page - 1) * pageSize, page * pageSize)
    return {
      data: {
        query,
        page,
        pageSize,
        total: matches.length,
        catalogue: { version, hash },
        results: shown.map(({ token, matched, similarityPips }) => ({
          id: token.id,
          assetKey: token.assetKey,
          name: token.name,
          symbol: token.symbol,
          decimals: token.decimals,
          matched,
          similarityPips,
          sources: ['CATALOGUE' as const],
          symbolShared: tokens.some((other) => isNamesake(other, token)),
        })),
        gaps: [],
      } satisfies contract.MarketDiscoverySearch,
    }
  },
)

const isNamesake = (other: CatalogueToken, { id, chainId, symbol }: CatalogueToken) =>
  other.id !== id && other.chainId === chainId && fold(other.symbol) === fold(symbol)
