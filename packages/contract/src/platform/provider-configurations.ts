import Type, { type Static } from 'typebox'
import { AssetKey } from '../plan/treasury-terms.ts'
import {
  Address,
  BlockNumber,
  ChainId,
  closed,
  list,
  mapOf,
  named,
  oneOf,
  orNull,
  Pips,
  Timestamp,
} from '../scalars.ts'
import { SignedTime } from '../signed-scalars.ts'

/** Configuration per kind of provider. */

const Credits = Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Credits per call.' })

export const NodeLimits = named(
  'NodeLimits',
  closed(
    {
      requestsPerSecond: Type.Optional(
        Type.Number({
          minimum: 0.1,
          maximum: 1_000,
          description:
            'Calls per second. Each call of a batch counts. Default: the limit that the service learns.',
        }),
      ),
      batchCalls: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 100,
          description:
            'Calls per request. Default: 100, reduced after the provider rejects a request.',
        }),
      ),
      logBlocks: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000,
          description:
            'Blocks per `eth_getLogs` call. Default: the value of the venue, reduced after the provider rejects a call.',
        }),
      ),
      concurrency: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 32,
          description: 'Concurrent requests of one process. Default: no limit.',
        }),
      ),
      creditsPerDay: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000_000_000,
          description:
            'Credits of the plan per UTC day. An alert opens at 80 %; jobs stop at 95 %, and all calls except probes at 100 %.',
        }),
      ),
      credits: Type.Optional(
        mapOf(Credits, 'Credits of one call by method; `default` for all others. Default: 1.'),
      ),
    },
    { description: 'Limits of the plan of an RPC node.' },
  ),
)
export type NodeLimits = Static<typeof NodeLimits>

const FeedName = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{0,39}$',
  description: 'Name of the feed, unique within the provider.',
  examples: ['eth-usd'],
})
const Decimals = Type.Integer({ minimum: 0, maximum: 77, description: 'Decimals of the asset.' })

/** Prices are quote atoms per base atom, so a feed must state the decimals of both assets. */
const pricedPair = {
  feed: FeedName,
  base: AssetKey,
  quote: AssetKey,
  baseDecimals: Decimals,
  quoteDecimals: Decimals,
}

const Heartbeat = Type.Integer({
  minimum: 10,
  maximum: 604_800,
  description: 'Maximum seconds between prices. A price is stale 60 s later.',
})
const ErrorBound = Type.Integer({
  minimum: 0,
  maximum: 999_999,
  description: 'Maximum price error, in millionths of the price.',
})

const feedsOf = <const S extends Parameters<typeof list>[0]>(feed: S) =>
  list(feed, 16, { minItems: 1, description: 'Feeds to read, each with a unique name.' })

export const AggregatorFeed = named(
  'AggregatorFeed',
  closed({
    ...pricedPair,
    proxy: Address,
    answerDecimals: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 77,
        description: 'Decimals of the answers. If set, they must equal those of the contract.',
      }),
    ),
    heartbeatSeconds: Heartbeat,
    deviationPips: Pips,
    startBlock: BlockNumber,
    sequencer: Type.Optional(Address),
  }),
)
export type AggregatorFeed = Static<typeof AggregatorFeed>

export const SignedFeed = named(
  'SignedFeed',
  closed({ ...pricedPair, heartbeatSeconds: Heartbeat, errorPips: ErrorBound }),
)
export type SignedFeed = Static<typeof SignedFeed>

/** Candle lengths in seconds, by exchange name. */
export const candleFrames = {
  '1m': 60,
  '5m': 300,
  '15m': 900,
  '1h': 3_600,
  '4h': 14_400,
  '1d': 86_400,
} as const

const marketed = {
  ...pricedPair,
  exchange: Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,39}$', examples: ['kraken'] }),
  symbol: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9:/._-]{0,39}$',
    description: 'Symbol in the unified format of ccxt.',
    examples: ['ETH/USD'],
  }),
}

export const CandleFeed = named(
  'CandleFeed',
  closed({
    kind: Type.Literal('CANDLE', { description: 'The close of each candle, at its end.' }),
    ...marketed,
    timeframe: oneOf(
      Object.keys(candleFrames) as (keyof typeof candleFrames)[],
      'Length of a candle.',
    ),
    since: Timestamp,
  }),
)
export type CandleFeed = Static<typeof CandleFeed>

export const BookFeed = named(
  'BookFeed',
  closed({
    kind: Type.Literal('BOOK', {
      description: 'Midpoint of best bid and ask at the time of the request; no history.',
    }),
    ...marketed,
  }),
)
export type BookFeed = Static<typeof BookFeed>

export const AggregatorConfiguration = named(
  'AggregatorConfiguration',
  closed(
    {
      source: Type.Literal('AGGREGATOR'),
      chainProviderId: Type.String({
        maxLength: 63,
        description: 'Active CHAIN_RPC provider that reads the contracts.',
      }),
      feeds: feedsOf(AggregatorFeed),
    },
    {
      description:
        'Contracts with the Chainlink aggregator interface, read at finalized blocks; no endpoint.',
    },
  ),
)
export type AggregatorConfiguration = Static<typeof AggregatorConfiguration>

export const SignedPriceConfiguration = named(
  'SignedPriceConfiguration',
  closed(
    { source: Type.Literal('SIGNED'), feeds: feedsOf(SignedFeed) },
    {
      description:
        'GET endpoint?base&quote returns { base, quote, priceX18, at, signature }: Ed25519 in base64 over D("signed-price/v1", the rest) by one of publicKeys; priceX18 is quote units per base unit times 10^18.',
    },
  ),
)
export type SignedPriceConfiguration = Static<typeof SignedPriceConfiguration>

export const PoolCandleFeed = named(
  'PoolCandleFeed',
  closed({
    kind: Type.Literal('POOL_CANDLE', {
      description: 'The close of each candle of a pool, at its end.',
    }),
    ...pricedPair,
    pool: Address,
    timeframe: oneOf(
      Object.keys(candleFrames) as (keyof typeof candleFrames)[],
      'Length of a candle.',
    ),
    since: Timestamp,
  }),
)
export type PoolCandleFeed = Static<typeof PoolCandleFeed>

const ExchangeConfiguration = named(
  'ExchangeConfiguration',
  closed(
    {
      shape: oneOf(
        ['CCXT', 'EXCHANGES'],
        'CCXT: a gateway at the endpoint. EXCHANGES: the service reads the exchanges itself; no endpoint.',
      ),
      feeds: feedsOf(Type.Union([CandleFeed, BookFeed])),
    },
    {
      description:
        'Exchanges by their names in ccxt. A gateway returns the unified formats of ccxt: GET /{exchange}/ohlcv?symbol&timeframe&since&limit, GET /{exchange}/orderbook?symbol.',
    },
  ),
)

const PoolConfiguration = named(
  'PoolConfiguration',
  closed(
    { shape: Type.Literal('GECKOTERMINAL'), feeds: feedsOf(PoolCandleFeed) },
    {
      description:
        'Candles of pools at GeckoTerminal, in US dollars (quote iso4217:USD) or in the other token of the pool. The base is a token of the pool.',
    },
  ),
)

export const MarketDataConfiguration = named(
  'MarketDataConfiguration',
  Type.Union([ExchangeConfiguration, PoolConfiguration]),
)
export type MarketDataConfiguration = Static<typeof MarketDataConfiguration>

export const OracleConfiguration = named(
  'OracleConfiguration',
  Type.Union([AggregatorConfiguration, SignedPriceConfiguration]),
)
export type OracleConfiguration = Static<typeof OracleConfiguration>

export const QuoteSourceConfiguration = named(
  'QuoteSourceConfiguration',
  closed(
    { protocol: Type.Literal('LIQUIDITY_RFQ_HTTP') },
    {
      description:
        'The service sends POST to the endpoint with the fields of the quote request record and its id as requestId. The response is { quotes: [SignedQuote] }. The response to { probe: true } is { quotes: [] }.',
    },
  ),
)
export type QuoteSourceConfiguration = Static<typeof QuoteSourceConfiguration>

export const SafeServiceConfiguration = named(
  'SafeServiceConfiguration',
  closed(
    {
      chainId: Type.Integer({ minimum: 1, description: 'Chain of the Safes that it serves.' }),
    },
    {
      description:
        'Safe Transaction Service, such as https://api.safe.global/tx-service/eth. The secret, if any, is its API key.',
    },
  ),
)
export type SafeServiceConfiguration = Static<typeof SafeServiceConfiguration>

export const LanguageModelConfiguration = named(
  'LanguageModelConfiguration',
  closed(
    {
      dialect: Type.Optional(
        oneOf(
          ['OPENAI', 'ANTHROPIC', 'OLLAMA'],
          'API of the model. OPENAI: /chat/completions below the endpoint, key as Bearer. ANTHROPIC: /v1/messages, key as x-api-key. OLLAMA: /api/chat. Required without protocol.',
        ),
      ),
      protocol: Type.Optional(
        Type.Literal('OPENAI_CHAT', { description: 'Earlier name of the dialect OPENAI.' }),
      ),
      model: Type.String({
        minLength: 1,
        maxLength: 120,
        description: 'Model name of the provider.',
      }),
      responseFormat: Type.Optional(
        oneOf(
          ['AUTO', 'JSON_SCHEMA', 'JSON_OBJECT', 'NONE'],
          'Method to request JSON from the model. AUTO: the strictest method that the probe finds. NONE: in the prompt only. Default: AUTO.',
        ),
      ),
      temperature: Type.Optional(
        orNull(
          Type.Integer({
            minimum: 0,
            maximum: 2,
            description:
              'Temperature of the sampling. Null: not sent. Default: 0, or not sent if the model rejects it; ANTHROPIC: not sent.',
          }),
        ),
      ),
      maximumTokens: Type.Optional(
        orNull(
          Type.Integer({
            minimum: 256,
            maximum: 64_000,
            description:
              'Maximum tokens per response. Null: not sent; ANTHROPIC requires a value and gets 8,000. Default: 8,000.',
          }),
        ),
      ),
      tokensMember: Type.Optional(
        oneOf(
          ['max_tokens', 'max_completion_tokens'],
          'Name of the token limit in the dialect OPENAI. Default: the one that the probe finds.',
        ),
      ),
      timeoutMilliseconds: Type.Optional(
        Type.Integer({
          minimum: 500,
          maximum: 60_000,
          description: 'Timeout per response, in milliseconds. Default: 60,000.',
        }),
      ),
    },
    {
      description: 'A language model. The service sends no tools and rejects tool calls.',
      examples: [{ dialect: 'ANTHROPIC', model: 'a-model', timeoutMilliseconds: 30_000 }],
    },
  ),
)
export type LanguageModelConfiguration = Static<typeof LanguageModelConfiguration>
/** Proof by the key holder; the service itself builds the remaining signed content. */
const Possession = named(
  'KeyPossession',
  closed(
    {
      issuedAt: SignedTime,
      expiresAt: SignedTime,
      signature: Type.String({
        pattern: '^[A-Za-z0-9+/]{86}==$',
        description: 'Ed25519, the 64 bytes in base64.',
      }),
    },
    {
      description:
        'Ed25519 over D("provider-challenge/v1", { purpose, organizationHash, providerId, publicKey, issuedAt, expiresAt }) by the one key of the provider; purpose is PASSPORT_SIGNER or RESULTS_REGISTRY, organizationHash H("organization/v1", { organizationId }). Valid for at most one day, including now.',
    },
  ),
)

const SafeAuthorization = named(
  'PassportSignerAuthorization',
  closed(
    {
      chainId: ChainId,
      safe: Address,
      issuedAt: SignedTime,
      expiresAt: SignedTime,
      signatures: Type.String({
        pattern: '^0x([0-9a-f]{2}){65,8192}$',
        description: 'Packed signatures of owners over the SafeMessage of the digest.',
      }),
    },
    {
      description:
        'Authorization of the key by the owners of a Safe: EIP-712 PassportSignerAuthorization(bytes32 organizationHash,bytes32 publicKey,uint64 issuedAt,uint64 expiresAt) of the domain { name: "Liquidity OS Passport Signer", version: "1", chainId, verifyingContract: the Safe }, signed as a message of the Safe.',
    },
  ),
)

export const SignerConfiguration = named(
  'SignerConfiguration',
  closed({ possession: Possession, authorization: Type.Optional(SafeAuthorization) }),
)
export type SignerConfiguration = Static<typeof SignerConfiguration>

export const ResultsRegistryConfiguration = named(
  'ResultsRegistryConfiguration',
  closed({ possession: Possession }),
)
export type ResultsRegistryConfiguration = Static<typeof ResultsRegistryConfiguration>
