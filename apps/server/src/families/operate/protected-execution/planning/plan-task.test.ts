import {
  type ClmmState,
  type CpmmState,
  createClmmPool,
  createCpmmPair,
  mint,
  sqrtRatioAtTick,
  toJsonSafe,
} from '@liquidity-os/engine/amm'
import type { QuoteSource } from '@liquidity-os/engine/execution'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import planExecution, { type PlanTask } from './plan-task.ts'

/** Amounts of every magnitude: an exponent, then the digits. */
const amountUpTo = (digits: number) =>
  fc
    .tuple(fc.integer({ min: 0, max: digits }), fc.integer({ min: 1, max: 9_999 }))
    .map(([zeros, front]) => (BigInt(front) * 10n ** BigInt(zeros)) / 1_000n + 1n)

const pair: fc.Arbitrary<CpmmState> = fc
  .record({ in: amountUpTo(27), out: amountUpTo(27), fee: fc.integer({ min: 0, max: 30 }) })
  .map((drawn) => ({
    ...createCpmmPair({ fee: { numerator: BigInt(drawn.fee), denominator: 1_000n } }),
    reserve0: drawn.in,
    balance0: drawn.in,
    reserve1: drawn.out,
    balance1: drawn.out,
  }))

const pool: fc.Arbitrary<ClmmState> = fc
  .record({
    tick: fc.integer({ min: -200_000, max: 200_000 }),
    feePips: fc.constantFrom(100, 500, 3_000, 10_000),
    widths: fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 0, maxLength: 3 }),
    liquidity: amountUpTo(24),
  })
  .map(({ tick, feePips, widths, liquidity }) => {
    const tickSpacing = 60
    const observation = {
      blockTimestamp: 0,
      tickCumulative: 0n,
      secondsPerLiquidityCumulativeX128: 0n,
      initialized: true,
    }
    const opened: ClmmState = {
      ...createClmmPool({ feePips, tickSpacing }),
      sqrtPriceX96: sqrtRatioAtTick(tick),
      tick,
      observations: [observation],
      observationCardinality: 1,
      observationCardinalityNext: 1,
    }
    const middle = Math.floor(tick / tickSpacing) * tickSpacing
    return widths.reduce(
      (state, width, index) =>
        mint(
          state,
          {
            owner: `owner ${index}`,
            tickLower: middle - width * tickSpacing,
            tickUpper: middle + width * tickSpacing,
          },
          liquidity,
        ).state,
      opened,
    )
  })

const quote: fc.Arbitrary<Omit<QuoteSource, 'sourceId'>> = fc
  .record({
    sellAmount: amountUpTo(24),
    buyAmount: amountUpTo(24),
    isWhole: fc.boolean(),
    isFirm: fc.boolean(),
    maker: fc.constantFrom('one', 'two'),
  })
  .map(({ isWhole, ...drawn }) => ({
    kind: 'QUOTE',
    gasBuy: 0n,
    ...drawn,
    minimumFill: isWhole ? drawn.sellAmount : 1n,
  }))

const task: fc.Arbitrary<PlanTask> = fc
  .record({
    side: fc.constantFrom('BUY', 'SELL'),
    amountKind: fc.constantFrom('EXACT_IN', 'EXACT_OUT'),
    amount: amountUpTo(28),
    pools: fc.array(fc.oneof(pair, pool), { maxLength: 3 }),
    quotes: fc.array(quote, { maxLength: 2 }),
    gasBuy: fc.constantFrom(0n, 10n ** 15n),
    slippagePips: fc.constantFrom(0, 1, 5_000, 50_000, 1_000_000),
  })
  .map(({ pools, quotes, gasBuy, ...rest }) => ({
    ...rest,
    maxInput: 10n ** 30n,
    shares: { maximumLegs: 4, minimumFirmPips: 0, maximumMakerPips: null },
    quotes: quotes.map((one, index) => ({ ...one, sourceId: `quote ${index}` })),
    pools: pools.map((market, index) => ({
      sourceId: `pool ${index}`,
      gasBuy,
      orientation: { base: 0, quote: 1 },
      state: new TextEncoder().encode(JSON.stringify(toJsonSafe(market))),
    })),
  }))

it('plans or refuses orders of every size, from one atom to more than the pools hold', () => {
  let planned = 0
  fc.assert(
    fc.property(task, (request) => {
      const answer = planExecution(request)
      if (answer.refused !== null) return
      planned += 1
      const sum = (member: 'amountIn' | 'amountOut') =>
        answer.legs.reduce((total, leg) => total + leg[member], 0n)
      expect([sum('amountIn'), sum('amountOut')]).toEqual([answer.amountIn, answer.amountOut])
      if (request.amountKind === 'EXACT_IN') expect(answer.amountIn).toBe(request.amount)
      else expect(answer.amountOut >= request.amount).toBe(true)
      for (const { amountIn, amountOut, minimumOut, sandwich } of answer.legs) {
        expect(amountIn > 0n && minimumOut <= amountOut).toBe(true)
        if (sandwich) {
          expect(sandwich.found >= 0n && sandwich.found <= sandwich.bound).toBe(true)
          expect(sandwich.bound <= amountIn).toBe(true)
        }
      }
    }),
    { numRuns: 200, seed: 43 },
  )
  expect(planned).toBeGreaterThan(50)
})
