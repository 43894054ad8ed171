import { describe, expect, it } from 'vitest'
import { formatIn, pairTokens } from './mandates.ts'

const uni = '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984'
const weth = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
const pair = { chainId: 1, base: uni, quote: weth, baseDecimals: 18, quoteDecimals: 18 }
const known = (chainId: number, address: string, symbol: string) => ({
  assetKey: `eip155:${chainId}/erc20:${address.toLowerCase()}`,
  symbol,
})

describe('tokens of a mandate', () => {
  it('have the symbols of known tokens', () => {
    const { base, quote } = pairTokens(pair, [known(1, weth, 'WETH'), known(1, uni, 'UNI')])
    expect([base.symbol, quote.symbol]).toEqual(['UNI', 'WETH'])
    expect(formatIn(quote).quote(5n * 10n ** 18n)).toBe('5\u00a0WETH')
  })

  it('have short addresses if only another chain has tokens of these addresses', () => {
    const { base, quote } = pairTokens(pair, [known(137, weth, 'FAKE'), known(137, uni, 'FAKE')])
    expect([base.symbol, quote.symbol]).toEqual(['0x1f98…F984', '0xC02a…6Cc2'])
  })
})
