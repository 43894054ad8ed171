import { expect, it } from 'vitest'
import { assetsIn, pairSymbols } from './subject-symbols.ts'

const [base, quote, other] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(40)}`)
const keyOf = (address: string | undefined) => `eip155:10/erc20:${address}`
const named = { base: keyOf(base), quote: keyOf(quote) }
const token = (address: string | undefined, symbol: string) => ({
  assetKey: keyOf(address),
  symbol,
})

it('finds the pair of a record, else the currency of its amounts', () => {
  const pair = { chainId: 10, base, quote, baseDecimals: 18, quoteDecimals: 18 }
  expect(assetsIn({ payload: { request: { pair } } })).toEqual(named)
  expect(assetsIn({ quoteKey: 'iso4217:USD', months: [] })).toEqual({
    base: null,
    quote: 'iso4217:USD',
  })
  expect(assetsIn({ payload: { lines: [1n, new Uint8Array(2), null] } })).toBeNull()
})

it('names the tokens that the venues of the organization know', () => {
  const tokens = [token(base, '1INCH'), token(quote, 'WETH')]
  expect(pairSymbols(named, tokens)).toEqual({ base: '1INCH', quote: 'WETH' })
  expect(pairSymbols(named, [token(quote, 'WETH')])).toEqual({ base: null, quote: 'WETH' })
  expect(pairSymbols({ base: null, quote: 'iso4217:USD' }, [])).toEqual({
    base: null,
    quote: 'USD',
  })
})

it('names no token whose symbol another token states', () => {
  const tokens = [token(base, 'ENS'), token(quote, 'WETH'), token(other, 'weth')]
  expect(pairSymbols(named, tokens)).toBeUndefined()
  expect(pairSymbols(named, [])).toBeUndefined()
})
