import { describe, expect, it } from 'vitest'
import { catalogue } from '../families/intelligence/discovery/catalogue/catalogue.ts'
import { gradedSizeOf, isSameSize, type SizedScore } from './graded-size.ts'
import tokens from './graded-tokens.json' with { type: 'json' }

const symbolsOfCurrency: Readonly<Record<string, RegExp>> = {
  USD: /^(USDC|USDT|DAI|USDC\.e|USDbC|USDS|USDT0)$/,
  EUR: /^EURC$/,
  ETH: /^WETH$/,
  BTC: /^(WBTC|cbBTC|tBTC)$/,
  BNB: /^WBNB$/,
  POL: /^(WPOL|WMATIC)$/,
}

describe('the published size of a quote token', () => {
  it.each([
    ['USDC', 1, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 6, 'USD', 10_000n * 10n ** 6n],
    [
      'WETH in lower case',
      10,
      '0x4200000000000000000000000000000000000006',
      18,
      'ETH',
      3n * 10n ** 18n,
    ],
    ['WBTC', 1, '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599', 8, 'BTC', 10n ** 7n],
    ['a token of a local chain', 31_337, `0x${'5'.repeat(40)}`, 18, 'TEST', 1000n * 10n ** 18n],
  ])('of %s', (_, chainId, quote, quoteDecimals, currency, size) => {
    expect(gradedSizeOf({ chainId, quote, quoteDecimals })).toEqual({
      currency,
      tradeSizeQuote: `${size}`,
    })
  })

  it('is null for another token, and for an address of another chain', () => {
    const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
    expect(gradedSizeOf({ chainId: 8453, quote: usdc, quoteDecimals: 6 })).toBeNull()
    expect(gradedSizeOf({ chainId: 1, quote: `0x${'5'.repeat(40)}`, quoteDecimals: 18 })).toBeNull()
  })

  it('belongs to tokens of the catalog with the symbols of the currency, each once', () => {
    const known = new Map(
      catalogue().tokens.map((token) => [`${token.chainId}|${token.address}`, token.symbol]),
    )
    const listed = Object.entries(tokens).flatMap(([chainId, byCurrency]) =>
      Object.entries(byCurrency).flatMap(([currency, addresses]) =>
        addresses.map((address) => ({ key: `${chainId}|${address}`, currency })),
      ),
    )
    for (const { key, currency } of listed) {
      expect([key, known.get(key)]).toEqual([
        key,
        expect.stringMatching(symbolsOfCurrency[currency]!),
      ])
    }
    expect(new Set(listed.map(({ key }) => key)).size).toBe(listed.length)
  })

  it('makes scores comparable only if currency and size are equal and known', () => {
    const size = { currency: 'USD', tradeSizeQuote: '10' } as const
    type Size = SizedScore['payload']['gradedSize']
    const scoreOf = (id: string, gradedSize: Size = null) => ({ id, payload: { gradedSize } })
    const isSame = (a: Size, b: Size) => isSameSize(scoreOf('score_1', a), scoreOf('score_2', b))
    expect(isSame(size, { ...size })).toBe(true)
    expect(isSame(size, { ...size, tradeSizeQuote: '11' })).toBe(false)
    expect(isSame(size, null)).toBe(false)
    expect(isSame(null, null)).toBe(false)
  })

  it('makes a score of an earlier release comparable only with itself', () => {
    const score = { id: 'score_1', payload: {} }
    expect(isSameSize(score, { ...score })).toBe(true)
    expect(isSameSize(score, { ...score, id: 'score_2' })).toBe(false)
  })
})
