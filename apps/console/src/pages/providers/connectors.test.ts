import { describe, expect, it } from 'vitest'
import {
  type ConnectorKey,
  connectors,
  emptyDraft,
  missingEntry,
  usualName,
  usualUrl,
} from './connectors.ts'
import { nameFor } from './provider-name.ts'

const draft = {
  ...emptyDraft,
  name: 'Name',
  url: ' https://example.org/v1 ',
  model: ' m ',
  publicKeys: 'a b',
  symbol: ' eth/usd ',
  market: '1-0xaa-0xbb',
  venue: 'venue_1',
} as const
const pair = { chainId: 1, base: '0xAa', quote: '0xBb', baseDecimals: 18, quoteDecimals: 6 }
const chosen = {
  pair,
  symbols: { base: 'WETH', quote: 'USDC' },
  venue: { address: '0xCc', pair },
  since: '2026-01-01T00:00:00.000Z',
}

describe('the form of a provider', () => {
  it.each<[ConnectorKey, object]>([
    ['NODE', { kind: 'CHAIN_RPC', configuration: {}, endpoint: 'https://example.org/v1' }],
    [
      'MODEL',
      {
        kind: 'LANGUAGE_MODEL',
        configuration: { dialect: 'OPENAI', model: 'm' },
        endpoint: 'https://example.org/v1',
      },
    ],
    [
      'SAFE',
      {
        kind: 'SAFE_SERVICE',
        configuration: { chainId: 1 },
        endpoint: 'https://example.org/v1',
      },
    ],
    [
      'QUOTES',
      {
        kind: 'QUOTE_SOURCE',
        configuration: { protocol: 'LIQUIDITY_RFQ_HTTP' },
        endpoint: 'https://example.org/v1',
      },
    ],
    [
      'PRICE',
      {
        kind: 'MARKET_DATA',
        configuration: {
          shape: 'GECKOTERMINAL',
          feeds: [
            {
              feed: 'usd',
              kind: 'POOL_CANDLE',
              base: 'eip155:1/erc20:0xaa',
              baseDecimals: 18,
              quote: 'iso4217:USD',
              quoteDecimals: 8,
              pool: '0xCc',
              timeframe: '1h',
              since: '2026-01-01T00:00:00.000Z',
            },
          ],
        },
        endpoint: 'https://example.org/v1',
      },
    ],
    [
      'EXCHANGE',
      {
        kind: 'MARKET_DATA',
        configuration: {
          shape: 'EXCHANGES',
          feeds: [
            {
              feed: 'eth-usd',
              kind: 'BOOK',
              exchange: 'kraken',
              symbol: 'ETH/USD',
              base: 'eip155:1/erc20:0xaa',
              quote: 'eip155:1/erc20:0xbb',
              baseDecimals: 18,
              quoteDecimals: 6,
            },
          ],
        },
      },
    ],
    ['CUSTODIAN', { kind: 'CUSTODIAN', configuration: {}, publicKeys: ['a', 'b'] }],
  ])('of kind %s sends its fields', (key, payload) => {
    expect(connectors[key].payload(draft, chosen)).toEqual(payload)
    expect(missingEntry(key, draft, chosen)).toBeNull()
  })

  it('states what is missing', () => {
    expect(missingEntry('MODEL', { ...draft, model: ' ' }, chosen)).toBe(
      'Enter the name of the model.',
    )
    expect(missingEntry('NODE', { ...draft, url: 'rpc.example.org' }, chosen)).toBe('Enter a URL.')
    expect(missingEntry('EXCHANGE', { ...draft, symbol: 'ETH' }, chosen)).toContain('ETH/USD')
    expect(missingEntry('EXCHANGE', { ...draft, market: '' }, chosen)).toBe('Select a market.')
    expect(missingEntry('CUSTODIAN', { ...draft, publicKeys: '' }, chosen)).toBe(
      'Enter a public key.',
    )
    expect(missingEntry('CUSTODIAN', { ...draft, name: '' }, chosen)).toBe('Enter a name.')
  })

  it('refuses a symbol in the other order, whose prices are inverse', () => {
    const missing = (symbol: string) => missingEntry('EXCHANGE', { ...draft, symbol }, chosen)
    expect(missing('ETH/USDT')).toBeNull()
    expect(missing('USDC/ETH')).toBe(
      'The symbol is inverse: enter a market of WETH priced in USDC.',
    )
    const inverse = { symbols: { base: 'USDC', quote: 'WETH' } }
    expect(missingEntry('EXCHANGE', { ...draft, symbol: 'ETH/USDC' }, inverse)).toContain('inverse')
  })

  it('names a provider by what it reads', () => {
    expect(usualName('EXCHANGE', draft, null)).toBe('Kraken ETH/USD')
    expect(usualName('PRICE', draft, { base: 'WETH' })).toBe('WETH price')
    expect(usualName('NODE', draft, null)).toBe('')
  })

  it('makes an id of any name', () => {
    expect(nameFor('币安托管', new Set())).toBe('provider')
    expect(nameFor('1inch', new Set())).toBe('node-1inch')
    expect(nameFor(`${'a'.repeat(49)} b`, new Set(['x']))).toBe('a'.repeat(49))
    expect(nameFor('rpc.example.org', new Set(['rpc-example-org']))).toBe('rpc-example-org-2')
  })

  it('proposes the URL of a public service', () => {
    expect(usualUrl('SAFE', { ...draft, safeNetwork: '8453' })).toBe(
      'https://api.safe.global/tx-service/base',
    )
    expect(usualUrl('MODEL', { ...draft, dialect: 'ANTHROPIC' })).toBe('https://api.anthropic.com')
    expect(usualUrl('NODE', draft)).toBe('')
  })
})
