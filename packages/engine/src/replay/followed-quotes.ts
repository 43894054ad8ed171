import { PoolRevertError } from '../amm/pool-revert.ts'
import { type ClmmSession, openClmmSession } from '../amm/v3/fast/session.ts'
import { findTick, type Pool } from '../amm/v3/pool.ts'
import { createClmmPool } from '../amm/v3/state.ts'
import { quoterOfPool, type SwapQuoter, type SwapRequest, type SwapTotals } from '../amm/v3/swap.ts'
import { sqrtRatioAtTick, tickAtSqrtRatio } from '../amm/v3/tick-math.ts'
import { MAX_UINT128 } from '../arithmetic/integer.ts'
import type { LiquidityEvent } from './events.ts'

/** int256, which the compiled pool takes no more than. */
const MOST_ASKED = (1n << 255n) - 1n

/**
 * Quotes of a v3 pool that follows events, computed in WebAssembly and equal to those of the
 * TypeScript pool. The compiled pool has the ticks, and moves to the current price before each
 * quote. It opens with the first quote, so an unused pool costs no time. The TypeScript pool gives
 * all quotes for states that the compiled pool rejects.
 */
export class FollowedQuotes {
  readonly #pool: Pool
  readonly #readable: SwapQuoter
  #session: ClmmSession | null = null
  #isLost = false
  #isPlaced = false

  constructor(pool: Pool) {
    this.#pool = pool
    this.#readable = quoterOfPool(pool)
  }

  /** Call it after every change of the pool's price, tick or liquidity. */
  move(): void {
    this.#isPlaced = false
  }

  /** Call it after a change of the fee is applied to the pool. */
  changeFee(): void {
    this.#session?.setFee(this.#pool.feePips)
  }

  /** Call it before a mint or burn is applied to the pool. */
  changeLiquidity({ type, tickLower, tickUpper, liquidity }: LiquidityEvent): void {
    const session = this.#session
    if (session === null) return
    // Who owns it changes no quote, and a burn may be of a position that the start does not list.
    const key = { owner: '', tickLower, tickUpper }
    this.#attempt(() => {
      this.#place(session)
      if (type === 'Mint') session.mint(key, liquidity)
      else {
        // The TypeScript pool accepts negative liquidity at unlisted ticks; no contract does.
        for (const index of [tickLower, tickUpper]) {
          const known = findTick(this.#pool, index)?.liquidityGross ?? 0n
          if (known < liquidity)
            throw new RangeError(`the tick ${index} has less liquidity than burned`)
        }
        session.completePosition(key, liquidity)
        session.burn(key, liquidity)
      }
    })
    this.move()
  }

  /** As `quoterOfPool`. */
  readonly quote = (request: SwapRequest): SwapTotals => {
    if (!this.#isLost && !this.#isPlaced) {
      this.#attempt(() => {
        this.#session ??= openClmmSession(quotedState(this.#pool))
        this.#place(this.#session)
      })
    }
    const session = request.amountSpecified <= MOST_ASKED ? this.#session : null
    return session === null ? this.#readable(request) : session.quoteTotals(request)
  }

  #place(session: ClmmSession): void {
    if (this.#isPlaced) return
    const { sqrtPriceX96, tick, liquidity } = this.#pool
    const isAtItsEnd = () => sqrtPriceX96 === sqrtRatioAtTick(tick + 1)
    if (liquidity < 0n || liquidity > MAX_UINT128) throw new RangeError('a liquidity out of range')
    if (tickAtSqrtRatio(sqrtPriceX96) !== tick && !isAtItsEnd()) {
      throw new RangeError('the price does not match the tick')
    }
    session.place(this.#pool)
    this.#isPlaced = true
  }

  #attempt(change: () => void): void {
    try {
      change()
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof PoolRevertError)) throw error
      this.#session = null
      this.#isLost = true
    }
  }
}

/** What quotes depend on, without fee growth, positions and the past of the oracle. */
function quotedState(pool: Pool) {
  const { feePips, tickSpacing, maxLiquidityPerTick, sqrtPriceX96, tick, liquidity } = pool
  const start = {
    blockTimestamp: 0,
    tickCumulative: 0n,
    secondsPerLiquidityCumulativeX128: 0n,
    initialized: true,
  }
  return {
    ...createClmmPool({ feePips, tickSpacing }),
    maxLiquidityPerTick,
    sqrtPriceX96,
    tick,
    liquidity,
    ticks: pool.ticks.map(({ index, liquidityGross, liquidityNet }) => ({
      index,
      liquidityGross,
      liquidityNet,
      feeGrowthOutside0X128: 0n,
      feeGrowthOutside1X128: 0n,
      secondsOutside: 0,
      tickCumulativeOutside: 0n,
      secondsPerLiquidityOutsideX128: 0n,
    })),
    observations: [start],
    observationIndex: 0,
    observationCardinality: 1,
    observationCardinalityNext: 1,
  }
}
