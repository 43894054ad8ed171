import { expect, test } from 'vitest'
import { pathStream } from '../random/streams.ts'
import type { TapeTrade } from './flow-integrity.ts'
import { diagnoseMarket, type PricePoint } from './market-diagnostics.ts'

const unit = 1e18
const stream = pathStream(new Uint8Array(32), 0, 'price', false)

/** A week of five-minute prices that buying of one whole token raises by 2·10^-5, beside noise of 0.1 %. */
function week(): { grid: PricePoint[]; trades: TapeTrade[] } {
  const grid: PricePoint[] = [{ at: 0, mid: 100, virtualQuote: 1e24 }]
  const trades: TapeTrade[] = []
  for (let step = 1; step <= 2016; step++) {
    const before = grid.at(-1)!.mid!
    const flow = 100 * stream.normal()
    const mid = before * (1 + 2e-5 * flow + 1e-3 * stream.normal())
    const volumeQuote = BigInt(Math.round(Math.abs(flow) * 1e6)) * 10n ** 12n
    const size = BigInt(Math.round((Math.abs(flow) / before) * 1e6)) * 10n ** 12n
    trades.push({
      venueId: 'v',
      at: step * 300 - 150,
      block: step,
      position: 0,
      base: flow > 0 ? size : -size,
      volumeQuote,
      origin: 'a',
      sender: 'a',
      recipient: 'a',
    })
    grid.push({ at: step * 300, mid, virtualQuote: 1e24 })
  }
  return { grid, trades }
}

test('finds the impact, volatility and turnover that a market was made with', () => {
  const { grid, trades } = week()
  const found = diagnoseMarket(grid, trades, { valueLocked: 2e24, quoteUnit: unit })
  expect(Math.abs(found.kyleLambda! / 2e-5 - 1)).toBeLessThan(0.05)
  // 0.1 % of noise and 0.2 % of flow in five minutes: √(5·10^-6 · 105,120) a year.
  expect(Math.abs(found.annualVolatility! / Math.sqrt(5e-6 * 105_120) - 1)).toBeLessThan(0.05)
  const volume = trades.reduce((sum, { volumeQuote }) => sum + Number(volumeQuote), 0)
  expect(found.turnover).toBeCloseTo(volume / 7 / 2e24, 12)
  // Σr²·L√p/4 over the volume.
  expect(Math.abs(found.lvrPerVolume! / ((2016 * 5e-6 * 1e24) / 4 / volume) - 1)).toBeLessThan(0.05)
  expect(found.amihud).toBeGreaterThan(0)
  // Traders pay the price before their own impact, which is then still there.
  expect(found.markout300).toBeGreaterThan(0)
})

test('says nothing of what it cannot know', () => {
  const { grid, trades } = week()
  const short = diagnoseMarket(grid.slice(0, 5), trades.slice(0, 4), {
    valueLocked: null,
    quoteUnit: unit,
  })
  expect(short).toMatchObject({
    kyleLambda: null,
    amihud: null,
    rollSpread: null,
    annualVolatility: null,
    turnover: null,
    lvrPerVolume: null,
  })
  const hourly = grid.filter((_, index) => index % 12 === 0)
  const terms = { valueLocked: null, quoteUnit: unit }
  expect(diagnoseMarket(hourly, trades, terms).markout300).toBeNull()
  expect(diagnoseMarket([], [], terms).markout300).toBeNull()
})

test('a day whose close was not observed counts for nothing', () => {
  const { grid, trades } = week()
  const terms = { valueLocked: null, quoteUnit: unit }
  const blind = (day: number) =>
    grid.map((point) => (point.at === day * 86_400 ? { ...point, mid: null } : point))
  const ratios = [1, 2, 3, 4, 5, 6, 7].map((day) => {
    const [before, close] = [grid[(day - 1) * 288]!.mid!, grid[day * 288]!.mid!]
    const volume = trades
      .filter(({ at }) => Math.floor(at / 86_400) === day - 1)
      .reduce((sum, { volumeQuote }) => sum + Number(volumeQuote) / unit, 0)
    return Math.abs(close / before - 1) / volume
  })
  const meanWithout = (...days: number[]) => {
    const left = ratios.filter((_, place) => !days.includes(place + 1))
    return left.reduce((sum, ratio) => sum + ratio, 0) / left.length
  }
  expect(diagnoseMarket(grid, trades, terms).amihud).toBeCloseTo(meanWithout(), 12)
  // The close of the third day is what the fourth begins with.
  expect(diagnoseMarket(blind(3), trades, terms).amihud).toBeCloseTo(meanWithout(3, 4), 12)
  expect(diagnoseMarket(blind(7), trades, terms).amihud).toBeCloseTo(meanWithout(7), 12)
})
