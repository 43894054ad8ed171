import { expect, test } from 'vitest'
import { createCpmmPair } from '../amm/v2/state.ts'
import { randomStream } from '../random/xoshiro128.ts'
import { routeOf } from '../routing/route.ts'
import { splitExactIn } from './plan-execution.ts'
import type { ExecutionSource } from './source.ts'
import { limitsOf, splitExactOut } from './split-exact-out.ts'

const UNIT = 10n ** 12n
const shares = { maximumLegs: 8, minimumFirmPips: 0, maximumMakerPips: null }

function drawnSources(random: (most: number) => number): ExecutionSource[] {
  const quotes = Array.from({ length: 1 + random(3) }, (_, place): ExecutionSource => {
    const sellAmount = 1n + BigInt(random(20))
    return {
      kind: 'QUOTE',
      sourceId: `q${place}`,
      maker: 'm',
      isFirm: true,
      gasBuy: 0n,
      sellAmount,
      buyAmount: (sellAmount * UNIT * (900n + BigInt(random(200)))) / 1_000n,
      minimumFill: 1n + BigInt(random(Number(sellAmount))),
    }
  })
  const reserve = 50n + BigInt(random(300))
  const reserves = { reserve0: reserve, reserve1: reserve * UNIT }
  const pair = { ...createCpmmPair({}), ...reserves, balance0: reserve, balance1: reserve * UNIT }
  const route = routeOf(pair, { from: 0, to: 1 })
  return random(4) === 0 ? quotes : [...quotes, { kind: 'POOL', sourceId: 'v', gasBuy: 0n, route }]
}

test('finds the smallest input that pays an output, of a hundred small markets', () => {
  const stream = randomStream(11)
  let paid = 0
  let short = 0
  for (let market = 0; market < 100; market += 1) {
    const sources = drawnSources((most) => stream.below(most))
    const output = (1n + BigInt(stream.below(300))) * (UNIT / 10n)
    const most = 40n
    let smallest: bigint | null = null
    for (let amount = 1n; amount <= most && smallest === null; amount += 1n) {
      const split = splitExactIn(sources, amount, limitsOf(shares, amount))
      if (!('unfillable' in split) && split.amountOut >= output) smallest = amount
    }
    const found = splitExactOut(sources, output, shares, most)
    if ('largestOutput' in found) {
      short += 1
      expect({ market, smallest }).toEqual({ market, smallest: null })
      expect(found.largestOutput < output).toBe(true)
      continue
    }
    paid += 1
    expect({ market, amountIn: found.amountIn }).toEqual({ market, amountIn: smallest })
    expect(found.amountOut >= output).toBe(true)
  }
  expect(Math.min(paid, short)).toBeGreaterThan(5)
})

test('shares are rounded against the order, and an output of nothing is refused', () => {
  const limits = limitsOf({ ...shares, minimumFirmPips: 1, maximumMakerPips: 333_333 }, 1_000n)
  expect([limits.minimumFirm, limits.maximumMaker]).toEqual([1n, 333n])
  expect(() => splitExactOut([], 0n, shares, 1n)).toThrow(RangeError)
})
