import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyOperation } from '../../parity/apply-operation.ts'
import type { UniswapV3Operation } from '../../parity/operations.ts'
import { observeOracle, readCumulativesInside } from './oracle-reading.ts'
import { type ClmmState, createClmmPool } from './state.ts'
import { openLimit } from './swap.ts'

const range = { owner: 'me', tickLower: -6000, tickUpper: 6000 }

test('the oracle equals the sum of every second’s tick, within its memory and across the clock’s wrap', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(1_700_000_000, 2 ** 32 - 2000),
      fc.integer({ min: 1, max: 40 }),
      fc.array(
        fc.record({
          pause: fc.integer({ min: 0, max: 200 }),
          zeroForOne: fc.boolean(),
          amount: fc.bigInt(1n, 10n ** 19n),
        }),
        { minLength: 1, maxLength: 30 },
      ),
      fc.array(fc.integer({ min: 0, max: 5000 }), { minLength: 1, maxLength: 8 }),
      (start, memory, trades, secondsAgos) => {
        let state = openPool(start, memory)
        // The tick that held during each second since the start.
        const ticks: number[] = []
        for (const { pause, zeroForOne, amount } of trades) {
          for (let second = 0; second < pause; second++) ticks.push(state.tick)
          const timestamp = state.blockTimestamp + pause
          state = trade(state, timestamp, zeroForOne, amount)
        }
        const total = ticks.reduce((sum, tick) => sum + tick, 0)
        for (const ago of secondsAgos) {
          const outcome = tryObserve(state, ago)
          if (outcome === 'OLD') continue
          const recent = ticks.slice(ticks.length - ago).reduce((sum, tick) => sum + tick, 0)
          expect(outcome).toBe(BigInt(ago === 0 ? total : total - recent))
        }
        // What just happened is always remembered.
        expect(tryObserve(state, 0)).toBe(BigInt(total))
      },
    ),
    { numRuns: 150 },
  )
})

test('a moment before the oldest observation is refused', () => {
  const state = openPool(1000, 1)
  expect(tryObserve({ ...state, blockTimestamp: 1010 }, 10)).toBe(0n)
  expect(tryObserve({ ...state, blockTimestamp: 1010 }, 11)).toBe('OLD')
})

test('the buffer grows only when its last slot was just used', () => {
  let state = openPool(1000, 3)
  expect([state.observationCardinality, state.observationCardinalityNext]).toEqual([1, 3])
  state = trade(state, 1010, true, 10n ** 19n)
  expect([state.observationIndex, state.observationCardinality]).toEqual([1, 3])
  expect(state.observations.map((slot) => slot.initialized)).toEqual([true, true, false])
})

test('a range accumulates seconds and ticks only while the price is inside', () => {
  let state = openPool(1000, 10)
  const before = readCumulativesInside(state, range.tickLower, range.tickUpper)
  state = trade(state, 1040, true, 10n ** 19n)
  const inside = readCumulativesInside(state, range.tickLower, range.tickUpper)
  expect(inside.secondsInside - before.secondsInside).toBe(40)
  // The whole liquidity is used up, so the price leaves the range and the rest of the time does not count.
  state = trade(state, 1050, true, 10n ** 30n)
  const left = { ...state, blockTimestamp: 9000 }
  expect(readCumulativesInside(left, range.tickLower, range.tickUpper).secondsInside).toBe(50)
  expect(() => readCumulativesInside(state, -60, 60)).toThrow('reverts without a reason')
  expect(() => readCumulativesInside(state, 60, -60)).toThrow('TLU')
})

function openPool(timestamp: number, memory: number): ClmmState {
  const operations: UniswapV3Operation[] = [
    { kind: 'v3.initialize', timestamp, sqrtPriceX96: 1n << 96n },
    {
      kind: 'v3.increaseObservationCardinalityNext',
      timestamp,
      observationCardinalityNext: memory,
    },
    { kind: 'v3.mint', timestamp, ...range, liquidity: 10n ** 20n },
  ]
  const empty = createClmmPool({ feePips: 3000, tickSpacing: 60 })
  return operations.reduce((state, operation) => applyOperation(state, operation).state, empty)
}

function trade(state: ClmmState, timestamp: number, zeroForOne: boolean, amountSpecified: bigint) {
  const sqrtPriceLimitX96 = openLimit(zeroForOne)
  const swap = {
    kind: 'v3.swap',
    timestamp,
    zeroForOne,
    amountSpecified,
    sqrtPriceLimitX96,
  } as const
  return applyOperation(state, swap).state
}

function tryObserve(state: ClmmState, ago: number): bigint | string {
  try {
    return observeOracle(state, [ago])[0]!.tickCumulative
  } catch (error) {
    return (error as { reason: string }).reason
  }
}
