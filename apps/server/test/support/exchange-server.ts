import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hourMilliseconds } from '../../src/units.ts'

/** A level of a book, as text. */
type Level = readonly [price: string, size: string]
/** Open, high, low and close of a candle at Unix seconds. */
type Candle = readonly [at: number, open: string, high: string, low: string, close: string]

export interface ExchangeServer {
  readonly url: string
  readonly paths: string[]
  bids: readonly Level[]
  asks: readonly Level[]
  candles: readonly Candle[]
  /** Time of a book in Unix milliseconds, for exchanges that send one. */
  bookAt: number
  /** Answers in place of the exchange, for misbehavior under test. */
  override: ((path: string, response: ServerResponse) => boolean) | null
  readonly stop: () => Promise<void>
}

/** Public interfaces of Kraken, Binance and OKX with a market of ETH, in their published forms. */
export async function startExchangeServer(): Promise<ExchangeServer> {
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    exchange.paths.push(path)
    if (exchange.override?.(path, response)) return
    const answer = answerOf(exchange, new URL(path, 'http://exchange'))
    response.writeHead(answer === null ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const exchange: ExchangeServer = {
    url: `http://127.0.0.1:${port}`,
    paths: [],
    bids: [['1999.5', '20.123456789012345678']],
    asks: [['2000.5', '1.5']],
    candles: [],
    bookAt: 0,
    override: null,
    stop: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
  return exchange
}

const kraken = (result: unknown) => ({ error: [], result })
const okx = (data: unknown) => ({ code: '0', msg: '', data })

function answerOf(
  { bids, asks, candles, bookAt }: ExchangeServer,
  { pathname, searchParams }: URL,
): unknown {
  switch (pathname) {
    case '/0/public/Assets':
      return kraken({
        XETH: { aclass: 'currency', altname: 'ETH', decimals: 10, status: 'enabled' },
        ZUSD: { aclass: 'currency', altname: 'USD', decimals: 4, status: 'enabled' },
      })
    case '/0/public/AssetPairs':
      return kraken({
        XETHZUSD: {
          altname: 'ETHUSD',
          wsname: 'ETH/USD',
          aclass_base: 'currency',
          base: 'XETH',
          aclass_quote: 'currency',
          quote: 'ZUSD',
          pair_decimals: 2,
          lot_decimals: 8,
          fees: [[0, 0.4]],
          fees_maker: [[0, 0.25]],
          ordermin: '0.002',
          tick_size: '0.01',
          leverage_buy: [],
          leverage_sell: [],
          status: 'online',
        },
      })
    case '/0/public/Depth': {
      const dated = (levels: readonly Level[]) => levels.map(([p, s]) => [p, s, 1_700_000_000])
      return kraken({ XETHZUSD: { bids: dated(bids), asks: dated(asks) } })
    }
    case '/0/public/OHLC': {
      const rows = candles.map(([at, o, h, l, c]) => [at, o, h, l, c, c, '1', 1])
      return kraken({ XETHZUSD: rows, last: 0 })
    }
    case '/api/v3/exchangeInfo':
      return {
        timezone: 'UTC',
        symbols: [
          {
            symbol: 'ETHUSDC',
            status: 'TRADING',
            baseAsset: 'ETH',
            baseAssetPrecision: 8,
            quoteAsset: 'USDC',
            quotePrecision: 8,
            quoteAssetPrecision: 8,
            orderTypes: ['LIMIT'],
            isSpotTradingAllowed: true,
            isMarginTradingAllowed: false,
            filters: [
              {
                filterType: 'PRICE_FILTER',
                minPrice: '0.01',
                maxPrice: '1000000',
                tickSize: '0.01',
              },
              { filterType: 'LOT_SIZE', minQty: '0.0001', maxQty: '9000', stepSize: '0.0001' },
            ],
            permissions: ['SPOT'],
          },
        ],
      }
    case '/api/v3/depth':
      return { lastUpdateId: 1, bids, asks }
    case '/api/v3/klines':
      return candles.map(([at, o, h, l, c]) => [
        at * 1000,
        o,
        h,
        l,
        c,
        '1',
        at * 1000 + hourMilliseconds - 1,
      ])
    case '/api/v5/public/instruments':
      return okx(
        searchParams.get('instType') === 'SPOT'
          ? [
              {
                instType: 'SPOT',
                instId: 'ETH-USDC',
                baseCcy: 'ETH',
                quoteCcy: 'USDC',
                tickSz: '0.01',
                lotSz: '0.000001',
                minSz: '0.001',
                state: 'live',
                listTime: '1548133413000',
              },
            ]
          : [],
      )
    case '/api/v5/market/books':
      return okx([
        {
          bids: bids.map(([p, s]) => [p, s, '0', '1']),
          asks: asks.map(([p, s]) => [p, s, '0', '1']),
          ts: `${bookAt}`,
        },
      ])
    case '/api/v5/market/history-candles':
    case '/api/v5/market/candles':
      return okx(
        candles
          .map(([at, o, h, l, c]) => [`${at * 1000}`, o, h, l, c, '1', '1', '1', '1'])
          .reverse(),
      )
    default:
      return null
  }
}
