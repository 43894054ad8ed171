// @module-tag long
// @covers apps/server/src/integrations/exchanges apps/server/src/integrations/feeds

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ExchangeServer, startExchangeServer } from '../../../test/support/exchange-server.ts'
import type { ExchangeRead } from '../../exchanges.ts'
import type { ProviderAccess } from '../../services.ts'
import { FeedError } from '../feeds/feed-error.ts'
import { readWholeBook } from '../feeds/order-book.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { allowedUrl, ExchangeProcess, exchanges } from './exchange-process.ts'
import { listExchanges } from './list-exchanges.ts'

let server: ExchangeServer
let process_: ExchangeProcess
let now = 1_767_614_400_000
const outbound = createOutbound({ allowHttp: true })
const scheduled = new Set<() => void>()

beforeAll(async () => {
  server = await startExchangeServer()
  const allowed = createOutbound({ allowHttp: true, allow: [new URL(server.url).host] })
  process_ = new ExchangeProcess({
    outbound: async () => allowed,
    clock: () => now,
    mirrors: new Map(
      ['api.kraken.com', 'api.binance.com', 'www.okx.com'].map((host) => [host, server.url]),
    ),
    schedule: (task) => {
      scheduled.add(task)
      return () => scheduled.delete(task)
    },
  })
})
beforeEach(() => {
  server.override = null
  server.bids = [['1999.5', '20.123456789012345678']]
  server.asks = [['2000.5', '1.5']]
  server.bookAt = now
})
afterAll(async () => {
  await process_.close()
  await server.stop()
  await outbound.close()
})

const markets = [
  ['kraken', 'ETH/USD'],
  ['binance', 'ETH/USDC'],
  ['okx', 'ETH/USDC'],
] as const
const book = (exchange: string, symbol: string): ExchangeRead => ({
  kind: 'BOOK',
  exchange,
  symbol,
  levels: 50,
})
const readJson = async (request: ExchangeRead) => {
  const { body, ...times } = await process_.read(request)
  return { ...times, answer: JSON.parse(Buffer.from(body).toString()) }
}
const reasonOf = (read: Promise<unknown>) =>
  read.then(
    () => 'no error',
    (error: unknown) => (error instanceof FeedError ? error.reason : error),
  )
const failure = (request: ExchangeRead) => reasonOf(process_.read(request))

const host = {
  endpoint: null,
  credentialReference: null,
  organizationId: 'org_example',
  readsExchanges: true,
}
/** A book as mandates and price series read it. */
const wholeBook = (exchange: string, symbol: string) => {
  const feed = {
    kind: 'BOOK',
    feed: 'eth',
    exchange,
    symbol,
    base: 'eip155:1/slip44:60',
    quote: 'iso4217:USD',
    baseDecimals: 18,
    quoteDecimals: 6,
  } as const
  const services = { exchanges: async () => process_ } as unknown as ProviderAccess
  return readWholeBook(host, feed, services, { now: Math.floor(now / 1000), levels: 50 })
}
const refusal = (exchange: string, symbol: string) => reasonOf(wholeBook(exchange, symbol))

describe('an exchange', () => {
  it.each(markets)('answers with a book of %s that keeps every digit', async (exchange, symbol) => {
    const { answer, receivedAt } = await readJson(book(exchange, symbol))
    expect(answer).toEqual({
      symbol,
      // Kraken and Binance date no book of a spot market.
      ...(exchange === 'okx' ? { timestamp: now } : {}),
      bids: [['1999.5', '20.123456789012345678']],
      asks: [['2000.5', '1.5']],
    })
    expect(receivedAt).toBe(now)
  })

  it.each(markets)('answers with candles of %s', async (exchange, symbol) => {
    const at = 1_767_600_000
    server.candles = [
      [at, '1.000000000000000001', '3', '0.5', '2'],
      [at + 3_600, '2', '4', '1', '3.000000000000000003'],
    ]
    const { answer } = await readJson({
      kind: 'CANDLES',
      exchange,
      symbol,
      timeframe: '1h',
      sinceMilliseconds: at * 1000,
      count: 100,
    })
    const rows = (answer as unknown[][]).map((row) => row.slice(0, 5))
    expect(rows).toEqual([
      [at * 1000, '1.000000000000000001', '3', '0.5', '2'],
      [(at + 3_600) * 1000, '2', '4', '1', '3.000000000000000003'],
    ])
  })

  it('is read for its markets once, and then for books only', async () => {
    server.paths.length = 0
    await readJson(book('kraken', 'ETH/USD'))
    await readJson(book('kraken', 'ETH/USD'))
    expect(server.paths.map((path) => path.split('?')[0])).toEqual([
      '/0/public/Depth',
      '/0/public/Depth',
    ])
  })

  it('leaves the order of a book as it is, for the check of the caller', async () => {
    server.bids = [
      ['1', '1'],
      ['2', '1'],
    ]
    const { answer } = await readJson(book('binance', 'ETH/USDC'))
    expect(answer.bids).toEqual([
      ['1', '1'],
      ['2', '1'],
    ])
  })

  it.each([
    [451, 'REGION_REFUSED: HTTP 451'],
    [403, 'REGION_REFUSED: HTTP 403'],
    [429, 'RATE_LIMITED: HTTP 429'],
    [418, 'RATE_LIMITED: HTTP 418'],
    [500, 'HTTP 500'],
  ])('that answers status %i fails with words', async (status, words) => {
    server.override = (_, response) => {
      response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>No</h1>')
      return true
    }
    expect(await failure(book('okx', 'ETH/USDC'))).toBe(words)
  })

  it('that answers with a page, or lacks the market, is refused', async () => {
    expect(await failure(book('kraken', 'NOPE/USD'))).toBe(
      'WRONG_SUBJECT, the exchange has no spot market with this symbol',
    )
    expect(await failure(book('mtgox', 'BTC/USD'))).toBe(
      'WRONG_SUBJECT, the service does not know this exchange',
    )
    server.override = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Maintenance</h1>')
      return true
    }
    expect(await refusal('okx', 'ETH/USDC')).toBe('SHAPE, a book without bids')
  })

  it('without a time dates its book by the receipt', async () => {
    const read = await wholeBook('kraken', 'ETH/USD')
    expect([read.at, read.clock]).toEqual([now / 1000, 'RECEIPT'])
    expect(read.bids[0]?.amount).toBe('20.123456789012345678')
    expect((await wholeBook('okx', 'ETH/USDC')).clock).toBe('EXCHANGE')
  })

  it('with a crossed, unsorted, old or slow book is refused', async () => {
    server.bids = [['3000', '1']]
    expect(await refusal('binance', 'ETH/USDC')).toBe('SHAPE, a crossed book')
    server.bids = [
      ['1998', '1'],
      ['1999', '1'],
    ]
    expect(await refusal('binance', 'ETH/USDC')).toBe('SHAPE, the levels of a book are not sorted')
    server.bids = [['1999', '1']]
    server.bookAt = now - 3_600_000
    expect(await refusal('okx', 'ETH/USDC')).toContain('STALE, a book more than')
    server.override = () => {
      now += 5_001
      return false
    }
    expect(await refusal('kraken', 'ETH/USD')).toBe('STALE, a book that took more than 5000 ms')
  })

  it('that does not answer ends its process, and the next read starts another', async () => {
    const asked = new Promise<void>((resolve) => {
      server.override = () => {
        resolve()
        return true
      }
    })
    const failed = failure(book('okx', 'ETH/USDC'))
    await asked
    // The exchange is silent; the time of the read ends.
    for (const task of [...scheduled]) task()
    expect(await failed).toBe('EXCHANGE_PROCESS: a read took too long')
    server.override = null
    const { answer } = await readJson(book('okx', 'ETH/USDC'))
    expect(answer.symbol).toBe('ETH/USDC')
    expect(scheduled.size).toBe(0)
  })

  it('is left alone after an abort, and answers the next read', async () => {
    const abort = new AbortController()
    const asked = new Promise<void>((resolve) => {
      server.override = () => {
        resolve()
        return true
      }
    })
    const aborted = process_.read(book('okx', 'ETH/USDC'), abort.signal)
    await asked
    abort.abort(new Error('The caller left.'))
    await expect(aborted).rejects.toThrow('The caller left.')
    server.override = null
    const { answer } = await readJson(book('okx', 'ETH/USDC'))
    expect(answer.symbol).toBe('ETH/USDC')
  })
})

describe('the process of the exchanges', () => {
  it('may request public data of its exchange only', () => {
    const url = (method: string, text: string) => () =>
      allowedUrl({ method, url: text }, 'kraken', new Map())
    expect(url('GET', 'https://api.kraken.com/0/public/Depth?pair=X')()).toBe(
      'https://api.kraken.com/0/public/Depth?pair=X',
    )
    for (const refused of [
      url('POST', 'https://api.kraken.com/0/private/Balance'),
      url('GET', 'http://api.kraken.com/0/public/Depth'),
      url('GET', 'https://api.kraken.com:8443/0/public/Depth'),
      url('GET', 'https://user:key@api.kraken.com/0/public/Depth'),
      url('GET', 'https://api.kraken.com.example.org/'),
      url('GET', 'https://169.254.169.254/latest/meta-data'),
      url('GET', 'https://api.binance.com/api/v3/depth'),
    ]) {
      expect(refused).toThrow('something else than public data')
    }
  })

  const started = (file: string, tasks: (() => void)[] = []) =>
    new ExchangeProcess({
      outbound: async () => outbound,
      clock: () => now,
      mirrors: new Map(),
      schedule: (task) => {
        tasks.push(task)
        return () => {}
      },
      worker: new URL(`./testing/${file}.ts`, import.meta.url),
    })

  it('is refused if it can reach the network by itself', async () => {
    const open = started('open-worker')
    await expect(open.read(book('kraken', 'ETH/USD'))).rejects.toThrow('EXCHANGES_NOT_ISOLATED')
    await open.close()
  })

  it('ends after a silence, and fails its reads', async () => {
    const tasks: (() => void)[] = []
    const silent = started('silent-worker', tasks)
    const failed = silent.read(book('kraken', 'ETH/USD'))
    // The start, the time of the read, and its first silence.
    await expect.poll(() => tasks.length).toBe(3)
    tasks[2]?.()
    await expect(failed).rejects.toThrow('EXCHANGE_PROCESS: it does not answer')
    await silent.close()
    await expect(silent.read(book('kraken', 'ETH/USD'))).rejects.toThrow('the service stops')
  })

  it('ends if it never starts to work', async () => {
    const tasks: (() => void)[] = []
    const mute = started('mute-worker', tasks)
    const failed = mute.read(book('kraken', 'ETH/USD'))
    await expect.poll(() => tasks.length).toBe(1)
    tasks[0]?.()
    await expect(failed).rejects.toThrow('EXCHANGE_PROCESS: it does not answer')
    await mute.close()
  })

  it.each([
    ['BAD', 'it breaks the protocol'],
    ['BIG', 'a line is too long'],
    ['LOOP', 'it sends too many requests'],
  ])('ends with the fault %s, and serves the next read anew', async (symbol, words) => {
    const hostile = started('hostile-worker')
    await expect(hostile.read(book('kraken', symbol))).rejects.toThrow(words)
    await expect(hostile.read(book('kraken', symbol))).rejects.toThrow(words)
    await hostile.close()
  })
})

describe('the list of exchanges', () => {
  it('equals that of the installed ccxt', async () => {
    const file = new URL('./exchanges.json', import.meta.url)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(await listExchanges())
  })

  it('has the tested exchanges', () => {
    for (const [name] of markets) {
      expect(exchanges[name]).toMatchObject({ hasBooks: true, hasCandles: true })
    }
  })
})
