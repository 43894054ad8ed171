/** Kinds of providers that the page can add, with their fields and the request. */
export type ConnectorKey = 'NODE' | 'PRICE' | 'EXCHANGE' | 'MODEL' | 'SAFE' | 'QUOTES' | 'CUSTODIAN'

export interface Draft {
  readonly name: string
  readonly url: string
  /** Sent once; the service encrypts it for the host of the URL. */
  readonly secret: string
  readonly dialect: Dialect
  readonly model: string
  readonly safeNetwork: SafeNetwork
  readonly publicKeys: string
  readonly exchange: ExchangeName
  /** Spot market in the notation of ccxt. */
  readonly symbol: string
  /** Pair key of the watched market whose tokens the exchange trades; empty before a choice. */
  readonly market: string
  /** ID of the watched venue whose pool has the price; empty before a choice. */
  readonly venue: string
}

/** Records behind the choices of a draft. */
export interface Chosen {
  readonly pair: MarketPair | null
  /** Symbols of the pair. */
  readonly symbols: { readonly base: string; readonly quote: string } | null
  readonly venue: { readonly address: string; readonly pair: MarketPair } | null
  /** Start of the history to read. */
  readonly since: string
}

/** Pair of a watched market. */
export interface MarketPair {
  readonly chainId: number
  readonly base: string
  readonly quote: string
  readonly baseDecimals: number
  readonly quoteDecimals: number
}

export interface Connector {
  readonly label: string
  readonly summary: string
  readonly fields: readonly (keyof Draft)[]
  readonly payload: (draft: Draft, chosen: Chosen) => ConnectorPayload
}

interface ConnectorPayload {
  readonly kind: string
  readonly configuration: Readonly<Record<string, unknown>>
  readonly endpoint?: string
  readonly publicKeys?: readonly string[]
}

export const dialects = {
  OPENAI: { label: 'OpenAI, or a compatible server', url: 'https://api.openai.com/v1' },
  ANTHROPIC: { label: 'Anthropic', url: 'https://api.anthropic.com' },
  OLLAMA: { label: 'Ollama, on your own server', url: '' },
} as const
export type Dialect = keyof typeof dialects

/** Large exchanges, by their names in ccxt. */
export const exchangeNames = {
  binance: { label: 'Binance' },
  bitget: { label: 'Bitget' },
  bitstamp: { label: 'Bitstamp' },
  bybit: { label: 'Bybit' },
  coinbase: { label: 'Coinbase' },
  gate: { label: 'Gate' },
  kraken: { label: 'Kraken' },
  kucoin: { label: 'KuCoin' },
  mexc: { label: 'MEXC' },
  okx: { label: 'OKX' },
} as const
export type ExchangeName = keyof typeof exchangeNames

/** Networks of the Safe Transaction Service, with the paths of its public hosts. */
export const safeNetworks = {
  1: { label: 'Ethereum', path: 'eth' },
  10: { label: 'OP Mainnet', path: 'oeth' },
  56: { label: 'BNB Smart Chain', path: 'bnb' },
  137: { label: 'Polygon', path: 'pol' },
  8453: { label: 'Base', path: 'base' },
  42161: { label: 'Arbitrum One', path: 'arb1' },
} as const
export type SafeNetwork = `${keyof typeof safeNetworks}`

const safeUrl = (network: SafeNetwork): string =>
  `https://api.safe.global/tx-service/${safeNetworks[network].path}`

/** Default name of a provider whose host is not specific; empty for the others. */
export function usualName(
  key: ConnectorKey,
  { exchange, symbol }: Draft,
  tokens: { readonly base: string } | null,
): string {
  if (key === 'EXCHANGE') return `${exchangeNames[exchange].label} ${symbol.trim().toUpperCase()}`
  return key === 'PRICE' && tokens ? `${tokens.base} price` : ''
}

/** Wrapped coins trade under the symbol of the coin. */
const coinOf = (symbol: string) => symbol.toUpperCase().replace(/^W(?=ETH|BTC|BNB|POL|MATIC)/, '')

/** True if a symbol names the assets of a market in the other order, so its prices are inverse. */
export function isInverted(
  symbol: string,
  { base, quote }: { readonly base: string; readonly quote: string },
): boolean {
  const [first, second] = symbol.trim().split('/').map(coinOf)
  return first === coinOf(quote) || second === coinOf(base)
}

/** URL that most users of a connector enter; empty if none is usual. */
export function usualUrl(key: ConnectorKey, { dialect, safeNetwork }: Draft): string {
  if (key === 'MODEL') return dialects[dialect].url
  if (key === 'PRICE') return 'https://api.geckoterminal.com/api/v2'
  return key === 'SAFE' ? safeUrl(safeNetwork) : ''
}

export const emptyDraft: Draft = {
  name: '',
  url: '',
  secret: '',
  dialect: 'OPENAI',
  model: '',
  safeNetwork: '1',
  publicKeys: '',
  exchange: 'kraken',
  symbol: '',
  market: '',
  venue: '',
}

const endpointOf = ({ url }: Draft) => ({ endpoint: url.trim() })
const keysIn = (text: string): string[] => text.split(/\s+/).filter(Boolean)

export const connectors: Readonly<Record<ConnectorKey, Connector>> = {
  NODE: {
    label: 'RPC node',
    summary: 'Reads pools, tokens and Safes of a chain. A free key is enough to start.',
    fields: ['url', 'secret', 'name'],
    payload: (draft) => ({ kind: 'CHAIN_RPC', configuration: {}, ...endpointOf(draft) }),
  },
  PRICE: {
    label: 'Price of a token',
    summary: 'Hourly price in US dollars of a pool, from GeckoTerminal. Needs no account.',
    fields: ['venue', 'url', 'name'],
    payload: (draft, { venue, since }) => ({
      kind: 'MARKET_DATA',
      configuration: {
        shape: 'GECKOTERMINAL',
        feeds: venue === null ? [] : [dollarFeed(venue, since)],
      },
      ...endpointOf(draft),
    }),
  },
  EXCHANGE: {
    label: 'Order book of an exchange',
    summary: 'Independent evidence for the mandate of a market maker. Needs no account.',
    fields: ['exchange', 'symbol', 'market', 'name'],
    payload: ({ exchange, symbol }, { pair }) => ({
      kind: 'MARKET_DATA',
      configuration: {
        shape: 'EXCHANGES',
        feeds: pair === null ? [] : [bookFeed(exchange, symbol.trim().toUpperCase(), pair)],
      },
    }),
  },
  MODEL: {
    label: 'Language model',
    summary: 'Rewords reports and proposes policy sentences from your text.',
    fields: ['dialect', 'model', 'url', 'secret', 'name'],
    payload: (draft) => ({
      kind: 'LANGUAGE_MODEL',
      configuration: { dialect: draft.dialect, model: draft.model.trim() },
      ...endpointOf(draft),
    }),
  },
  SAFE: {
    label: 'Safe Transaction Service',
    summary: 'Shows the owners that signed in Safe{Wallet}, and accepts proposed transactions.',
    fields: ['safeNetwork', 'url', 'secret', 'name'],
    payload: (draft) => ({
      kind: 'SAFE_SERVICE',
      configuration: { chainId: Number(draft.safeNetwork) },
      ...endpointOf(draft),
    }),
  },
  QUOTES: {
    label: 'Quote source',
    summary: 'Returns signed quotes of market makers.',
    fields: ['url', 'secret', 'name'],
    payload: (draft) => ({
      kind: 'QUOTE_SOURCE',
      configuration: { protocol: 'LIQUIDITY_RFQ_HTTP' },
      ...endpointOf(draft),
    }),
  },
  CUSTODIAN: {
    label: 'Custodian',
    summary: 'Signs statements of balances, which you upload. The service never calls it.',
    fields: ['name', 'publicKeys'],
    payload: ({ publicKeys }) => ({
      kind: 'CUSTODIAN',
      configuration: {},
      publicKeys: keysIn(publicKeys),
    }),
  },
}

/** Decimals of a price in US dollars, as price feeds on chain have them. */
const dollarDecimals = 8

function dollarFeed({ address, pair }: NonNullable<Chosen['venue']>, since: string) {
  return {
    feed: 'usd',
    kind: 'POOL_CANDLE',
    base: `eip155:${pair.chainId}/erc20:${pair.base.toLowerCase()}`,
    baseDecimals: pair.baseDecimals,
    quote: 'iso4217:USD',
    quoteDecimals: dollarDecimals,
    pool: address,
    timeframe: '1h',
    since,
  }
}

function bookFeed(exchange: ExchangeName, symbol: string, pair: MarketPair) {
  const { chainId, base, quote, baseDecimals, quoteDecimals } = pair
  const keyOf = (address: string) => `eip155:${chainId}/erc20:${address.toLowerCase()}`
  return {
    feed: symbol.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
    kind: 'BOOK',
    exchange,
    symbol,
    base: keyOf(base),
    quote: keyOf(quote),
    baseDecimals,
    quoteDecimals,
  }
}

const maxNameLength = 120

/** Missing entry of the form, or null. */
export function missingEntry(
  key: ConnectorKey,
  draft: Draft,
  { symbols }: Pick<Chosen, 'symbols'>,
): string | null {
  const { fields } = connectors[key]
  if (draft.name.trim().length > maxNameLength) return 'Enter a name of at most 120 characters.'
  if (fields.includes('model') && draft.model.trim() === '') return 'Enter the name of the model.'
  if (fields.includes('symbol') && !/^[a-z0-9]+\/[a-z0-9]+$/i.test(draft.symbol.trim())) {
    return 'Enter a symbol such as ETH/USD.'
  }
  if (fields.includes('venue') && draft.venue === '') return 'Select a pool.'
  if (fields.includes('market') && draft.market === '') return 'Select a market.'
  if (fields.includes('market') && symbols && isInverted(draft.symbol, symbols)) {
    return `The symbol is inverse: enter a market of ${symbols.base} priced in ${symbols.quote}.`
  }
  if (fields.includes('url') && !URL.canParse(draft.url.trim())) return 'Enter a URL.'
  if (fields.includes('publicKeys')) {
    if (draft.name.trim() === '') return 'Enter a name.'
    if (keysIn(draft.publicKeys).length === 0) return 'Enter a public key.'
  }
  return null
}
