import { layout } from '@liquidity-os/drawing/layout'
import { unreadable } from '@liquidity-os/drawing/testing'
import { expect, it } from 'vitest'
import type { VenueLiquidity } from '../api/liquidity.ts'
import { liquidityChart } from './liquidity-chart.ts'

const tokens = {
  base: { symbol: 'ENS', decimals: 18, address: `0x${'1'.repeat(40)}` },
  quote: { symbol: 'USDC', decimals: 6, address: `0x${'2'.repeat(40)}` },
}
/** USDC atoms per ENS atom × 10^36. */
const x36 = (dollars: number) => `${(BigInt(dollars * 100) * 10n ** 36n) / 10n ** 14n}`
const dollars = (amount: number) => `${BigInt(amount) * 1_000_000n}`

/** Four bins of two dollars around a price of 20. */
function liquidity(own: string | null): VenueLiquidity {
  return {
    venueId: 'venue_1',
    observation: null,
    block: null,
    priceX36: x36(20),
    state: 'COMPLETED',
    reasons: [],
    withinPips: 200_000,
    bins: [16, 18, 20, 22].map((low, index) => ({
      side: index < 2 ? 'SELL' : 'BUY',
      lowX36: x36(low),
      highX36: x36(low + 2),
      base: '0',
      quote: '0',
      valueQuote: dollars(100 * (index + 1)),
      ownValueQuote: own,
    })),
    providers: [],
  }
}

it('has a flat top for each bin, and the sums of both sides in words', () => {
  const { spec, table } = liquidityChart(liquidity(null), tokens)
  expect(spec.summary).toBe('300 USDC below the price and 700 USDC above it, at the current price.')
  expect(table.rows).toEqual([
    ['16', '18', '100', null],
    ['18', '20', '200', null],
    ['20', '22', null, '300'],
    ['22', '24', null, '400'],
  ])
  expect(spec.table.rows.map(([price]) => price)).toEqual([
    ...['16', '18', '18', '20', '20', '22', '22', '24'],
  ])
  expect(spec.series.map(({ id }) => id)).toEqual(['sell', 'buy'])
  expect(spec.markers).toMatchObject([{ at: '20' }])
})

it('draws the own part if it is known', () => {
  const { spec, table } = liquidityChart(liquidity(dollars(40)), tokens)
  expect(spec.series.map(({ id }) => id)).toEqual(['sell', 'buy', 'own'])
  expect(table.rows[0]).toEqual(['16', '18', '100', null, '40'])
})

it('is readable on a phone and on a desk', () => {
  for (const width of [360, 720, 1080]) {
    for (const own of [null, dollars(40)]) {
      expect(unreadable(layout(liquidityChart(liquidity(own), tokens).spec, width))).toEqual([])
    }
  }
})
