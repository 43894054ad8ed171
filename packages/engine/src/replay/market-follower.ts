import type { Dir, LoggedMarket, Orientation, PoolMarket } from '../amm/market.ts'
import { feeAtPrice } from '../amm/stableswap/fee.ts'
import { stableVirtualQuote } from '../amm/stableswap/market.ts'
import { amplificationOf, type StableState } from '../amm/stableswap/state.ts'
import { midPrice, priceOrNull } from '../amm/swap.ts'
import type { CpmmState } from '../amm/v2/state.ts'
import { clmmMidPrice } from '../amm/v3/market.ts'
import {
  countTicksUpTo,
  findTick,
  insertTick,
  loadPool,
  type Pool,
  removeTick,
  setPoolFee,
  snapshotPool,
} from '../amm/v3/pool.ts'
import { sqrtRatioAtTick, tickAtSqrtRatio } from '../amm/v3/tick-math.ts'
import type { Rat } from '../arithmetic/integer.ts'
import { type Depth, depthLadder, poolDepthLadder } from '../depth/depth-ladder.ts'
import { poolSlippageTable, type Slip, slippageTable } from '../depth/slippage-table.ts'
import { TickPrincipals } from '../detection/tick-principals.ts'
import { valueAt, valueLocked } from '../detection/value-locked.ts'
import { noRoute, poolRoute, type Route, routeOf } from '../routing/route.ts'
import { isLiquidity } from './clmm-replay.ts'
import type { ClmmEvent, LiquidityEvent, MarketEvent, SwapEvent } from './events.ts'
import { FollowedQuotes } from './followed-quotes.ts'
import { assertStable, atTime, StableReplay } from './stable-replay.ts'

/**
 * A market that takes its state from events, without computing them again. This is several times
 * faster than a replay, for histories that a replay has verified. Price, liquidity, ticks, reserves
 * and fee match the chain, so every quote is exact. Fee growth, positions and the oracle retain
 * their initial values. The logs of a StableSwap pool do not contain its balances, so only this
 * pool is computed. After an event that is not reproduced, it has no price.
 */
export interface MarketFollower {
  /** Applies the next event in chain order. */
  apply(event: MarketEvent): void
  /** Advances time, Unix seconds, never back: a StableSwap amplification can change with time. */
  advance(timestamp: number): void
  /** Grows with every change after which a quote may be another one. */
  readonly version: number
  /** Price of the base without fee; null before there is one. */
  mid(o: Orientation): Rat | null
  /** See `depthLadder`; empty without a price. */
  depth(o: Orientation, bandsPips: readonly number[]): Depth[]
  /** See `slippageTable`; empty without a price. */
  slippage(o: Orientation, sizesQuote: readonly bigint[]): Slip[]
  /**
   * L·√p, quote atoms rounded down: the quote of a whole curve with the liquidity that is in range. Of a StableSwap
   * pool that of the constant product with the same slope at the price.
   */
  virtualQuote(o: Orientation): bigint
  /**
   * The fee of the first atom of either side if it can change, parts of 10^10. This is a StableSwap
   * fee, which a NewFee sets and some builds raise off the peg. Null for a market with a fixed fee,
   * or without a price.
   */
  feeX10(o: Orientation): bigint | null
  /** See `valueLocked`. */
  valueLocked(o: Orientation): bigint | null
  /** The market for a router; an empty route without a price. */
  route(d: Dir): Route
  /** The market as a value that can be quoted. */
  market(): LoggedMarket
}

const Q96 = 1n << 96n

/** @throws TypeError from `apply` for an event of another kind of market */
export function followMarket(start: LoggedMarket): MarketFollower {
  switch (start.kind) {
    case 'UNISWAP_V3':
      return new ClmmFollower(loadPool(start))
    case 'UNISWAP_V2':
      return new CpmmFollower(start)
    case 'STABLESWAP':
      return new StableFollower(start)
  }
}

class ClmmFollower implements MarketFollower {
  version = 0
  readonly #pool: Pool
  readonly #quotes: FollowedQuotes
  readonly #principals: TickPrincipals
  /** Cached mid prices by base token, for the current price: read at every event and moment. */
  #mids: Partial<Record<number, Rat>> = {}

  constructor(pool: Pool) {
    this.#pool = pool
    this.#quotes = new FollowedQuotes(pool)
    this.#principals = new TickPrincipals(pool)
  }

  apply(event: MarketEvent): void {
    const own = event as ClmmEvent
    if (isLiquidity(own)) this.#changeLiquidity(own)
    else if (own.type === 'Swap') this.#trade(own)
    else if (own.type === 'Initialize') {
      this.#move(own.sqrtPriceX96, tickAtSqrtRatio(own.sqrtPriceX96))
    } else if (own.type === 'FeeChange') {
      setPoolFee(this.#pool, own.feePips)
      this.#quotes.changeFee()
      this.version += 1
    }
  }

  /** Time alone changes no quote. */
  advance(): void {}

  mid(o: Orientation): Rat | null {
    const { sqrtPriceX96 } = this.#pool
    if (sqrtPriceX96 === 0n) return null
    this.#mids[o.base] ??= clmmMidPrice(sqrtPriceX96, o)
    return this.#mids[o.base] ?? null
  }

  depth(o: Orientation, bandsPips: readonly number[]): Depth[] {
    return this.#pool.sqrtPriceX96 === 0n
      ? []
      : poolDepthLadder(this.#pool, o, bandsPips, this.#quotes.quote)
  }

  slippage(o: Orientation, sizesQuote: readonly bigint[]): Slip[] {
    return this.#pool.sqrtPriceX96 === 0n
      ? []
      : poolSlippageTable(this.#pool, o, sizesQuote, this.#quotes.quote)
  }

  virtualQuote({ quote }: Orientation): bigint {
    const { liquidity, sqrtPriceX96 } = this.#pool
    if (sqrtPriceX96 === 0n) return 0n
    return quote === 1 ? (liquidity * sqrtPriceX96) / Q96 : (liquidity * Q96) / sqrtPriceX96
  }

  /** Its terms fix it. */
  feeX10(): null {
    return null
  }

  valueLocked(o: Orientation): bigint | null {
    const price = this.mid(o)
    return price === null ? null : valueAt(price, this.#principals.held(), o)
  }

  route(d: Dir): Route {
    return poolRoute(this.#pool, d, this.#quotes.quote)
  }

  market(): PoolMarket {
    return snapshotPool(this.#pool)
  }

  #trade(event: SwapEvent): void {
    if (!('sqrtPriceX96' in event))
      throw new TypeError('a pair Swap event in the history of a pool')
    this.#pool.liquidity = event.liquidity
    this.#move(event.sqrtPriceX96, event.tick)
  }

  #move(sqrtPriceX96: bigint, tick: number): void {
    const pool = this.#pool
    if (sqrtPriceX96 !== pool.sqrtPriceX96) this.#mids = {}
    pool.sqrtPriceX96 = sqrtPriceX96
    pool.tick = tick
    pool.cursor = countTicksUpTo(pool.ticks, tick)
    this.#quotes.move()
    this.version += 1
  }

  #changeLiquidity(event: LiquidityEvent): void {
    const { type, tickLower, tickUpper, liquidity } = event
    if (liquidity === 0n) return
    this.#quotes.changeLiquidity(event)
    this.#principals.forget()
    const added = type === 'Mint' ? liquidity : -liquidity
    this.#changeTick(tickLower, added, added)
    this.#changeTick(tickUpper, added, -added)
    const { tick } = this.#pool
    if (tickLower <= tick && tick < tickUpper) this.#pool.liquidity += added
    this.version += 1
  }

  #changeTick(index: number, gross: bigint, net: bigint): void {
    const pool = this.#pool
    const known = findTick(pool, index)
    if (known === undefined) {
      const sqrtPriceX96 = sqrtRatioAtTick(index)
      insertTick(pool, {
        index,
        sqrtPriceX96,
        liquidityGross: gross,
        liquidityNet: net,
        feeGrowthOutside0X128: 0n,
        feeGrowthOutside1X128: 0n,
        secondsOutside: 0,
        tickCumulativeOutside: 0n,
        secondsPerLiquidityOutsideX128: 0n,
      })
      return
    }
    known.liquidityGross += gross
    known.liquidityNet += net
    if (known.liquidityGross === 0n) removeTick(pool, index)
  }
}

class CpmmFollower implements MarketFollower {
  version = 0
  #pair: CpmmState

  constructor(pair: CpmmState) {
    this.#pair = pair
  }

  apply(event: MarketEvent): void {
    if (event.type !== 'Sync') return
    const { reserve0, reserve1 } = event
    this.#pair = { ...this.#pair, reserve0, reserve1, balance0: reserve0, balance1: reserve1 }
    this.version += 1
  }

  /** Time alone changes no quote. */
  advance(): void {}

  mid(o: Orientation): Rat | null {
    return this.#isEmpty ? null : midPrice(this.#pair, o)
  }

  depth(o: Orientation, bandsPips: readonly number[]): Depth[] {
    return this.#isEmpty ? [] : depthLadder(this.#pair, o, bandsPips)
  }

  slippage(o: Orientation, sizesQuote: readonly bigint[]): Slip[] {
    return this.#isEmpty ? [] : slippageTable(this.#pair, o, sizesQuote)
  }

  virtualQuote({ quote }: Orientation): bigint {
    return quote === 1 ? this.#pair.reserve1 : this.#pair.reserve0
  }

  /** Its terms fix it. */
  feeX10(): null {
    return null
  }

  valueLocked(o: Orientation): bigint | null {
    return valueLocked(this.#pair, o)
  }

  route(d: Dir): Route {
    return routeOf(this.#pair, d)
  }

  market(): PoolMarket {
    return this.#pair
  }

  get #isEmpty(): boolean {
    return this.#pair.reserve0 === 0n || this.#pair.reserve1 === 0n
  }
}

class StableFollower implements MarketFollower {
  version = 0
  readonly #replay: StableReplay
  /** The pool at the time it was advanced to. */
  #pool: StableState
  /** Cached results of the current version: each one solves the curve, and many queries repeat. */
  readonly #answers = new Map<string, unknown>()

  constructor(pool: StableState) {
    this.#replay = new StableReplay(pool)
    this.#pool = pool
  }

  apply(event: MarketEvent): void {
    this.#replay.apply(assertStable(event))
    this.#pool = this.#replay.final()
    this.#change()
  }

  advance(timestamp: number): void {
    const later = atTime(this.#pool, timestamp)
    const isMoved = amplificationOf(later) !== amplificationOf(this.#pool)
    this.#pool = later
    if (isMoved) this.#change()
  }

  mid(o: Orientation): Rat | null {
    return this.#known(`mid ${o.base} ${o.quote}`, () =>
      this.#replay.isLost ? null : priceOrNull(this.#pool, o),
    )
  }

  depth(o: Orientation, bandsPips: readonly number[]): Depth[] {
    if (this.mid(o) === null) return []
    const key = `depth ${o.base} ${o.quote} ${bandsPips.join()}`
    return [...this.#known(key, () => depthLadder(this.#pool, o, bandsPips))]
  }

  slippage(o: Orientation, sizesQuote: readonly bigint[]): Slip[] {
    return this.mid(o) === null ? [] : slippageTable(this.#pool, o, sizesQuote)
  }

  virtualQuote(o: Orientation): bigint {
    return this.mid(o) === null ? 0n : stableVirtualQuote(this.#pool, o)
  }

  feeX10(o: Orientation): bigint | null {
    return this.mid(o) === null ? null : feeAtPrice(this.#pool, o)
  }

  valueLocked(o: Orientation): bigint | null {
    return valueLocked(this.#pool, o)
  }

  route(d: Dir): Route {
    return this.mid({ base: d.from, quote: d.to }) === null ? noRoute : routeOf(this.#pool, d)
  }

  market(): StableState {
    return this.#pool
  }

  #change(): void {
    this.version += 1
    this.#answers.clear()
  }

  #known<T>(key: string, answer: () => T): T {
    if (!this.#answers.has(key)) this.#answers.set(key, answer())
    // Each key is of one kind of answer.
    return this.#answers.get(key) as T
  }
}
