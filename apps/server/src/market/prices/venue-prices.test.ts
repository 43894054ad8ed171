import {
  createClmmPool,
  createCpmmPair,
  type LoggedMarket,
  marketToJson,
  toJsonSafe,
} from '@liquidity-os/engine/amm'
import { expect, it } from 'vitest'
import { pointsOf } from './venue-prices.ts'

const X36 = 10n ** 36n
const Q96 = 2n ** 96n
const terms = { gridSeconds: 60, errorPips: 500 }
const encode = (text: string) => new TextEncoder().encode(text)

function stretch(start: LoggedMarket, events: readonly object[], to: number) {
  const lines = events.map((event) => `${JSON.stringify(toJsonSafe(event))}\n`).join('')
  return {
    from: 100,
    to,
    fromBlock: 1,
    toBlock: 9,
    events: [encode(lines)],
    start: encode(JSON.stringify(marketToJson(start))),
  }
}

const swapTo = (timestamp: number, sqrtPriceX96: bigint) => ({
  type: 'Swap',
  block: 2,
  logIndex: 0,
  timestamp,
  sqrtPriceX96,
  tick: 0,
  liquidity: 1n,
  amount0: 1n,
  amount1: -1n,
})

it('reports the price of a pool after the last event of a second, and on the grid without trades', () => {
  const pool = { ...createClmmPool({ feePips: 500, tickSpacing: 10 }), sqrtPriceX96: Q96 }
  const events = [swapTo(130, 3n * Q96), swapTo(130, 2n * Q96), swapTo(301, 4n * Q96)]
  const points = pointsOf(stretch(pool, events, 370), { base: 0, quote: 1 }, terms)
  expect(points.map(({ at, priceX36 }) => [at, priceX36 / X36])).toEqual([
    [100, 1n],
    [120, 1n],
    [130, 4n],
    [180, 4n],
    [240, 4n],
    [300, 4n],
    [301, 16n],
    [360, 16n],
    [370, 16n],
  ])
  expect(points.every(({ errorPips }) => errorPips === 500)).toBe(true)
  const turned = pointsOf(stretch(pool, events, 370), { base: 1, quote: 0 }, terms)
  expect(turned.find(({ at }) => at === 130)?.priceX36).toBe(X36 / 4n)
})

it('reports no price of a pool before it is set, and the reserves of a pair', () => {
  const unborn = createClmmPool({ feePips: 500, tickSpacing: 10 })
  const born = [{ ...swapTo(150, Q96), type: 'Initialize' }]
  const points = pointsOf(stretch(unborn, born, 170), { base: 0, quote: 1 }, terms)
  expect(points.map(({ at }) => at)).toEqual([150, 170])

  const reserves = { reserve0: 4n, balance0: 4n, reserve1: 2n, balance1: 2n }
  const pair: LoggedMarket = { ...createCpmmPair({}), ...reserves, totalSupply: 1n }
  const sync = { type: 'Sync', block: 2, logIndex: 0, timestamp: 110, reserve0: 3n, reserve1: 9n }
  const paired = pointsOf(stretch(pair, [sync], 110), { base: 0, quote: 1 }, terms)
  expect(paired.map(({ at, priceX36 }) => [at, priceX36])).toEqual([
    [100, X36 / 2n],
    [110, 3n * X36],
  ])
})
