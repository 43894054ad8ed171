import { expect, it } from 'vitest'
import { readableSummary, withSymbols } from './readable.ts'
import type { ChartSpec } from './spec.ts'

const spec: ChartSpec = {
  id: 'price',
  kind: 'xy',
  title: 'Price',
  summary: '',
  x: { label: 'Time', unit: 'UTC', scale: 'time' },
  y: { label: 'Price', unit: 'quote per base', scale: 'linear' },
  table: { columns: [{ key: 'depth', label: 'Depth', unit: 'quote tokens' }], rows: [] },
  panels: [
    { id: 'sold', title: 'Sold', y: { label: 'Amount', unit: 'base tokens', scale: 'linear' } },
  ],
  series: [],
}

it('names the tokens of the pair in the units of axes, panels and columns', () => {
  const shown = withSymbols(spec, { base: 'ENS', quote: 'WETH' })
  expect([shown.x.unit, shown.y?.unit, shown.table.columns[0]?.unit]).toEqual([
    ...['UTC', 'WETH per ENS', 'WETH'],
  ])
  expect(shown.panels?.[0]?.y?.unit).toBe('ENS')
  expect(withSymbols(spec, { base: null, quote: 'USD' }).y?.unit).toBe('USD per base')
  expect(withSymbols(spec, undefined)).toBe(spec)
})

it('shortens times and long numbers of a sentence, and nothing else', () => {
  const texts = [
    '8 prices, 0.003630482453766540978430961068456158 at 2026-11-30T17:28:11.000Z.',
    '1 observations, 1 prices and 21 gaps; 1.1 months.',
    'From 2000000000000000000000 to -0.049748532479461461.',
    'ENS / WETH 0.30 %: 12.345678 at 0x12345678901234567890, v1.2345678901.x',
  ]
  expect(texts.map(readableSummary)).toEqual([
    '8 prices, 0.00363048 at 2026-11-30 17:28 UTC.',
    '1 observation, 1 price and 21 gaps; 1.1 months.',
    'From 2·10²¹ to −0.0497485.',
    texts[3],
  ])
})
