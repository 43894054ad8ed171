import type { Orientation, PoolMarket } from '../amm/market.ts'
import { mint } from '../amm/swap.ts'
import type { CpmmState } from '../amm/v2/state.ts'
import type { ClmmState, TickState } from '../amm/v3/state.ts'
import { divideRoundingUp, type Rat } from '../arithmetic/integer.ts'
import { quoteValue } from '../depth/value.ts'
import type { TickRange } from '../montecarlo/market-session.ts'
import { openSession } from '../montecarlo/open-session.ts'
import type { Holdings } from '../study/arm.ts'

/** Liquidity in one range; of a v2 pair, where there are no ranges, in the whole curve. */
export interface PlacedRange extends Holdings {
  readonly range: TickRange
  readonly liquidity: bigint
}

const OWNER = '#allocation'
/** Enough liquidity that rounding up its cost is nothing. */
const TRIAL = 1n << 100n

/**
 * What a value becomes in some ranges of a market, each taking an equal part: liquidity rounded down, and what
 * it costs, rounded up.
 *
 * @param ranges at least one
 * @param price  quote per base, at which the value is meant
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
 * A market with liquidity added, as the contract would mint it, or taken away by whoever has it.
 *
 * @param change liquidity above zero to add, below to take; zero leaves the market
 * @throws PoolRevertError where the contract refuses to mint
 * @throws NotThereError where the market has less than is taken
 */
export function withLiquidity(market: PoolMarket, range: TickRange, change: bigint): PoolMarket {
  if (change === 0n) return market
  if (market.kind === 'UNISWAP_V2') return pairWith(market, change)
  // Balances unknown: what is asked is the price, and no transfer is to be refused.
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
 * Most liquidity that positions of exactly this range can have: what is there everywhere in it, and what its
 * edges know of. Zero unless it begins and ends at initialised ticks.
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
    super(`${asked} of liquidity is to be taken where at most ${there} can be.`)
    this.asked = asked
    this.there = there
  }
}
