import type { LoggedMarket, Orientation, PoolMarket } from '../amm/market.ts'
import type { StableState } from '../amm/stableswap/state.ts'
import { midPrice, priceOrNull } from '../amm/swap.ts'
import type { TokenAmounts } from '../amm/v3/liquidity.ts'
import type { Rat } from '../arithmetic/integer.ts'
import { principalAt } from './inventory-cause.ts'

/**
 * TVL of a pool at its own price, quote atoms, rounded down. Counts the principal of every segment
 * between initialized ticks, both reserves, or every coin of a StableSwap pool. Excludes
 * uncollected fees.
 *
 * @returns null if the pool has no price yet
 */
export function valueLocked(market: LoggedMarket, { base, quote }: Orientation): bigint | null {
  if (market.kind === 'STABLESWAP') return ofCoins(market, quote)
  const held = market.kind === 'UNISWAP_V3' ? ofTicks(market) : ofReserves(market)
  if (held === null) return null
  return valueAt(midPrice(market, { base, quote }), held, { base, quote })
}

/** Amounts of both tokens in quote atoms, rounded down. */
export function valueAt(
  { num, den }: Rat,
  { amount0, amount1 }: TokenAmounts,
  { base }: Orientation,
): bigint {
  const [baseAmount, quoteAmount] = base === 0 ? [amount0, amount1] : [amount1, amount0]
  return quoteAmount + (baseAmount * num) / den
}

function ofReserves({ reserve0, reserve1 }: Extract<PoolMarket, { kind: 'UNISWAP_V2' }>) {
  return reserve0 === 0n || reserve1 === 0n ? null : { amount0: reserve0, amount1: reserve1 }
}

function ofCoins(market: StableState, quote: number): bigint | null {
  let sum = 0n
  for (const [coin, held] of market.balances.entries()) {
    const price = coin === quote ? { num: 1n, den: 1n } : priceOrNull(market, { base: coin, quote })
    if (price === null) return null
    sum += (held * price.num) / price.den
  }
  return sum
}

function ofTicks(pool: Extract<PoolMarket, { kind: 'UNISWAP_V3' }>): TokenAmounts | null {
  if (pool.sqrtPriceX96 === 0n) return null
  let [sum0, sum1, liquidity] = [0n, 0n, 0n]
  for (const [place, { index, liquidityNet }] of pool.ticks.entries()) {
    liquidity += liquidityNet
    const next = pool.ticks[place + 1]
    if (next === undefined || liquidity === 0n) continue
    const stretch = { tickLower: index, tickUpper: next.index, liquidity }
    const { amount0, amount1 } = principalAt(stretch, pool)
    sum0 += amount0
    sum1 += amount1
  }
  return { amount0: sum0, amount1: sum1 }
}
