import { expect, it } from 'vitest'
import { displaySymbols, type NamedToken, symbolOf, symbolsIn } from './symbols.ts'

const [base, quote, other] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(40)}`) as [
  string,
  string,
  string,
]
const pair = { chainId: 1, base, quote }
const check = (code: string, observed: string) => ({ code, observed })
const venue = (checks: { code: string; observed: string }[] | null, chainId = 1) => ({
  payload: {
    name: 'USDC / WETH 0.30 %',
    pair: { ...pair, chainId },
    validation: checks === null ? null : { checks },
  },
})
const token = (address: string, symbol: string, chainId = 1): NamedToken => ({
  chainId,
  address,
  symbol,
})
const read = (...venues: ReturnType<typeof venue>[]) =>
  symbolsIn(venues).map(({ symbol }) => symbol)

it('takes symbols from the token contracts, and from the name of a venue without that check', () => {
  expect(read(venue(null))).toEqual(['USDC', 'WETH'])
  expect(read(venue([check('TOKEN0', base)]))).toEqual(['USDC', 'WETH'])
  const stated = venue([check('BASE_SYMBOL', 'FAKE'), check('QUOTE_SYMBOL', 'NO_ANSWER')])
  expect(read(stated)).toEqual(['FAKE', 'WETH'])
  // An older venue of the same token does not hide what the contract states.
  expect(read(stated, venue(null))).toEqual(['FAKE', 'WETH'])
})

it.each(['000', '.', '-', 'k', '1e9', '1.5'])(
  'ignores %j, which an earlier release stored',
  (symbol) => {
    expect(read(venue([check('BASE_SYMBOL', symbol)]))).toEqual(['USDC', 'WETH'])
  },
)

it.each(['1INCH', 'T', 'a16z'])('shows %j, which a token contract stated', (symbol) => {
  expect(read(venue([check('BASE_SYMBOL', symbol)]))).toEqual([symbol, 'WETH'])
})

it('adds the address to a symbol that another token of the chain has', () => {
  const shown = displaySymbols(
    [token(base, 'USDC'), token(quote, 'ENS')],
    // The catalog has the same token, and another one with the same symbol.
    [token(quote, 'ENS'), token(other, 'usdc')],
  )
  expect([symbolOf(shown, base, 1), symbolOf(shown, quote, 1)]).toEqual([
    ...['USDC 0x1111…1111', 'ENS'],
  ])
  const elsewhere = displaySymbols([token(base, 'USDC')], [token(other, 'USDC', 10)])
  expect(symbolOf(elsewhere, base, 1)).toBe('USDC')
})

it('distinguishes a base and a quote with equal symbols', () => {
  const shown = displaySymbols([token(base, 'WETH'), token(quote, 'WETH')], [])
  expect([symbolOf(shown, base, 1), symbolOf(shown, quote, 1)]).toEqual([
    ...['WETH 0x1111…1111', 'WETH 0x2222…2222'],
  ])
})

it('keeps the symbols of one address on two chains apart', () => {
  const shown = displaySymbols(
    [token(base, 'ENS'), token(base, 'FAKE', 10), token(quote, 'UNI')],
    [],
  )
  expect([symbolOf(shown, base, 1), symbolOf(shown, base, '10')]).toEqual(['ENS', 'FAKE'])
  // Without a chain, the address could be either token.
  expect([symbolOf(shown, base), symbolOf(shown, quote)]).toEqual([undefined, 'UNI'])
  expect(symbolOf(shown, quote, 10)).toBeUndefined()
})
