import { expect, it } from 'vitest'
import { firstCapital } from './first-capital.ts'

const market = {
  base: { decimals: 18 },
  quote: { decimals: 18 },
  // 0.00364206 WETH for one ENS.
  priceX36: '3642060000000000000000000000000000',
  tvlQuote: '36000000000000000000',
}

it('proposes 1 % of the TVL in the quote token, and equal value in the base token', () => {
  expect(firstCapital(market)).toEqual({ base: '82', quote: '0.3' })
})

it('respects different decimals', () => {
  const usdc = {
    base: { decimals: 18 },
    quote: { decimals: 6 },
    // 2 USDC for one token: 2e6 atoms for 1e18 atoms.
    priceX36: '2000000000000000000000000',
    tvlQuote: '1000000000000',
  }
  expect(firstCapital(usdc)).toEqual({ base: '5,000', quote: '10,000' })
})

it.each([
  { ...market, priceX36: '0' },
  { ...market, tvlQuote: '99' },
])('proposes nothing for a market that holds too little', (tiny) => {
  expect(firstCapital(tiny)).toBeNull()
})
