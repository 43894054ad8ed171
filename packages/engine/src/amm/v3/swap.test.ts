import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readDatasetJson } from '../../../test/datasets.ts'
import { PoolRevertError } from '../pool-revert.ts'
import { initializePool } from './administration.ts'
import { mintLiquidity } from './liquidity.ts'
import { loadPool, type Pool, snapshotPool } from './pool.ts'
import { referenceSwap } from './reference/swap.ts'
import { createClmmPool } from './state.ts'
import { commitSwap, openLimit, type SwapRequest, walkSwap } from './swap.ts'
import { MAX_TICK, sqrtRatioAtTick } from './tick-math.ts'

type VectorPool = {
  name: string
  fee: number
  tickSpacing: number
  sqrtPriceX96: string
  positions: { tickLower: number; tickUpper: number; liquidity: string }[]
  swaps: {
    name: string
    zeroForOne: boolean
    amountSpecified: string
    sqrtPriceLimitX96: string
    expect: { revert: string } | Record<string, string | number>
  }[]
}

const vectorPools = readDatasetJson<VectorPool[]>('v3-swap-vectors/pool_swaps.json')

for (const vector of vectorPools) {
  test(`the contract’s swaps on a pool of ${vector.name} are reproduced`, () => {
    const state = snapshotPool(buildPool(vector))
    for (const swap of vector.swaps) {
      const pool = loadPool(state)
      const request = {
        zeroForOne: swap.zeroForOne,
        amountSpecified: BigInt(swap.amountSpecified),
        sqrtPriceLimitX96: BigInt(swap.sqrtPriceLimitX96),
      }
      if ('revert' in swap.expect) {
        expect(() => walkSwap(pool, request)).toThrow(new PoolRevertError({ reason: 'SPL' }))
        continue
      }
      expect(observe(pool, request)).toEqual(swap.expect)
    }
  })
}

test('all 176 recorded swaps are covered, 38 of them refusals', () => {
  const swaps = vectorPools.flatMap((vector) => vector.swaps)
  expect(swaps).toHaveLength(176)
  expect(swaps.filter((swap) => 'revert' in swap.expect)).toHaveLength(38)
})

test('the fast path equals the reference path on random pools and swaps', () => {
  fc.assert(
    fc.property(arbitraryPool(), fc.array(arbitrarySwap(), { maxLength: 6 }), (terms, swaps) => {
      const pool = buildRandomPool(terms)
      for (const drawn of swaps) {
        const request = bindSwap(pool, terms.tickSpacing, drawn)
        const wanted = referenceResult(pool, request)
        expect(fastResult(pool, request)).toEqual(wanted)
      }
    }),
    { numRuns: 250 },
  )
})

test('a swap that stops exactly on a word edge outside all liquidity leaves the tick of the contract', () => {
  for (const spacing of [1, 10, 60, 200]) {
    for (const zeroForOne of [true, false]) {
      const state = snapshotPool(
        buildPool({
          fee: 3000,
          tickSpacing: spacing,
          sqrtPriceX96: `${1n << 96n}`,
          positions: [{ tickLower: -spacing, tickUpper: spacing, liquidity: '1000000' }],
        }),
      )
      for (const word of [1, 2, 3]) {
        const edge = zeroForOne ? -word * 256 * spacing : (word * 256 - 1) * spacing
        const pool = loadPool(state)
        const request = {
          zeroForOne,
          amountSpecified: 10n ** 30n,
          sqrtPriceLimitX96: sqrtRatioAtTick(edge),
        }
        expect(fastResult(pool, request)).toEqual(referenceResult(loadPool(state), request))
        expect(pool.tick).toBe(zeroForOne ? edge - 1 : edge)
      }
    }
  }
})

function buildPool(terms: Pick<VectorPool, 'fee' | 'tickSpacing' | 'sqrtPriceX96' | 'positions'>) {
  const pool = loadPool(createClmmPool({ feePips: terms.fee, tickSpacing: terms.tickSpacing }))
  initializePool(pool, BigInt(terms.sqrtPriceX96))
  for (const { tickLower, tickUpper, liquidity } of terms.positions) {
    mintLiquidity(pool, { owner: 'minter', tickLower, tickUpper }, BigInt(liquidity))
  }
  return pool
}

function observe(pool: Pool, request: SwapRequest) {
  const before = { balance0: pool.balance0, balance1: pool.balance1, tick: pool.tick }
  const walk = walkSwap(pool, request)
  commitSwap(pool, walk)
  const amountIn = `${walk.amountIn}`
  const amountOut = `${-walk.amountOut}`
  return {
    poolBalance0Before: `${before.balance0}`,
    poolBalance1Before: `${before.balance1}`,
    amount0: request.zeroForOne ? amountIn : amountOut,
    amount1: request.zeroForOne ? amountOut : amountIn,
    tickBefore: before.tick,
    tickAfter: pool.tick,
    feeGrowthGlobal0X128: `${pool.feeGrowthGlobal0X128}`,
    feeGrowthGlobal1X128: `${pool.feeGrowthGlobal1X128}`,
  }
}

type PoolTerms = {
  feePips: number
  tickSpacing: number
  startTick: number
  share: number
  ranges: { offset: number; width: number; bits: number }[]
}
type DrawnSwap = {
  zeroForOne: boolean
  bits: number
  negative: boolean
  limit: number | null
  dust: number
}

function arbitraryPool(): fc.Arbitrary<PoolTerms> {
  return fc.record({
    feePips: fc.constantFrom(0, 1, 100, 500, 3000, 10000, 999_999),
    tickSpacing: fc.constantFrom(1, 10, 60, 200),
    startTick: fc.oneof(
      fc.integer({ min: -4000, max: 4000 }),
      fc.integer({ min: -880_000, max: 880_000 }),
    ),
    share: fc.constantFrom(0, 0, 4, 10),
    ranges: fc.array(
      fc.record({
        offset: fc.integer({ min: -600, max: 600 }),
        width: fc.integer({ min: 1, max: 600 }),
        bits: fc.integer({ min: 1, max: 107 }),
      }),
      { minLength: 1, maxLength: 8 },
    ),
  })
}

function arbitrarySwap(): fc.Arbitrary<DrawnSwap> {
  return fc.record({
    zeroForOne: fc.boolean(),
    bits: fc.integer({ min: 0, max: 128 }),
    negative: fc.boolean(),
    limit: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 1500 })),
    dust: fc.constantFrom(0, 0, 1, 12345),
  })
}

function buildRandomPool(terms: PoolTerms): Pool {
  const { tickSpacing, startTick } = terms
  const pool = loadPool(createClmmPool({ feePips: terms.feePips, tickSpacing }))
  initializePool(pool, sqrtRatioAtTick(startTick) + 17n)
  pool.feeProtocol0 = terms.share
  pool.feeProtocol1 = terms.share
  const highest = Math.floor(MAX_TICK / tickSpacing)
  const middle = Math.floor(startTick / tickSpacing)
  for (const { offset, width, bits } of terms.ranges) {
    const lower = Math.max(-highest, Math.min(highest - 1, middle + offset))
    const upper = Math.max(lower + 1, Math.min(highest, lower + width))
    mintLiquidity(
      pool,
      { owner: 'minter', tickLower: lower * tickSpacing, tickUpper: upper * tickSpacing },
      1n << BigInt(bits),
    )
  }
  return pool
}

/** Limits lie on tick prices, and so often on word edges and initialised ticks, or a little off them. */
function bindSwap(pool: Pool, tickSpacing: number, drawn: DrawnSwap): SwapRequest {
  const { zeroForOne, limit } = drawn
  const size = (1n << BigInt(drawn.bits)) + BigInt(drawn.dust)
  const tick =
    (Math.floor(pool.tick / tickSpacing) + (zeroForOne ? -(limit ?? 0) : (limit ?? 0))) *
    tickSpacing
  const bounded = Math.max(-MAX_TICK + 1, Math.min(MAX_TICK - 1, tick))
  return {
    zeroForOne,
    amountSpecified: drawn.negative ? -size : size,
    sqrtPriceLimitX96:
      limit === null ? openLimit(zeroForOne) : sqrtRatioAtTick(bounded) + BigInt(drawn.dust % 2),
  }
}

function referenceResult(pool: Pool, request: SwapRequest) {
  return settle(() => referenceSwap(snapshotPool(pool), request))
}

function fastResult(pool: Pool, request: SwapRequest) {
  return settle(() => {
    const walk = walkSwap(pool, request)
    const protocolFeesBefore = pool.protocolFees0 + pool.protocolFees1
    pool.balance0 = null
    pool.balance1 = null
    commitSwap(pool, walk)
    const { zeroForOne, amountIn, amountOut } = walk
    return {
      amount0: zeroForOne ? amountIn : -amountOut,
      amount1: zeroForOne ? -amountOut : amountIn,
      sqrtPriceX96: pool.sqrtPriceX96,
      tick: pool.tick,
      liquidity: pool.liquidity,
      feeGrowthGlobal0X128: pool.feeGrowthGlobal0X128,
      feeGrowthGlobal1X128: pool.feeGrowthGlobal1X128,
      protocolFee: BigInt.asUintN(
        128,
        pool.protocolFees0 + pool.protocolFees1 - protocolFeesBefore,
      ),
      crossed: walk.crossed.map(({ tick }) => ({
        index: tick.index,
        feeGrowthOutside0X128: tick.feeGrowthOutside0X128,
        feeGrowthOutside1X128: tick.feeGrowthOutside1X128,
      })),
    }
  })
}

function settle<T>(attempt: () => T): T | { reason: string } {
  try {
    return attempt()
  } catch (error) {
    if (error instanceof PoolRevertError) return { reason: error.reason }
    throw error
  }
}
