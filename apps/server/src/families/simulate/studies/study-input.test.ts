import { expect, it } from 'vitest'
import { remedyOf } from './study-input.ts'

it('names the alternative to a backtest for each kind of venue', () => {
  expect(remedyOf({ kind: 'UNISWAP_V2' })).toBe('; use MONTE_CARLO')
  expect(remedyOf({ kind: 'STABLESWAP' })).toBe('; use MONTE_CARLO with an inline market')
  expect(remedyOf({ kind: 'CLOB_SNAPSHOT' })).toBe(
    '; an order book has no model of its liquidity providers',
  )
})

it('calls no other kind of venue an order book', () => {
  expect(remedyOf({ kind: 'UNISWAP_V4' as 'UNISWAP_V3' })).toBe('')
})
