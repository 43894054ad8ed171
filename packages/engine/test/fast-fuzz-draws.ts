import { PoolRevertError } from '../src/amm/pool-revert.ts'
import type { ClmmSession } from '../src/amm/v3/fast/session.ts'
import type { Pool } from '../src/amm/v3/pool.ts'
import type { PositionKey } from '../src/amm/v3/state.ts'
import { openLimit, type SwapRequest, walkSwap } from '../src/amm/v3/swap.ts'
import {
  MAX_SQRT_RATIO,
  MAX_TICK,
  MIN_SQRT_RATIO,
  MIN_TICK,
  sqrtRatioAtTick,
} from '../src/amm/v3/tick-math.ts'
import type { RandomStream } from '../src/random/xoshiro128.ts'

/** A sequence in progress: the same pool on both engines, and where its prices and positions lie. */
export interface Scenario {
  readonly random: RandomStream
  readonly pool: Pool
  readonly session: ClmmSession
  readonly minted: { key: PositionKey; liquidity: bigint }[]
  readonly centre: number
  readonly reach: number
  readonly counts: Record<string, number>
}

const UNLIMITED = (1n << 255n) - 1n

/** A swap, mostly a plausible one. */
export function drawSwap(scenario: Scenario): SwapRequest {
  const { random, pool } = scenario
  // Mostly back towards where the liquidity lies.
  const zeroForOne = random.below(5) === 0 ? random.below(2) === 0 : pool.tick > scenario.centre
  const sqrtPriceLimitX96 = random.below(3) === 0 ? drawLimit(scenario) : openLimit(zeroForOne)
  const choice = random.below(40)
  if (choice === 0)
    return {
      zeroForOne,
      amountSpecified: random.below(2) === 0 ? UNLIMITED : -UNLIMITED - 1n,
      sqrtPriceLimitX96,
    }
  if (choice === 1 && random.below(8) === 0)
    return { zeroForOne, amountSpecified: 0n, sqrtPriceLimitX96 }
  if (choice < 8)
    return { zeroForOne, amountSpecified: drawTelling(scenario, zeroForOne), sqrtPriceLimitX96 }
  const size =
    1n + random.bits(1 + random.below(pick(random, [8, 40, 70, 70, 90, 90, 128, 200, 254])))
  return { zeroForOne, amountSpecified: random.below(2) === 0 ? size : -size, sqrtPriceLimitX96 }
}

/** An amount that just reaches, or just misses, a boundary on the way. */
function drawTelling({ random, pool }: Scenario, zeroForOne: boolean): bigint {
  const ticks = pool.ticks
  const place = zeroForOne ? pool.cursor - 1 - random.below(4) : pool.cursor + random.below(4)
  const limit = ticks[place]?.sqrtPriceX96
  const request = { zeroForOne, amountSpecified: UNLIMITED, sqrtPriceLimitX96: limit ?? 0n }
  try {
    const walk = walkSwap(pool, request)
    const near = BigInt(signed(random, 1))
    const amount = (random.below(2) === 0 ? walk.amountIn : -walk.amountOut) + near
    return amount === 0n ? 1n : amount
  } catch (error) {
    if (error instanceof PoolRevertError) return 1n + random.bits(60)
    throw error
  }
}

/** A random root price: on or next to a tick, or on or next to the end of a bitmap word. */
function drawLimit({ random, pool, centre, reach }: Scenario): bigint {
  const choice = random.below(6)
  if (choice === 0)
    return pick(random, [
      0n,
      MIN_SQRT_RATIO,
      MIN_SQRT_RATIO + 1n,
      MAX_SQRT_RATIO - 1n,
      MAX_SQRT_RATIO,
      pool.sqrtPriceX96,
      1n << 170n,
    ])
  if (choice === 1) return pool.sqrtPriceX96 + BigInt(signed(random, 3))
  if (choice === 2) {
    const tick = pool.ticks[random.below(pool.ticks.length || 1)]
    return (tick?.sqrtPriceX96 ?? MIN_SQRT_RATIO) + BigInt(signed(random, 1))
  }
  if (choice === 3) {
    const word = Math.floor(pool.tick / pool.tickSpacing / 256) + signed(random, 2)
    const edge = (word * 256 + (random.below(2) === 0 ? 0 : 255)) * pool.tickSpacing
    return sqrtRatioAtTick(clampTick(edge)) + BigInt(signed(random, 1))
  }
  return clampPrice(sqrtRatioAtTick(clampTick(centre + signed(random, reach))) + random.bits(40))
}

/** Liquidity of a mint, up to and beyond what a tick takes. */
export function drawLiquidity({ random, pool }: Scenario): bigint {
  const choice = random.below(30)
  if (choice === 0) return pool.maxLiquidityPerTick + BigInt(signed(random, 1))
  // Powers of two, and sums of a few, divide evenly. There the reciprocal of the liquidity is too
  // small.
  if (choice < 6) return 1n << BigInt(random.below(pick(random, [40, 80, 120])))
  return random.bits(pick(random, [10, 40, 64, 70, 80, 100, 116, 127, 128]))
}

/** A range near the price, the whole range, or one that cannot be. */
export function drawRange({ random, pool, reach }: Scenario): PositionKey {
  const { tickSpacing } = pool
  const owner = pick(random, ['alice', 'bob'])
  const choice = random.below(40)
  const highest = Math.floor(MAX_TICK / tickSpacing) * tickSpacing
  if (choice < 3) return { owner, tickLower: -highest, tickUpper: highest }
  if (choice === 3)
    return { owner, tickLower: signed(random, 900_000), tickUpper: signed(random, 900_000) }
  const middle = pool.tick + signed(random, reach)
  const width = 1 + random.below(pick(random, [1, 3, 30, 500]))
  const tickLower = Math.max(align(middle, tickSpacing), -highest)
  return { owner, tickLower, tickUpper: Math.min(tickLower + width * tickSpacing, highest) }
}

export function pick<T>(random: RandomStream, from: readonly T[]): T {
  return from[random.below(from.length)] as T
}

/** A whole number from −bound to bound. */
export function signed(random: RandomStream, bound: number): number {
  return random.below(2 * bound + 1) - bound
}

/** The multiple of the spacing at or below a tick. */
export function align(tick: number, spacing: number): number {
  return Math.floor(tick / spacing) * spacing || 0
}

function clampTick(tick: number): number {
  return Math.max(MIN_TICK, Math.min(MAX_TICK, tick))
}

export function clampPrice(price: bigint): bigint {
  if (price < MIN_SQRT_RATIO) return MIN_SQRT_RATIO
  return price >= MAX_SQRT_RATIO ? MAX_SQRT_RATIO - 1n : price
}
