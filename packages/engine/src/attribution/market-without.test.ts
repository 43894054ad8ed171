import { describe, expect, test } from 'vitest'
import { mint, swapExactIn, swapExactOut, swapToPrice } from '../amm/swap.ts'
import { type CpmmState, createCpmmPair } from '../amm/v2/state.ts'
import { type ClmmState, createClmmPool } from '../amm/v3/state.ts'
import type { CpmmEvent, PoolEvent, SwapEvent } from '../replay/events.ts'
import { pairBeforeSwap, poolFromEvents } from './event-state.ts'
import { movePips, reversionOf, shareProRata, squareRootBenchmark } from './impact.ts'
import { marketWithout } from './market-without.ts'

const e18 = 10n ** 18n
const place = (logIndex: number) => ({ block: 1, timestamp: 100, logIndex, line: null })

function pool(): ClmmState {
  const empty = createClmmPool({ feePips: 3000, tickSpacing: 60, blockTimestamp: 50 })
  const started: ClmmState = {
    ...empty,
    sqrtPriceX96: 1n << 96n,
    balance0: null,
    balance1: null,
    observationCardinality: 1,
    observationCardinalityNext: 1,
    observations: [
      {
        blockTimestamp: 50,
        tickCumulative: 0n,
        secondsPerLiquidityCumulativeX128: 0n,
        initialized: true,
      },
    ],
  }
  const wide = { owner: 'o', tickLower: -6000, tickUpper: 6000 }
  return mint(started, wide, 10n ** 22n).state
}

const pair = (): CpmmState => ({
  ...createCpmmPair({}),
  reserve0: 1000n * e18,
  reserve1: 2000n * e18,
  balance0: 1000n * e18,
  balance1: 2000n * e18,
})

/** A v3 swap and the log it leaves. */
function logged(
  state: ClmmState,
  logIndex: number,
  swap: (state: ClmmState) => ReturnType<typeof swapExactIn<ClmmState>>,
  zeroForOne: boolean,
): { state: ClmmState; event: SwapEvent } {
  const { state: after, amountIn, amountOut } = swap(state)
  const { sqrtPriceX96, liquidity, tick } = after
  const amounts = zeroForOne
    ? { amount0: amountIn, amount1: -amountOut }
    : { amount0: -amountOut, amount1: amountIn }
  return {
    state: after,
    event: { ...place(logIndex), type: 'Swap', ...amounts, sqrtPriceX96, liquidity, tick },
  }
}

/** A v2 swap and the two logs it leaves. */
function paired(
  state: CpmmState,
  logIndex: number,
  d: { from: number; to: number },
  output: boolean,
  amount: bigint,
) {
  const swap = output ? swapExactOut(state, d, amount) : swapExactIn(state, d, amount)
  const { reserve0, reserve1 } = swap.state
  const up = d.from === 0
  const events: CpmmEvent[] = [
    { ...place(logIndex), type: 'Sync', reserve0, reserve1 },
    {
      ...place(logIndex + 1),
      type: 'Swap',
      amount0In: up ? swap.amountIn : 0n,
      amount1In: up ? 0n : swap.amountIn,
      amount0Out: up ? 0n : swap.amountOut,
      amount1Out: up ? swap.amountOut : 0n,
    },
  ]
  return { state: swap.state, events }
}

const buy = { from: 1, to: 0 }
/** One atom of input is two of output, so an exact output is told from an exact input. */
const sell = { from: 0, to: 1 }

describe('a market without one swap', () => {
  test('of v3 calls again what came after as it was called', () => {
    const start = pool()
    const earlier = logged(start, 1, (m) => swapExactIn(m, { from: 0, to: 1 }, e18), true)
    const front = logged(earlier.state, 2, (m) => swapExactIn(m, buy, 50n * e18), false)
    const byInput = logged(front.state, 3, (m) => swapExactIn(m, buy, 7n * e18), false)
    const byOutput = logged(byInput.state, 4, (m) => swapExactOut(m, buy, 3n * e18), false)
    const events: PoolEvent[] = [earlier, front, byInput, byOutput].map(({ event }) => event)
    const without = marketWithout(start, events, 1) as ClmmState
    const fair = swapExactOut(swapExactIn(earlier.state, buy, 7n * e18).state, buy, 3n * e18).state
    expect([without.sqrtPriceX96, without.tick, without.liquidity]).toEqual([
      ...[fair.sqrtPriceX96, fair.tick, fair.liquidity],
    ])
    expect(without.sqrtPriceX96 < byOutput.state.sqrtPriceX96).toBe(true)
  })

  test('of v3 keeps deposits and limits of price', () => {
    const start = pool()
    const front = logged(start, 1, (m) => swapExactIn(m, buy, 50n * e18), false)
    const range = { owner: 'p', tickLower: -600, tickUpper: 600 }
    const minted = mint(front.state, range, 10n ** 21n)
    const target = { num: 1_012n, den: 1_000n }
    const limited = logged(
      minted.state,
      3,
      (m) => swapToPrice(m, { base: 0, quote: 1 }, target),
      false,
    )
    const events: PoolEvent[] = [
      front.event,
      {
        ...place(2),
        type: 'Mint' as const,
        ...range,
        liquidity: 10n ** 21n,
        amount0: minted.amount0,
        amount1: minted.amount1,
      },
      limited.event,
    ]
    const without = marketWithout(start, events, 0) as ClmmState
    expect(without.sqrtPriceX96).toBe(limited.state.sqrtPriceX96)
    expect(without.liquidity).toBe(10n ** 22n + 10n ** 21n)
  })

  test('of v2 tells exact input from exact output, and leaves out the Sync with its Swap', () => {
    const start = pair()
    const front = paired(start, 1, sell, false, 100n * e18)
    const byInput = paired(front.state, 3, sell, false, 20n * e18)
    const byOutput = paired(byInput.state, 5, sell, true, 4n * e18)
    const events = [front, byInput, byOutput].flatMap((one) => one.events)
    const without = marketWithout(start, events, 1) as CpmmState
    const fair = swapExactOut(swapExactIn(start, sell, 20n * e18).state, sell, 4n * e18).state
    expect([without.reserve0, without.reserve1]).toEqual([fair.reserve0, fair.reserve1])
  })

  test('is unknown where nobody can say what would have been called', () => {
    const start = pair()
    const front = paired(start, 1, buy, false, 100n * e18)
    const deposit: CpmmEvent = { ...place(4), type: 'Mint', amount0: e18, amount1: 2n * e18 }
    const sync: CpmmEvent = {
      ...place(3),
      type: 'Sync',
      reserve0: front.state.reserve0 + e18,
      reserve1: front.state.reserve1 + 2n * e18,
    }
    expect(marketWithout(start, [...front.events, sync, deposit], 1)).toBeNull()
    expect(marketWithout(start, [...front.events, sync], 1)).toBeNull()
    const poolStart = pool()
    const attack = logged(poolStart, 1, (m) => swapExactIn(m, buy, 50n * e18), false)
    const victim = logged(attack.state, 2, (m) => swapExactIn(m, buy, e18), false)
    const wrong = { ...victim.event, liquidity: 1n }
    expect(marketWithout(poolStart, [attack.event, wrong], 0)).toBeNull()
    // Down to a price above which the market without the attacker never rose: it would have refused.
    const target = { num: 1_005n, den: 1_000n }
    const down = logged(attack.state, 2, (m) => swapToPrice(m, { base: 0, quote: 1 }, target), true)
    expect(marketWithout(poolStart, [attack.event, down.event], 0)).toBeNull()
  })
})

describe('a market from its events', () => {
  test('of v3 swaps like the whole one while it stays in its range', () => {
    const start = pool()
    const first = logged(start, 1, (m) => swapExactIn(m, buy, 5n * e18), false)
    const range = { owner: 'p', tickLower: -60, tickUpper: 600 }
    const minted = mint(first.state, range, 10n ** 21n)
    const known = poolFromEvents({ feePips: 3000, tickSpacing: 60 }, [
      first.event,
      {
        ...place(2),
        type: 'Mint' as const,
        ...range,
        liquidity: 10n ** 21n,
        amount0: minted.amount0,
        amount1: minted.amount1,
      },
    ])!
    const [whole, part] = [minted.state, known].map((m) => swapExactIn(m, buy, 3n * e18))
    expect(part!.amountOut).toBe(whole!.amountOut)
    expect(part!.state.sqrtPriceX96).toBe(whole!.state.sqrtPriceX96)
    expect(poolFromEvents({ feePips: 3000, tickSpacing: 60 }, [])).toBeNull()
  })

  test('of v2 has the reserves that the swap met', () => {
    const start = pair()
    const { events } = paired(start, 1, buy, false, 9n * e18)
    const before = pairBeforeSwap(events[0] as never, events[1] as never)
    expect([before.reserve0, before.reserve1]).toEqual([start.reserve0, start.reserve1])
  })
})

test('the shares of several victims add up to what was taken', () => {
  expect(shareProRata(100n, [1n, 1n, 1n])).toEqual([33n, 33n, 34n])
  expect(shareProRata(-100n, [1n, 2n])).toEqual([-33n, -67n])
  expect(() => shareProRata(1n, [0n])).toThrow(RangeError)
})

test('a move is split into what stayed and what came back', () => {
  const [was, peak, later] = [100n, 110n, 104n].map((num) => ({ num, den: 1n }))
  expect(reversionOf('BUY', was!, peak!, later!)).toEqual({
    permanentPips: 40_000n,
    temporaryPips: 60_000n,
  })
  expect(movePips('SELL', was!, peak!)).toBe(-100_000n)
})

test('the square-root law of a day: σ·√(Q/V)', () => {
  // Sixteen steps of one per cent up and down over a quarter of a day: σ_d = 0.01·√64 = 8 %.
  const prices = Array.from({ length: 17 }, (_, i) => ({
    num: i % 2 === 0 ? 10_000n : 10_100n,
    den: 1n,
  }))
  const law = squareRootBenchmark(prices, 2_500n, 21_600, 100n)!
  expect(law.dailyVolumeBase).toBe(10_000n)
  expect(law.dailyVolatilityPips).toBe(79_603)
  expect(law.expectedPips).toBe(7_960)
  expect(squareRootBenchmark(prices, 0n, 21_600, 100n)).toBeNull()
  expect(() => squareRootBenchmark([], 1n, 1, 1n)).toThrow(RangeError)
})
