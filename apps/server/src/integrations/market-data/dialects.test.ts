import { describe, expect, it } from 'vitest'
import { AnswerJsonError } from '../../answer-json.ts'
import { dexScreener } from './dexscreener.ts'
import { type AskProvider, decimalText } from './dialect.ts'
import { geckoTerminal } from './geckoterminal.ts'
import { sumOfDecimals, usdAtoms } from './usd.ts'

const token = '0xa0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'.toLowerCase()
const checksummed = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const weth = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
const pool = '0x88e6A0c2dDD26FEEb64F039a2c41296FcB3f5640'

/** Answers by path. */
const answering =
  (answers: Readonly<Record<string, unknown>>): AskProvider =>
  async (path) =>
    answers[path.join('/')] ?? null

const related = (id: string) => ({ data: { id } })

describe('GeckoTerminal', () => {
  const included = [
    {
      id: `polygon_pos_${token}`,
      type: 'token',
      attributes: { address: token, name: 'USD Coin', symbol: 'USDC', decimals: '6' },
    },
    { id: 'uniswap_v3', type: 'dex', attributes: { name: 'Uniswap V3' } },
    {
      id: `solana_${token}`,
      type: 'token',
      attributes: { address: token, name: 'Other chain', symbol: 'NO', decimals: '6' },
    },
    {
      id: `eth_${weth}`,
      type: 'token',
      attributes: { address: weth, name: 'Reversed \u202etext', symbol: 'BAD', decimals: '18' },
    },
  ]

  it('lists tokens of known chains whose texts can be shown', async () => {
    const ask = answering({ 'search/pools': { data: [], included } })
    expect(await geckoTerminal.search(ask, 'usd')).toEqual([
      { chainId: 137, address: checksummed, name: 'USD Coin', symbol: 'USDC', decimals: 6 },
    ])
  })

  it('reads the figures of a token and its pools, the largest first, without pool ids', async () => {
    const poolOf = (address: string, reserve: string) => ({
      attributes: { address, reserve_in_usd: reserve },
      relationships: {
        base_token: related(`eth_${token}`),
        quote_token: related(`eth_${weth.toLowerCase()}`),
        dex: related('uniswap_v3'),
      },
    })
    const ask = answering({
      [`networks/eth/tokens/${token}`]: {
        data: {
          attributes: {
            total_reserve_in_usd: '123456789012.123456789012',
            volume_usd: { h24: '0.000000019' },
          },
        },
      },
      [`networks/eth/tokens/${token}/pools`]: {
        data: [poolOf(weth, '9.5'), poolOf(`0x${'1'.repeat(64)}`, '99'), poolOf(pool, '10')],
      },
    })
    expect(await geckoTerminal.readMarket(ask, 'eth', checksummed)).toEqual({
      volume24hUsd: '0.000000019',
      liquidityUsd: '123456789012.123456789012',
      pools: [
        { address: pool, dex: 'uniswap_v3', quote: weth, liquidityUsd: '10' },
        { address: weth, dex: 'uniswap_v3', quote: weth, liquidityUsd: '9.5' },
      ],
      hasMorePools: false,
    })
    expect(await geckoTerminal.readMarket(answering({}), 'eth', checksummed)).toBeNull()
  })
})

describe('DEX Screener', () => {
  const pair = {
    chainId: 'base',
    dexId: 'aerodrome',
    pairAddress: pool,
    baseToken: { address: weth, name: 'Wrapped Ether', symbol: 'WETH' },
    quoteToken: { address: token, name: 'USD Coin', symbol: 'USDC' },
    liquidity: { usd: '1000.1' },
    volume: { h24: '2e2' },
  }

  it('lists both tokens of a pair, without decimals', async () => {
    const ask = answering({ 'latest/dex/search': { pairs: [pair, { chainId: 'solana' }] } })
    expect(await dexScreener.search(ask, 'usd')).toEqual([
      { chainId: 8453, address: weth, name: 'Wrapped Ether', symbol: 'WETH', decimals: null },
      { chainId: 8453, address: checksummed, name: 'USD Coin', symbol: 'USDC', decimals: null },
    ])
    const empty = answering({ 'latest/dex/search': { pairs: null } })
    expect(await dexScreener.search(empty, 'usd')).toEqual([])
  })

  it('shows no exchange name with hidden or cut characters', async () => {
    const named = (dexId: unknown) =>
      answering({ [`token-pairs/v1/base/${checksummed}`]: [{ ...pair, dexId }] })
    const names = [`${'a'.repeat(79)}😀`, 'x\u202ey', 7, `${'a'.repeat(78)}😀`]
    const read = await Promise.all(
      names.map((name) => dexScreener.readMarket(named(name), 'base', checksummed)),
    )
    expect(read.map((market) => market?.pools[0]?.dex)).toEqual([
      ...['unknown', 'unknown', 'unknown'],
      `${'a'.repeat(78)}😀`,
    ])
  })

  it('adds up the pairs of a token exactly', async () => {
    const other = { ...pair, liquidity: { usd: '0.05' }, volume: {}, pairAddress: weth }
    const ask = answering({ [`token-pairs/v1/base/${checksummed}`]: [other, pair] })
    const market = await dexScreener.readMarket(ask, 'base', checksummed)
    expect(market).toMatchObject({ volume24hUsd: '200', liquidityUsd: '1000.15' })
    expect(market?.pools.map(({ address, quote }) => [address, quote])).toEqual([
      [pool, weth],
      [weth, weth],
    ])
    const none = answering({ [`token-pairs/v1/base/${checksummed}`]: [] })
    expect(await dexScreener.readMarket(none, 'base', checksummed)).toBeNull()
  })
})

it.each([
  [geckoTerminal.search, { included: 'x' }],
  [geckoTerminal.search, []],
  [dexScreener.search, { pairs: {} }],
  [dexScreener.search, 'x'],
] as const)('another form is refused: %s %j', async (search, answer) => {
  await expect(search(async () => answer, 'usd')).rejects.toThrow(AnswerJsonError)
})

it('numbers keep their digits, and exponents are written out', () => {
  const texts = ['1.50', '1e3', '1.25E-7', '0', '12345678901234567890.123456789']
  expect(texts.map(decimalText)).toEqual([
    '1.5',
    '1000',
    '0.000000125',
    '0',
    '12345678901234567890.123456789',
  ])
  const hostile = { toString: 1 }
  const others = ['-1', 'NaN', '1e400', '', null, 1, hostile]
  expect(others.map(decimalText)).toEqual(others.map(() => null))
})

it('US dollars are rounded down to 10^-8', () => {
  expect(usdAtoms('1.999999999')).toBe(199_999_999n)
  expect(usdAtoms('0.000000019')).toBe(1n)
  expect(usdAtoms('7')).toBe(700_000_000n)
  expect(sumOfDecimals(['0.1', null, '0.25', '3'])).toBe('3.35')
  expect(sumOfDecimals(['1', '2'])).toBe('3')
  expect(sumOfDecimals([null])).toBeNull()
})
