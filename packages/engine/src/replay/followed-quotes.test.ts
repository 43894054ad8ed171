import { describe, expect, it } from 'vitest'
import type { Orientation } from '../amm/market.ts'
import { createClmmPool } from '../amm/v3/state.ts'
import { MAX_TICK, sqrtRatioAtTick, tickAtSqrtRatio } from '../amm/v3/tick-math.ts'
import { depthLadder } from '../depth/depth-ladder.ts'
import { slippageTable } from '../depth/slippage-table.ts'
import { type RandomStream, randomStream } from '../random/xoshiro128.ts'
import { routeOf } from '../routing/route.ts'
import type { MarketEvent } from './events.ts'
import { followMarket, type MarketFollower } from './market-follower.ts'

const orientations: Orientation[] = [
  { base: 0, quote: 1 },
  { base: 1, quote: 0 },
]
const bands = [1, 20_000, 700_000, 1_000_000]
const sizes = [1n, 10n ** 12n, 10n ** 18n, 10n ** 24n, 1n << 255n, 1n << 260n]
const spacing = 60
const place = { block: 1, timestamp: 1, logIndex: 0, line: null }
const fields = { ...place, amount0: 0n, amount1: 0n }

/** What the readable engine says of the market as it is now. */
function expectReadable(follower: MarketFollower): void {
  const market = follower.market()
  for (const o of orientations) {
    expect(follower.depth(o, bands)).toEqual(depthLadder(market, o, bands))
    expect(follower.slippage(o, sizes)).toEqual(slippageTable(market, o, sizes))
    const direction = { from: o.base, to: o.quote }
    const [own, readable] = [follower.route(direction), routeOf(market, direction)]
    const rate = { num: readable.best.num * 9n, den: readable.best.den * 10n }
    const answersOf = (route: typeof own) => [
      route.best,
      ...sizes.map((size) => [route.inputAt(rate, size), route.swap(size)]),
    ]
    expect(answersOf(own)).toEqual(answersOf(readable))
  }
}

function swapTo(sqrtPriceX96: bigint, tick: number, liquidity: bigint): MarketEvent {
  return { ...fields, type: 'Swap', sqrtPriceX96, tick, liquidity }
}

function change(type: 'Mint' | 'Burn', tickLower: number, tickUpper: number, liquidity: bigint) {
  return { ...fields, type, owner: 'a', tickLower, tickUpper, liquidity } satisfies MarketEvent
}

/** A pool of one range over everything, opened at a price of one. */
function openedPool(): MarketFollower {
  const follower = followMarket(createClmmPool({ feePips: 3000, tickSpacing: spacing }))
  follower.apply({ ...place, type: 'Initialize', sqrtPriceX96: 1n << 96n })
  const edge = Math.floor(MAX_TICK / spacing) * spacing
  follower.apply(change('Mint', -edge, edge, 10n ** 18n))
  return follower
}

/** A position that came or goes, a price anywhere in its tick or at the end of it, or another fee. */
function drawEvent(random: RandomStream, ranges: [number, number, bigint][], base: bigint) {
  const kind = random.below(8)
  if (kind < 2) {
    const lower = (random.below(200) - 100) * spacing
    const range: [number, number, bigint] = [
      lower,
      lower + (1 + random.below(40)) * spacing,
      10n ** BigInt(6 + random.below(16)),
    ]
    ranges.push(range)
    return change('Mint', ...range)
  }
  if (kind < 4 && ranges.length > 0) {
    return change('Burn', ...ranges.splice(random.below(ranges.length), 1)[0]!)
  }
  if (kind === 4) return { ...place, type: 'FeeChange' as const, feePips: random.below(10_000) }
  const tick = random.below(14_000) - 7000
  const [low, high] = [sqrtRatioAtTick(tick), sqrtRatioAtTick(tick + 1)]
  const sqrtPriceX96 = low + ((high - low) * BigInt(random.below(101))) / 100n
  const inRange = ranges.reduce(
    (sum, [lower, upper, liquidity]) => (lower <= tick && tick < upper ? sum + liquidity : sum),
    base,
  )
  return swapTo(sqrtPriceX96, tick, inRange)
}

describe('quotes of a followed pool', () => {
  it.each([1, 2, 3, 4, 5, 6])('are those of the readable engine, sequence %i', (seed) => {
    const random = randomStream(seed)
    const follower = openedPool()
    const ranges: [number, number, bigint][] = []
    for (let step = 0; step < 150; step += 1) {
      follower.apply(drawEvent(random, ranges, 10n ** 18n))
      // Several changes may lie between two quotes.
      if (random.below(3) > 0) expectReadable(follower)
    }
  })

  it('are left to the readable engine where the price does not match the tick', () => {
    const follower = openedPool()
    expectReadable(follower)
    const price = sqrtRatioAtTick(130)
    for (const tick of [tickAtSqrtRatio(price) + 2, tickAtSqrtRatio(price) - 3, 130]) {
      follower.apply(swapTo(price, tick, 10n ** 18n))
      expectReadable(follower)
    }
  })

  it.each([
    ['beyond both ticks', -1200, 1200, 10n ** 11n],
    ['beyond one tick', -600, 1200, 10n ** 9n],
    ['of more than its ticks have', -600, 600, 10n ** 11n],
  ])('do not depend on whether one was asked before a burn %s', (_, lower, upper, liquidity) => {
    const [asked, unasked] = [openedPool(), openedPool()]
    for (const follower of [asked, unasked]) follower.apply(change('Mint', -600, 600, 10n ** 10n))
    expectReadable(asked)
    for (const follower of [asked, unasked]) {
      follower.apply(change('Burn', lower, upper, liquidity))
      expectReadable(follower)
    }
  })

  it('know burns of what the start does not list, and mints beyond what a tick may hold', () => {
    const follower = openedPool()
    expectReadable(follower)
    const edge = Math.floor(MAX_TICK / spacing) * spacing
    follower.apply(change('Burn', -edge, edge, 10n ** 17n))
    expectReadable(follower)
    follower.apply(change('Mint', 600, 1200, 1n << 120n))
    expectReadable(follower)
    follower.apply(swapTo(sqrtRatioAtTick(900), 900, (1n << 120n) + 9n * 10n ** 17n))
    expectReadable(follower)
  })
})
