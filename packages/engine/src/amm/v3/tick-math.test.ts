import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readDatasetJson } from '../../../test/datasets.ts'
import { PoolRevertError } from '../pool-revert.ts'
import { referenceTickAtSqrtRatio } from './reference/tick-math.ts'
import {
  MAX_SQRT_RATIO,
  MAX_TICK,
  MIN_SQRT_RATIO,
  MIN_TICK,
  maxLiquidityPerTickFor,
  sqrtRatioAtTick,
  tickAtSqrtRatio,
} from './tick-math.ts'

type Vectors = {
  getSqrtRatioAtTick: { tick: number; sqrtPriceX96: string }[]
  getTickAtSqrtRatio: { sqrtPriceX96: string; tick: number }[]
}
const vectors = readDatasetJson<Vectors>('v3-swap-vectors/tick_math.json')

test('all 28 root prices of the contract are reproduced', () => {
  expect(vectors.getSqrtRatioAtTick).toHaveLength(28)
  for (const { tick, sqrtPriceX96 } of vectors.getSqrtRatioAtTick) {
    expect(sqrtRatioAtTick(tick)).toBe(BigInt(sqrtPriceX96))
  }
})

test('all 13 ticks of the contract are reproduced', () => {
  expect(vectors.getTickAtSqrtRatio).toHaveLength(13)
  for (const { tick, sqrtPriceX96 } of vectors.getTickAtSqrtRatio) {
    expect(tickAtSqrtRatio(BigInt(sqrtPriceX96))).toBe(tick)
  }
})

test('the ends of the range are the published constants', () => {
  expect(sqrtRatioAtTick(MIN_TICK)).toBe(MIN_SQRT_RATIO)
  expect(sqrtRatioAtTick(MAX_TICK)).toBe(MAX_SQRT_RATIO)
  expect(tickAtSqrtRatio(MIN_SQRT_RATIO)).toBe(MIN_TICK)
  expect(tickAtSqrtRatio(MAX_SQRT_RATIO - 1n)).toBe(MAX_TICK - 1)
})

test('prices and ticks outside the range are refused with the reasons of the contract', () => {
  expect(() => sqrtRatioAtTick(MAX_TICK + 1)).toThrow(new PoolRevertError({ reason: 'T' }))
  expect(() => sqrtRatioAtTick(MIN_TICK - 1)).toThrow(new PoolRevertError({ reason: 'T' }))
  expect(() => tickAtSqrtRatio(MIN_SQRT_RATIO - 1n)).toThrow(new PoolRevertError({ reason: 'R' }))
  expect(() => tickAtSqrtRatio(MAX_SQRT_RATIO)).toThrow(new PoolRevertError({ reason: 'R' }))
})

test('the tick of a boundary price and of its neighbours is exact', () => {
  fc.assert(
    fc.property(fc.integer({ min: MIN_TICK + 1, max: MAX_TICK - 1 }), (tick) => {
      const boundary = sqrtRatioAtTick(tick)
      expect(tickAtSqrtRatio(boundary)).toBe(tick)
      expect(tickAtSqrtRatio(boundary - 1n)).toBe(tick - 1)
    }),
    { numRuns: 3000 },
  )
})

test('the float-seeded tick equals the definition for any price', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 32, max: 160 }).chain((bits) => fc.bigInt(1n << 31n, 1n << BigInt(bits))),
      (drawn) => {
        const price = drawn < MIN_SQRT_RATIO ? MIN_SQRT_RATIO : drawn
        fc.pre(price < MAX_SQRT_RATIO)
        expect(tickAtSqrtRatio(price)).toBe(referenceTickAtSqrtRatio(price))
      },
    ),
    { numRuns: 2000 },
  )
})

test('the liquidity limit of a tick is that of the known fee tiers', () => {
  expect(maxLiquidityPerTickFor(10)).toBe(1917569901783203986719870431555990n)
  expect(maxLiquidityPerTickFor(60)).toBe(11505743598341114571880798222544994n)
  expect(maxLiquidityPerTickFor(200)).toBe(38350317471085141830651933667504588n)
})
