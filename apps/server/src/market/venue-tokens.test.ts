import { expect, it } from 'vitest'
import { venueTokens } from './venue-tokens.ts'

const [base, quote] = [`0x${'A'.repeat(40)}`, `0x${'b'.repeat(40)}`] as const
const pair = { chainId: 1, base, quote, baseDecimals: 18, quoteDecimals: 6 }
const check = (code: string, observed: string) => ({ code, ok: true, expected: 'any', observed })
const block = { chainId: 1, number: 1, hash: base, timestamp: '2026-11-01T00:00:00.000Z' }
const tokensWith = (checks: ReturnType<typeof check>[]) =>
  venueTokens([{ payload: { pair, validation: { block, checks } } }])

it('gives the symbols of the contracts, and none for a token without a symbol', () => {
  const [first, ...others] = tokensWith([
    check('BASE_SYMBOL', 'ENS'),
    check('QUOTE_SYMBOL', 'NO_ANSWER'),
  ])
  expect(first).toEqual({
    assetKey: `eip155:1/erc20:${base.toLowerCase()}`,
    symbol: 'ENS',
    decimals: 18,
  })
  expect(others).toEqual([])
})

it('gives no token for a venue that no release has asked for its symbols', () => {
  expect(tokensWith([check('TOKEN0', base)])).toEqual([])
  expect(venueTokens([{ payload: { pair, validation: null } }])).toEqual([])
})

it('gives no symbol that an earlier release accepted and that is misleading', () => {
  expect(tokensWith([check('BASE_SYMBOL', '000'), check('QUOTE_SYMBOL', 'k')])).toEqual([])
})
