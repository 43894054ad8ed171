import {
  createCpmmPair,
  createStablePool,
  exchangeStable,
  marketToJson,
  toJsonSafe,
} from '@liquidity-os/engine/amm'
import type { MarketEvent, MarketFollower } from '@liquidity-os/engine/replay'
import { LargestTrades } from '@liquidity-os/engine/scoring'
import { expect, it } from 'vitest'
import { momentsOf, type VenueHistory } from '../../../market/venue-history.ts'
import { VenueWalk } from './venue-walk.ts'

const ether = 10n ** 18n
const window = { from: 1000, to: 2200 }
const bytes = (text: string) => new TextEncoder().encode(text)
const reserves = (reserve0: bigint, reserve1: bigint) => ({ reserve0, reserve1 })

/** A pair of 100 and 100 that somebody sells 20 to, and that is back where it was some time later. */
function soldAt(at: number, backAt: number): MarketEvent[] {
  const out = (20n * ether * 997n * 100n) / (100n * 1000n + 20n * 997n)
  const place = (second: number, logIndex: number) => ({
    block: second,
    timestamp: second,
    logIndex,
    line: null,
  })
  const sold = { amount0In: 20n * ether, amount1In: 0n, amount0Out: 0n, amount1Out: out }
  const bought = { amount0In: 0n, amount1In: out, amount0Out: 20n * ether, amount1Out: 0n }
  return [
    { ...place(at, 0), type: 'Sync', ...reserves(120n * ether, 100n * ether - out) },
    { ...place(at, 1), type: 'Swap', ...sold },
    { ...place(backAt, 0), type: 'Sync', ...reserves(100n * ether, 100n * ether) },
    { ...place(backAt, 1), type: 'Swap', ...bought },
  ]
}

function walked(
  events: readonly MarketEvent[],
  reference = ether,
  meet: (market: MarketFollower) => void = () => {},
): VenueWalk {
  const market = { ...createCpmmPair({}), ...reserves(100n * ether, 100n * ether) }
  const start = { ...market, balance0: market.reserve0, balance1: market.reserve1 }
  const lines = events.map((event) => `${JSON.stringify(toJsonSafe(event))}\n`)
  const history: VenueHistory = {
    venueId: 'venue_a',
    kind: 'UNISWAP_V2',
    feePips: 3000,
    orientation: { base: 0, quote: 1 },
    stretches: [
      {
        from: 900,
        to: 4000,
        fromBlock: 900,
        toBlock: 4000,
        start: bytes(JSON.stringify(marketToJson(start))),
        events: [bytes(lines.join(''))],
      },
    ],
  }
  const moments = momentsOf(window, 300)
  const walk = new VenueWalk(history, moments, window, new LargestTrades(reference))
  for (const moment of moments) {
    const market = walk.at(moment)
    if (moment === window.from && market !== null) meet(market)
  }
  walk.finish()
  return walk
}

it('counts the trades of the window and no others', () => {
  const timesOf = (...events: MarketEvent[][]) => walked(events.flat()).trades.map(({ at }) => at)
  // A trade at the end belongs to the next window.
  expect(timesOf(soldAt(999, 1000), soldAt(2199, 2200))).toEqual([1000, 2199])
})

it('watches recoveries up to the end of the window and no further', () => {
  expect(walked(soldAt(1900, 2200)).recoveries).toMatchObject([
    { at: 1900, time: 300, ended: true },
  ])
  expect(walked(soldAt(1900, 2201)).recoveries).toMatchObject([
    { at: 1900, time: 300, ended: false },
  ])
})

it('measures a trade of a pair from the reserves before its Sync', () => {
  const halfBack = soldAt(1200, 2000).map((event) =>
    event.type === 'Sync' && event.timestamp === 2000
      ? { ...event, ...reserves(108n * ether, (10_000n * ether) / 108n) }
      : event,
  )
  expect(walked(halfBack).recoveries[0]).toMatchObject({ time: 800, ended: true })
})

it('requests no depth for trades that are not among the largest', () => {
  const small = Array.from({ length: 40 }, (_, index) =>
    soldAt(1001 + 20 * index, 1002 + 20 * index),
  )
  let requestCount = 0
  const counted = walked(small.flat(), ether ** 3n, (market) => {
    const { depth } = market
    market.depth = (...of) => {
      requestCount += 1
      return depth.apply(market, of)
    }
  })
  expect(counted.trades).toHaveLength(80)
  // Twenty are watched, each before, after and where its price is back.
  expect(requestCount).toBeLessThanOrEqual(60)
})

it('takes the fee of a StableSwap pool from the pool, and a new one from its event on', () => {
  const start = {
    ...createStablePool({
      variant: 'A100' as const,
      rates: [ether, ether],
      amplification: 200n,
      feeX10: 4_000_000n,
    }),
    balances: [1_000_000n * ether, 1_000_000n * ether],
  }
  const place = (second: number) => ({ block: second, timestamp: second, logIndex: 0, line: null })
  const d = { from: 0, to: 1 }
  const tokensSold = 300_000n * ether
  const deviation = (feeX10: bigint) => {
    const unchanged = { adminFeeX10: null, offpegFeeMultiplierX10: null }
    // The exchange comes first, so that the price is the same whatever the fee becomes.
    const tokensBought = exchangeStable(start, d, tokensSold).amountOut
    const events: MarketEvent[] = [
      { ...place(2000), type: 'TokenExchange', soldId: 0, boughtId: 1, tokensSold, tokensBought },
      { ...place(2001), type: 'NewFee', feeX10, ...unchanged },
    ]
    const lines = events.map((event) => `${JSON.stringify(toJsonSafe(event))}\n`)
    const history: VenueHistory = {
      venueId: 'venue_a',
      kind: 'STABLESWAP',
      feePips: 0,
      orientation: { base: 0, quote: 1 },
      stretches: [
        {
          from: 900,
          to: 4000,
          fromBlock: 900,
          toBlock: 4000,
          start: bytes(JSON.stringify(marketToJson(start))),
          events: [bytes(lines.join(''))],
        },
      ],
    }
    const walk = new VenueWalk(history, [1000, 2200], window, new LargestTrades(ether))
    walk.at(1000)
    return walk.ownDeviationPips(walk.at(2200)!)!
  }
  expect(deviation(4_000_000n)).toBeGreaterThan(1000)
  expect(deviation(4_000_000n) - deviation(8_000_000n)).toBe(400)
})
