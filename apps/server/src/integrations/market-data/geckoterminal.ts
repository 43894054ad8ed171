import {
  addressOf,
  byLiquidity,
  chainIdsOf,
  decimalText,
  dexOf,
  itemsOf,
  type ListedToken,
  listedToken,
  type MarketDialect,
  membersOf,
  type ReportedPool,
} from './dialect.ts'

const chains: Readonly<Record<number, string>> = {
  1: 'eth',
  10: 'optimism',
  56: 'bsc',
  137: 'polygon_pos',
  8453: 'base',
  42161: 'arbitrum',
}
const chainIds = chainIdsOf(chains)

/** Pools on a page. */
const pageLength = 20

/** @see https://api.geckoterminal.com/docs (version 2) */
export const geckoTerminal: MarketDialect = {
  endpoint: 'https://api.geckoterminal.com/api/v2',
  requestsPerMinute: 30,
  chains,
  methods: {
    volume: 'volume_usd.h24 of the token',
    liquidity: 'total_reserve_in_usd of the token',
    pool: 'reserve_in_usd of the pool',
  },
  async search(ask, query) {
    const include = 'base_token,quote_token'
    const answer = await ask(['search', 'pools'], { query, include, page: '1' })
    if (answer === null) return []
    const { included } = membersOf(answer, 'The response')
    return itemsOf(included ?? [], 'included').flatMap((one): ListedToken[] => {
      const { id, type, attributes } = membersOf(one, 'An included item')
      if (type !== 'token') return []
      const { address, name, symbol, decimals } = membersOf(attributes, 'attributes')
      const token = listedToken(chainOf(id), { address, name, symbol, decimals })
      return token ? [token] : []
    })
  },
  async readMarket(ask, chain, token) {
    const lower = token.toLowerCase()
    const [found, listed] = await Promise.all([
      ask(['networks', chain, 'tokens', lower]),
      ask(['networks', chain, 'tokens', lower, 'pools'], { page: '1' }),
    ])
    if (found === null) return null
    const { data } = membersOf(found, 'The response')
    const { attributes } = membersOf(data, 'data')
    const { total_reserve_in_usd: reserve, volume_usd: volume } = membersOf(
      attributes,
      'attributes',
    )
    const pools = listed === null ? [] : itemsOf(membersOf(listed, 'The response').data, 'data')
    return {
      volume24hUsd: decimalText(membersOf(volume ?? {}, 'volume_usd').h24),
      liquidityUsd: decimalText(reserve),
      pools: pools.flatMap((pool) => poolOf(pool, lower)).sort(byLiquidity),
      hasMorePools: pools.length >= pageLength,
    }
  },
}

function poolOf(value: unknown, token: string): ReportedPool[] {
  const { attributes, relationships } = membersOf(value, 'A pool')
  const { address: given, reserve_in_usd: reserve } = membersOf(attributes, 'attributes')
  const address = addressOf(given)
  if (address === null) return []
  const { base_token: base, quote_token: quote, dex } = membersOf(relationships, 'relationships')
  const [first, second] = [addressOf(addressIn(idOf(base))), addressOf(addressIn(idOf(quote)))]
  return [
    {
      address,
      dex: dexOf(idOf(dex)),
      quote: first?.toLowerCase() === token ? second : first,
      liquidityUsd: decimalText(reserve),
    },
  ]
}

function idOf(value: unknown): string {
  const { id } = membersOf(membersOf(value ?? {}, 'A relationship').data ?? {}, 'data')
  return typeof id === 'string' ? id : 'unknown'
}

/** Ids are `NETWORK_0xADDRESS`; names of networks can contain an underscore. */
const addressIn = (id: string): string => id.slice(id.lastIndexOf('_') + 1)

function chainOf(id: unknown): number | null {
  if (typeof id !== 'string') return null
  return chainIds.get(id.slice(0, Math.max(0, id.lastIndexOf('_')))) ?? null
}
