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
} from './dialect.ts'
import { sumOfDecimals } from './usd.ts'

const chains: Readonly<Record<number, string>> = {
  1: 'ethereum',
  10: 'optimism',
  56: 'bsc',
  137: 'polygon',
  8453: 'base',
  42161: 'arbitrum',
}
const chainIds = chainIdsOf(chains)

/** Pairs in a response. */
const pageLength = 30

/** @see https://docs.dexscreener.com/api/reference */
export const dexScreener: MarketDialect = {
  endpoint: 'https://api.dexscreener.com',
  requestsPerMinute: 300,
  chains,
  methods: {
    volume: 'sum of volume.h24 of the listed pairs that state it',
    liquidity: 'sum of liquidity.usd of the listed pairs that state it',
    pool: 'liquidity.usd of the pair',
  },
  async search(ask, query) {
    const answer = await ask(['latest', 'dex', 'search'], { q: query })
    if (answer === null) return []
    const pairs = itemsOf(membersOf(answer, 'The response').pairs ?? [], 'pairs')
    return pairs.flatMap((pair): ListedToken[] => {
      const { chainId, baseToken, quoteToken } = membersOf(pair, 'A pair')
      const chain = typeof chainId === 'string' ? (chainIds.get(chainId) ?? null) : null
      return [baseToken, quoteToken].flatMap((given) => {
        const { address, name, symbol } = membersOf(given ?? {}, 'A token')
        const token = listedToken(chain, { address, name, symbol })
        return token ? [token] : []
      })
    })
  },
  async readMarket(ask, chain, token) {
    const answer = await ask(['token-pairs', 'v1', chain, token])
    if (answer === null) return null
    const pairs = itemsOf(answer, 'The response').map((one) => pairOf(one, token))
    if (pairs.length === 0) return null
    return {
      volume24hUsd: sumOfDecimals(pairs.map(({ volume }) => volume)),
      liquidityUsd: sumOfDecimals(pairs.map(({ liquidityUsd }) => liquidityUsd)),
      pools: pairs
        .flatMap(({ address, dex, quote, liquidityUsd }) =>
          address === null ? [] : [{ address, dex, quote, liquidityUsd }],
        )
        .sort(byLiquidity),
      hasMorePools: pairs.length >= pageLength,
    }
  },
}

function pairOf(value: unknown, token: string) {
  const { pairAddress, dexId, baseToken, quoteToken, liquidity, volume } = membersOf(
    value,
    'A pair',
  )
  const [base, quote] = [baseToken, quoteToken].map((one) =>
    addressOf(membersOf(one ?? {}, 'A token').address),
  )
  return {
    address: addressOf(pairAddress),
    dex: dexOf(dexId),
    quote: (base === token ? quote : base) ?? null,
    liquidityUsd: decimalText(membersOf(liquidity ?? {}, 'liquidity').usd),
    volume: decimalText(membersOf(volume ?? {}, 'volume').h24),
  }
}
