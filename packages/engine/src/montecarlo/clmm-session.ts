import type { Orientation } from '../amm/market.ts'
import {
  amountsForLiquidity,
  burnLiquidity,
  collectOwed,
  feeGrowthInside,
  mintLiquidity,
  roundingDown,
  roundingUp,
} from '../amm/v3/liquidity.ts'
import { liquidityForAmounts } from '../amm/v3/liquidity-amounts.ts'
import { clmmMidPrice } from '../amm/v3/market.ts'
import { loadPool, type Pool, snapshotPool } from '../amm/v3/pool.ts'
import type { ClmmState } from '../amm/v3/state.ts'
import { commitSwap, openLimit, type SwapWalk, walkSwap } from '../amm/v3/swap.ts'
import { MAX_SQRT_RATIO, MIN_SQRT_RATIO } from '../amm/v3/tick-math.ts'
import { integerSquareRoot, type Rat } from '../arithmetic/integer.ts'
import { type Depth, poolDepthLadder } from '../depth/depth-ladder.ts'
import { type Holdings, toHoldings } from '../study/arm.ts'
import type {
  MarketSession,
  PlannedSwap,
  PriceView,
  SettledFees,
  TickRange,
} from './market-session.ts'
import { OtherProviders } from './other-providers.ts'

const UNLIMITED_INPUT = (1n << 255n) - 1n
const ALL = (1n << 128n) - 1n
const MILLION = 1_000_000n
/** 2^96, exact as a double. */
const Q96 = 7.922816251426434e28
const NOTHING: Holdings = { base: 0n, quote: 0n }
/**
 * Relative distance above which a float comparison with the band is safe. The float's error is
 * below 10^-14.
 */
const BAND_MARGIN = 1e-9

/** A position of the arm in its pool. */
export interface OwnPosition extends TickRange {
  readonly owner: string
  liquidity: bigint
  growth0X128: bigint
  growth1X128: bigint
}

interface ClmmPlan extends PlannedSwap {
  readonly walk: SwapWalk
}

/** A Uniswap v3 pool under a run. */
export class ClmmSession implements MarketSession {
  readonly orientation: Orientation
  readonly pool: Pool
  readonly #own = new Map<string, OwnPosition>()
  readonly #narrow: number
  readonly #wide: number
  #others: OtherProviders | null = null
  #band: { reference: Rat; low: bigint; high: bigint } | null = null

  constructor(state: ClmmState, orientation: Orientation) {
    // Balances unknown: a run needs no transfer to be refused.
    this.pool = loadPool({ ...state, balance0: null, balance1: null })
    this.orientation = orientation
    const kept = 1 - state.feePips / 1_000_000
    this.#narrow = kept * (1 + BAND_MARGIN)
    this.#wide = (1 - BAND_MARGIN) / kept
  }

  mid(): Rat {
    return clmmMidPrice(this.pool.sqrtPriceX96, this.orientation)
  }

  grid(): { sqrtPriceX96: bigint; tick: number; tickSpacing: number } {
    const { sqrtPriceX96, tick, tickSpacing } = this.pool
    return { sqrtPriceX96, tick, tickSpacing }
  }

  planArbitrage(reference: Rat): ClmmPlan | null {
    const { pool, orientation: o } = this
    // Token1 per token0, the orientation of the root price.
    const raw = o.base === 0 ? reference : { num: reference.den, den: reference.num }
    const root = Number(pool.sqrtPriceX96) / Q96
    const ratio = (root * root) / (Number(raw.num) / Number(raw.den))
    if (ratio > this.#narrow && ratio < this.#wide) return null
    const { low, high } = this.#bandAround(reference, raw)
    const { sqrtPriceX96 } = pool
    const edge = sqrtPriceX96 < low ? low : sqrtPriceX96 > high ? high : null
    if (edge === null) return null
    const walk = walkSwap(pool, {
      zeroForOne: edge < sqrtPriceX96,
      amountSpecified: UNLIMITED_INPUT,
      sqrtPriceLimitX96: clampRoot(edge),
    })
    return walk.amountIn === 0n ? null : this.#plan(walk)
  }

  planInput(buysBase: boolean, amountIn: bigint): ClmmPlan | null {
    if (amountIn <= 0n) return null
    const zeroForOne = buysBase !== (this.orientation.base === 0)
    const walk = walkSwap(this.pool, {
      zeroForOne,
      amountSpecified: amountIn,
      sqrtPriceLimitX96: openLimit(zeroForOne),
    })
    return walk.remaining > 0n ? null : this.#plan(walk)
  }

  after(plan: PlannedSwap): PriceView {
    // Every plan from a v3 session carries its walk.
    const { sqrtPriceX96, tick } = (plan as ClmmPlan).walk
    const pool = { ...this.pool, sqrtPriceX96, tick }
    return {
      mid: () => clmmMidPrice(sqrtPriceX96, this.orientation),
      costOf: (range, liquidity) =>
        this.#byRole(amountsForLiquidity(pool, range, liquidity, roundingUp)),
    }
  }

  carryOut(plan: PlannedSwap): void {
    // Every plan from a v3 session carries its walk.
    commitSwap(this.pool, (plan as ClmmPlan).walk)
  }

  liquidityFor({ tickLower, tickUpper }: TickRange, funds: Holdings): bigint {
    const [a0, a1] = this.#byToken(funds)
    return liquidityForAmounts(this.pool, tickLower, tickUpper, a0, a1)
  }

  costOf(range: TickRange, liquidity: bigint): Holdings {
    return this.#byRole(amountsForLiquidity(this.pool, range, liquidity, roundingUp))
  }

  open(id: string, range: TickRange, liquidity: bigint): Holdings {
    const { tickLower, tickUpper } = range
    const owner = `#${id}`
    const paid = mintLiquidity(this.pool, { owner, tickLower, tickUpper }, liquidity)
    const held = this.#own.get(id)?.liquidity ?? 0n
    const growth = feeGrowthInside(this.pool, range)
    this.#own.set(id, { owner, tickLower, tickUpper, liquidity: held + liquidity, ...growth })
    return this.#byRole(paid)
  }

  close(id: string, liquidity: bigint): Holdings {
    const own = this.#find(id)
    const received = burnLiquidity(this.pool, own, liquidity)
    collectOwed(this.pool, own, { amount0: ALL, amount1: ALL })
    own.liquidity -= liquidity
    if (own.liquidity === 0n) this.#own.delete(id)
    return this.#byRole(received)
  }

  settleFees(id: string): SettledFees {
    const own = this.#find(id)
    burnLiquidity(this.pool, own, 0n)
    const paid = collectOwed(this.pool, own, { amount0: ALL, amount1: ALL })
    Object.assign(own, feeGrowthInside(this.pool, own))
    return { paidOut: this.#byRole(paid), compounded: NOTHING }
  }

  principal(id: string): Holdings {
    const own = this.#find(id)
    return this.#byRole(amountsForLiquidity(this.pool, own, own.liquidity, roundingDown))
  }

  accrued(id: string): Holdings {
    const own = this.#find(id)
    const now = feeGrowthInside(this.pool, own)
    const earned = (growth: bigint, before: bigint) =>
      (BigInt.asUintN(256, growth - before) * own.liquidity) >> 128n
    return this.#byRole({
      amount0: earned(now.growth0X128, own.growth0X128),
      amount1: earned(now.growth1X128, own.growth1X128),
    })
  }

  /** The arm's positions, each with the fee growth at its last settlement. */
  ownPositions(): readonly OwnPosition[] {
    return [...this.#own.values()]
  }

  isInRange(id: string): boolean {
    const { tickLower, tickUpper } = this.#find(id)
    return tickLower <= this.pool.tick && this.pool.tick < tickUpper
  }

  depth(bandsPips: readonly number[]): Depth[] {
    return poolDepthLadder(this.pool, this.orientation, bandsPips)
  }

  exitOthers(sharePips: number): void {
    this.#others ??= new OtherProviders(this.pool, [...this.#own.values()])
    this.#others.exit(sharePips)
  }

  followPrice(): void {
    this.#others ??= new OtherProviders(this.pool, [...this.#own.values()])
    this.#others.follow()
  }

  fork(): ClmmSession {
    const copy = new ClmmSession(snapshotPool(this.pool), this.orientation)
    for (const [id, own] of this.#own) copy.#own.set(id, { ...own })
    return copy
  }

  passTime(seconds: number): void {
    this.pool.blockTimestamp += seconds
  }

  /** Root prices of the edges; remembered, as a step asks twice and arms ask alike. */
  #bandAround(reference: Rat, raw: Rat): { low: bigint; high: bigint } {
    if (this.#band?.reference !== reference) {
      const square = raw.num << 192n
      const kept = this.pool.feeComplement
      const low = integerSquareRoot((square * kept) / (raw.den * MILLION))
      const high = integerSquareRoot((square * MILLION) / (raw.den * kept))
      this.#band = { reference, low, high }
    }
    return this.#band
  }

  #plan(walk: SwapWalk): ClmmPlan {
    const buysBase = walk.zeroForOne !== (this.orientation.base === 0)
    return { buysBase, amountIn: walk.amountIn, amountOut: walk.amountOut, walk }
  }

  #find(id: string): OwnPosition {
    const own = this.#own.get(id)
    if (own === undefined) throw new RangeError(`no position ${id}`)
    return own
  }

  #byRole(amounts: { amount0: bigint; amount1: bigint }): Holdings {
    return toHoldings(this.orientation, amounts)
  }

  #byToken({ base, quote }: Holdings): [bigint, bigint] {
    return this.orientation.base === 0 ? [base, quote] : [quote, base]
  }
}

function clampRoot(root: bigint): bigint {
  if (root <= MIN_SQRT_RATIO) return MIN_SQRT_RATIO + 1n
  return root >= MAX_SQRT_RATIO ? MAX_SQRT_RATIO - 1n : root
}
