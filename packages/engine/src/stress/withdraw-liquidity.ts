import type { Market } from '../amm/market.ts'
import { removeStableLiquidity } from '../amm/stableswap/liquidity.ts'
import { loadPool, snapshotPool } from '../amm/v3/pool.ts'
import { OtherProviders } from '../montecarlo/other-providers.ts'

const MILLION = 1_000_000n

/**
 * A market after a share of all its liquidity was withdrawn, at the same price. In v3 this affects
 * every segment between ticks equally, in v2 and StableSwap the reserves, in a book every level.
 * The withdrawn amount is rounded down in a pool, the remaining amount in a book.
 *
 * @param removePips 0..1,000,000
 * @throws RangeError for another share
 */
export function withdrawLiquidity(market: Market, removePips: number): Market {
  if (!Number.isInteger(removePips) || removePips < 0 || removePips > 1_000_000) {
    throw new RangeError(`a share of ${removePips} pips; expected a whole number in 0..1000000`)
  }
  if (removePips === 0) return market
  const share = BigInt(removePips)
  switch (market.kind) {
    case 'UNISWAP_V3': {
      const pool = loadPool(market)
      new OtherProviders(pool, []).exit(removePips)
      return snapshotPool(pool)
    }
    case 'UNISWAP_V2': {
      const [out0, out1] = [market.reserve0, market.reserve1].map((r) => (r * share) / MILLION)
      return {
        ...market,
        totalSupply: market.totalSupply - (market.totalSupply * share) / MILLION,
        reserve0: market.reserve0 - out0!,
        reserve1: market.reserve1 - out1!,
        balance0: market.balance0 - out0!,
        balance1: market.balance1 - out1!,
      }
    }
    case 'STABLESWAP':
      return removeStableLiquidity(market, (market.totalSupply * share) / MILLION).state
    case 'ORDER_BOOK': {
      const left = (levels: typeof market.bids) =>
        levels.flatMap((level) => {
          const base = (level.base * (MILLION - share)) / MILLION
          return base > 0n ? [{ ...level, base }] : []
        })
      return { ...market, bids: left(market.bids), asks: left(market.asks) }
    }
  }
}
