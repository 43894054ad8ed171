import { layout } from '@liquidity-os/drawing/layout'
import { unreadable } from '@liquidity-os/drawing/testing'
import { describe, expect, it } from 'vitest'
import type { MarketHistory } from '../api/markets.ts'
import { gapsOf, marketCharts } from './market-charts.ts'

const start = Date.parse('2026-01-05T00:00:00Z') / 1000
const atom = 10n ** 18n
const address = (digit: string) => `0x${digit.repeat(40)}`
const asset = (digit: string) => ({
  assetKey: `eip155:1/erc20:${address(digit)}`,
  address: address(digit),
  decimals: 18,
  symbol: null,
})

/** Buckets of an hour; a null price is a bucket without data. */
function historyOf(
  prices: readonly (number | null)[],
  change: Partial<MarketHistory> = {},
): MarketHistory {
  const column = (value: (price: number) => bigint) =>
    prices.map((price) => (price === null ? null : `${value(price)}`))
  const price = column((one) => (BigInt(one) * 10n ** 36n) / 1000n)
  const depth = (share: bigint) => ({
    buy: column(() => (share * atom) / 10n),
    sell: column(() => (share * atom) / 20n),
  })
  return {
    pairKey: `1-${address('1')}-${address('2')}`,
    base: asset('1'),
    quote: asset('2'),
    venues: [],
    from: new Date(start * 1000).toISOString(),
    to: new Date((start + prices.length * 3600) * 1000).toISOString(),
    resolutionSeconds: 3600,
    at: prices.map((_, index) => start + index * 3600),
    price: { open: price, high: price, low: price, close: price },
    depth: { 10000: depth(1n), 20000: depth(2n), 50000: depth(5n), 100000: depth(10n) },
    volumeQuote: column((one) => BigInt(one) * atom),
    feesQuote: column((one) => (BigInt(one) * atom) / 1000n),
    tvlQuote: column(() => 100n * atom),
    trades: prices.map((one) => (one === null ? null : 3)),
    coveredPips: prices.map((one) => (one === null ? 0 : 1_000_000)),
    gaps: [],
    markers: [],
    evidence: { observations: 1, first: null, last: null, root: `0x${'0'.repeat(64)}` },
    ...change,
  } as MarketHistory
}

const token = (symbol: string) => ({ symbol, decimals: 18, address: address('1') })
const tokens = { base: token('ENS'), quote: token('WETH') }
const day = Array.from({ length: 24 }, (_, hour) =>
  hour > 5 && hour < 9 ? null : 980 + ((hour * 7) % 23),
)

describe('the charts of a market', () => {
  it.each([280, 360, 720, 1080])('are readable, %i pixels wide', (width) => {
    const long = { base: token('0x1111…1111'), quote: token('0x2222…2222') }
    const markers = [2, 3, 12].map((hour) => ({
      at: start + hour * 3600,
      kind: 'DEPTH_BELOW_TARGET',
      id: `alert-${hour}`,
      title: 'Depth of ENS/WETH is below the target of a liquidity intent',
    }))
    for (const history of [historyOf(day, { markers }), historyOf([null, null]), historyOf([980])])
      for (const names of [tokens, long])
        for (const { spec } of marketCharts(history, names))
          expect([spec.id, unreadable(layout(spec, width))]).toEqual([spec.id, []])
  })

  it('draw the sell side below zero, and state it as an amount', () => {
    const depth = marketCharts(historyOf([980]), tokens)[1]!
    const column = depth.table.columns.findIndex(({ key }) => key === 'sell20000')
    expect(depth.table.columns[column]).toMatchObject({ label: 'Sell 2 %', unit: 'WETH' })
    expect(depth.table.rows[0]![column]).toBe('0.1')
    expect(depth.spec.table.rows[0]![column]).toBe('-0.1')
    expect(depth.spec.summary).toBe('2 % depth at the end: 0.2 WETH buy, 0.1 WETH sell.')
  })

  it('state prices, observed volume and missing data', () => {
    const [price, , volume] = marketCharts(historyOf([980, null, 990]), tokens)
    expect(price!.spec.summary).toBe('Price from 0.98 to 0.99 WETH per ENS. No alerts opened.')
    expect(price!.table.rows[1]!.slice(1)).toEqual([null, null, null, null])
    expect(volume!.spec.summary).toBe('Observed volume: 1,970 WETH.')
    const empty = marketCharts(historyOf([null]), tokens).map(({ spec }) => spec.summary)
    expect(new Set(empty)).toEqual(new Set(['No observed data in this range.']))
  })
})

describe('gaps', () => {
  const hours = ({ from, to }: { from: string; to: string }) =>
    [from, to].map((time) => (Date.parse(time) / 1000 - start) / 3600)

  it('join buckets without a price, with their reason', () => {
    const pending = { venueId: 'venue_1', code: 'POINTS_PENDING' } as const
    const gaps = gapsOf(
      historyOf([null, 1, null, null, 1], {
        gaps: [{ ...pending, from: start + 2.5 * 3600, to: start + 3 * 3600 }],
      } as Partial<MarketHistory>),
    )
    expect(gaps.map((gap) => [hours(gap), gap.reason])).toEqual([
      [[0, 1], 'not observed'],
      [[2, 4], 'indexed, aggregation pending'],
    ])
  })

  it('leave out the newest minutes, which are not indexed yet', () => {
    const to = (seconds: number) => ({ to: new Date((start + seconds) * 1000).toISOString() })
    expect(gapsOf(historyOf([1, null], to(3600 + 900)))).toEqual([])
    expect(gapsOf(historyOf([1, null], to(3600 + 901))).map(hours)).toEqual([[1, 1 + 901 / 3600]])
  })
})
