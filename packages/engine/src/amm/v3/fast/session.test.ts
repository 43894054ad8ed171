// @module-tag long

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runFuzz } from '../../../../test/fast-fuzz.ts'
import { PoolRevertError } from '../../pool-revert.ts'
import { initializePool } from '../administration.ts'
import { mintLiquidity } from '../liquidity.ts'
import { loadPool, snapshotPool } from '../pool.ts'
import { type ClmmState, createClmmPool } from '../state.ts'
import { commitSwap, openLimit, walkSwap } from '../swap.ts'
import { sqrtRatioAtTick } from '../tick-math.ts'
import { quoteBatch, swapBatch } from './batch.ts'
import { openClmmSession } from './session.ts'

/** Sequences that once showed a difference; a new one is added with what it was. */
const corpus: { seed: number; steps: number; why: string }[] = JSON.parse(
  readFileSync(new URL('../../../../test/vectors/fast-fuzz-corpus.json', import.meta.url), 'utf8'),
)

function newState(liquidity = 10n ** 18n): ClmmState {
  const pool = loadPool(createClmmPool({ feePips: 3000, tickSpacing: 60, blockTimestamp: 100 }))
  initializePool(pool, sqrtRatioAtTick(17))
  const range = { owner: 'alice', tickLower: -600, tickUpper: 600 }
  mintLiquidity(pool, range, liquidity)
  mintLiquidity(pool, { ...range, tickLower: 0, tickUpper: 60 }, liquidity)
  return snapshotPool(pool)
}

const swapOf = (amountSpecified: bigint, zeroForOne = true) => ({
  zeroForOne,
  amountSpecified,
  sqrtPriceLimitX96: openLimit(zeroForOne),
})

test.each(corpus)('sequence $seed, kept because of $why, runs the same on both engines', (spec) => {
  expect(runFuzz(spec).difference).toBeNull()
})

test('60,000 random operations give the same outcomes and the same state on both engines', () => {
  const counts: Record<string, number> = {}
  for (let seed = 1000; seed < 1120; seed++) {
    const { difference, counts: some } = runFuzz({ seed, steps: 500 })
    expect(difference).toBeNull()
    for (const [name, count] of Object.entries(some)) counts[name] = (counts[name] ?? 0) + count
  }
  // A fuzzer that stops reaching a kind of operation proves nothing about it.
  const reached = ['exact input', 'exact output', 'quote', 'mint', 'burn', 'collect', 'flash']
  for (const name of [...reached, 'fee', 'protocol share', 'cardinality', 'mint reverted']) {
    expect(counts[name], name).toBeGreaterThan(0)
  }
})

test('a batch is the same swaps one after the other, and one that reverts changes nothing', () => {
  const requests = [
    swapOf(10n ** 15n),
    swapOf(0n),
    { ...swapOf(10n ** 15n), sqrtPriceLimitX96: 1n << 165n },
    swapOf(-(10n ** 14n), false),
  ]
  const pool = loadPool(newState())
  const session = openClmmSession(newState())
  const outcomes = swapBatch(session, requests)
  for (const index of [0, 3]) {
    const walk = walkSwap(pool, requests[index]!)
    commitSwap(pool, walk)
    expect(outcomes.at(index)).toMatchObject({
      amountIn: walk.amountIn,
      amountOut: walk.amountOut,
      sqrtPriceX96: walk.sqrtPriceX96,
      tick: walk.tick,
    })
    expect(outcomes.amountOut(index)).toBe(walk.amountOut)
  }
  expect(() => outcomes.at(1)).toThrow(new PoolRevertError({ reason: 'AS' }))
  expect(() => outcomes.at(2)).toThrow(new PoolRevertError({ reason: 'SPL' }))
  expect(session.toState()).toEqual(snapshotPool(pool))
})

test('quotes leave the pool as it is', () => {
  const session = openClmmSession(newState())
  const [first, second] = [swapOf(10n ** 16n), swapOf(10n ** 16n, false)]
  const quotes = quoteBatch(session, [first, second, first])
  expect(quotes.at(2)).toEqual(quotes.at(0))
  expect(session.quote(first)).toEqual(quotes.at(0))
  expect(session.toState()).toEqual(newState())
})

test('a step rounded onto a boundary by the last atom of an output is not kept as a whole step', () => {
  const requests = Array.from({ length: 40 }, (_, index) =>
    swapOf(-BigInt(1 + index), index % 2 > 0),
  )
  const pool = loadPool(newState(40n))
  const session = openClmmSession(newState(40n))
  for (const request of requests) {
    commitSwap(pool, walkSwap(pool, request))
    session.swap(request)
  }
  expect(session.toState()).toEqual(snapshotPool(pool))
})

test.each([
  [2 ** 40, 2 ** 41],
  [2 ** 41, 2 ** 40],
  [-(2 ** 41), 2 ** 32 + 60],
  [2 ** 32 - 60, 2 ** 32 + 60],
])(
  'ticks %d and %d, beyond what a contract can be asked for, are refused alike',
  (lower, upper) => {
    const key = { owner: 'bob', tickLower: lower, tickUpper: upper }
    const reasonOf = (run: () => unknown) => {
      try {
        run()
      } catch (error) {
        return error instanceof PoolRevertError ? error.reason : error
      }
      return 'none'
    }
    const session = openClmmSession(newState())
    const wanted = reasonOf(() => mintLiquidity(loadPool(newState()), key, 5n))
    expect(['TLU', 'TLM', 'TUM']).toContain(wanted)
    expect(reasonOf(() => session.mint(key, 5n))).toBe(wanted)
    expect(reasonOf(() => session.burn(key, 5n))).toBe(wanted)
    expect(session.toState()).toEqual(newState())
  },
)

test('a state no contract could be in is refused', () => {
  const state = newState()
  expect(() => openClmmSession({ ...state, tick: 4000 })).toThrow(/price does not match the tick/)
  expect(() => openClmmSession({ ...state, observations: [] })).toThrow(
    /the current observation is missing/,
  )
  expect(() => openClmmSession({ ...state, liquidity: 1n << 128n })).toThrow(/too large/)
  expect(() => openClmmSession({ ...state, ticks: state.ticks.toReversed() })).toThrow(/order/)
})
