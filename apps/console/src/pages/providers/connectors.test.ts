import { describe, expect, it } from 'vitest'
import { type ConnectorKey, connectors, emptyDraft, missingEntry, usualUrl } from './connectors.ts'

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
    expect(missingEntry(key, draft)).toBeNull()
  })

  it('states what is missing', () => {
    expect(missingEntry('MODEL', { ...draft, model: ' ' })).toBe('Enter the name of the model.')
    expect(missingEntry('NODE', { ...draft, url: 'rpc.example.org' })).toBe('Enter a URL.')
    expect(missingEntry('EXCHANGE', { ...draft, symbol: 'ETH' })).toContain('ETH/USD')
    expect(missingEntry('EXCHANGE', { ...draft, market: '' })).toBe('Select a market.')
    expect(missingEntry('CUSTODIAN', { ...draft, publicKeys: '' })).toBe('Enter a public key.')
    expect(missingEntry('CUSTODIAN', { ...draft, name: '' })).toBe('Enter a name.')
  })

  it('proposes the URL of a public service', () => {
    expect(usualUrl('SAFE', { ...draft, safeNetwork: '8453' })).toBe(
      'https://api.safe.global/tx-service/base',
    )
    expect(usualUrl('MODEL', { ...draft, dialect: 'ANTHROPIC' })).toBe('https://api.anthropic.com')
    expect(usualUrl('NODE', draft)).toBe('')
  })
})
