import type { Orientation, PoolMarket } from '../amm/market.ts'
import { mint } from '../amm/swap.ts'
import type { CpmmState } from '../amm/v2/state.ts'
import type { ClmmState, TickState } from '../amm/v3/state.ts'
import { divideRoundingUp, type Rat } from '../arithmetic/integer.ts'
import { quoteValue } from '../depth/value.ts'
import type { TickRange } from '../montecarlo/market-session.ts'
import { openSession } from '../montecarlo/open-session.ts'
import type { Holdings } from '../study/arm.ts'

/** Liquidity in one range. A v2 pair has no ranges, so its liquidity covers the whole curve. */
export interface PlacedRange extends Holdings {
  readonly range: TickRange
  readonly liquidity: bigint
}

const OWNER = '#allocation'
/** Trial liquidity, large enough that rounding its cost up is negligible. */
const TRIAL = 1n << 100n

/**
 * Converts a value into liquidity, split equally over the ranges. Liquidity is rounded down and its
 * cost is rounded up.
 *
 * @param ranges at least one
 * @param price quote per base, used to value the amounts
 */
export function placementOf(
  market: PoolMarket,
  o: Orientation,
  ranges: readonly TickRange[],
  valueQuote: bigint,
  price: Rat,
): PlacedRange[] {
  const session = openSession(market, o)
  const part = valueQuote / BigInt(ranges.length)
  return ranges.map((range) => {
    const trial = session.costOf(range, TRIAL)
    const worth = quoteValue(trial.base, price) + trial.quote
    const liquidity = worth === 0n ? 0n : (TRIAL * part) / worth
    const { base, quote } = session.costOf(range, liquidity)
    return { range, liquidity, base, quote }
  })
}

/**
 * Adds liquidity to a market with the contract's mint, or removes liquidity of any owner.
 *
 * @param change positive to add, negative to remove; zero returns the market unchanged
 * @throws PoolRevertError if the contract rejects the mint
 * @throws NotThereError if the market has less liquidity than the removal needs
 */
export function withLiquidity(market: PoolMarket, range: TickRange, change: bigint): PoolMarket {
  if (change === 0n) return market
  if (market.kind === 'UNISWAP_V2') return pairWith(market, change)
  // Unknown balances disable transfer checks: only the resulting price matters.
  const pool = { ...market, balance0: null, balance1: null }
  if (change > 0n) return mint(pool, { owner: OWNER, ...range }, change).state
  return without(pool, range, -change)
}

/** Liquidity that serves the next trade, of all providers. */
export function activeLiquidity(market: PoolMarket): bigint {
  return market.kind === 'UNISWAP_V2' ? market.totalSupply : market.liquidity
}

/** Whether a range serves the next trade. */
export function isActive(market: PoolMarket, { tickLower, tickUpper }: TickRange): boolean {
  return market.kind === 'UNISWAP_V2' || (tickLower <= market.tick && market.tick < tickUpper)
}

/** Added in proportion, rounded up for the pair; taken in proportion, rounded down. */
function pairWith(pair: CpmmState, change: bigint): CpmmState {
  const { totalSupply } = pair
  if (totalSupply + change <= 0n) throw new NotThereError(-change, totalSupply)
  const moved = (reserve: bigint) =>
    change > 0n
      ? divideRoundingUp(change * reserve, totalSupply)
      : -((-change * reserve) / totalSupply)
  const [amount0, amount1] = [moved(pair.reserve0), moved(pair.reserve1)]
  return {
    ...pair,
    reserve0: pair.reserve0 + amount0,
    reserve1: pair.reserve1 + amount1,
    balance0: pair.balance0 + amount0,
    balance1: pair.balance1 + amount1,
    totalSupply: totalSupply + change,
  }
}

/** The profile decides every quote; whose positions make it up does not, so only ticks change. */
function without(pool: ClmmState, range: TickRange, taken: bigint): ClmmState {
  const { tickLower, tickUpper } = range
  const edge = (index: number, net: bigint) => (tick: TickState) =>
    tick.index === index
      ? {
          ...tick,
          liquidityGross: tick.liquidityGross - taken,
          liquidityNet: tick.liquidityNet + net,
        }
      : tick
  const ticks = pool.ticks.map(edge(tickLower, -taken)).map(edge(tickUpper, taken))
  const there = mostIn(pool.ticks, range)
  if (there < taken) throw new NotThereError(taken, there)
  return {
    ...pool,
    liquidity: isActive(pool, range) ? pool.liquidity - taken : pool.liquidity,
    ticks: ticks.filter(({ liquidityGross }) => liquidityGross > 0n),
  }
}

/**
 * Maximum liquidity of positions with exactly this range: the minimum of active liquidity inside it
 * and gross liquidity at its edges. Zero unless both edges are initialized ticks.
 */
function mostIn(ticks: readonly TickState[], { tickLower, tickUpper }: TickRange): bigint {
  const edges = ticks.filter(({ index }) => index === tickLower || index === tickUpper)
  if (edges.length < 2) return 0n
  let liquidity = 0n
  let most = edges.reduce((low, { liquidityGross }) => smaller(low, liquidityGross), 1n << 128n)
  for (const tick of ticks) {
    liquidity += tick.liquidityNet
    if (tick.index >= tickLower && tick.index < tickUpper) most = smaller(most, liquidity)
  }
  return most
}

const smaller = (a: bigint, b: bigint) => (a < b ? a : b)

export class NotThereError extends Error {
  readonly asked: bigint
  readonly there: bigint

  constructor(asked: bigint, there: bigint) {
    super(`cannot remove ${asked} of liquidity; at most ${there} is available`)
    this.asked = asked
    this.there = there
  }
}
