/**
 * Runs ccxt in a process without network, other files or child processes. Its requests go to the
 * parent, which checks them. Started by `exchange-process.ts` only.
 */
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import type { ExchangeRead } from '../../exchanges.ts'
import { hourMilliseconds } from '../../units.ts'
import type { FromParent, FromWorker } from './exchange-messages.ts'

/** The part of an exchange class of ccxt that this process uses. */
interface Exchange {
  loadMarkets(reload?: boolean): Promise<unknown>
  fetchOrderBook(symbol: string, limit?: number): Promise<Book>
  fetchOHLCV(symbol: string, timeframe: string, since: number, limit: number): Promise<unknown[][]>
  safeString(entry: unknown, key: number | string): string | undefined
  parseOrderBookBidAsk: (entry: unknown, price?: number, amount?: number) => unknown
  sortBy: (rows: unknown) => unknown
  fetchImplementation: (url: string, options: FetchOptions) => Promise<Response>
}

interface Book {
  readonly symbol?: string
  readonly timestamp?: number
  readonly bids: readonly unknown[]
  readonly asks: readonly unknown[]
}

interface FetchOptions {
  readonly method?: string
  readonly headers?: Record<string, string>
}

/** A number of levels that all exchanges accept. */
const bookLevels = 100
const maxExchanges = 16
const userAgent = 'liquidity-os'

const ccxt = import.meta.resolve('ccxt')
const opened = new Map<string, { exchange: Exchange; loadedAt: number }>()
const waiting = new Map<
  number,
  { resolve: (response: Response) => void; reject: (error: Error) => void }
>()
let fetches = 0

const send = (message: FromWorker): void => {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}

// The service and this process have the same user: a package must not signal the service.
Object.assign(process, { kill: refuseSignal, _kill: refuseSignal })
const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  const message = JSON.parse(line) as FromParent
  if (message.kind === 'READ') void answer(message.id, message.request)
  else settle(message)
})
lines.on('close', () => process.exit(0))
void reportIsolation()

function refuseSignal(): never {
  throw new Error('This process sends no signals.')
}

/** The parent refuses a process that can open a connection by itself. */
async function reportIsolation(): Promise<void> {
  const error = await new Promise<unknown>((resolve) => {
    try {
      const socket = connect({ host: '127.0.0.1', port: 9 })
      socket.on('connect', () => resolve(null))
      socket.on('error', resolve)
    } catch (thrown) {
      resolve(thrown)
    }
  })
  const code = (error as { code?: unknown } | null)?.code
  send({ kind: 'READY', isIsolated: code === 'ERR_ACCESS_DENIED' })
}

async function answer(id: number, request: ExchangeRead): Promise<void> {
  try {
    const exchange = await openExchange(id, request.exchange)
    const body =
      request.kind === 'BOOK' ? await bookOf(exchange, request) : await candlesOf(exchange, request)
    send({ kind: 'ANSWER', id, json: JSON.stringify(body) })
  } catch (error) {
    send({ kind: 'FAILED', id, name: nameOf(error) })
  }
}

/** Candles by time; some exchanges send the newest first. */
async function candlesOf(
  exchange: Exchange,
  { symbol, timeframe, sinceMilliseconds, count }: ExchangeRead & { kind: 'CANDLES' },
) {
  const rows = await exchange.fetchOHLCV(symbol, timeframe, sinceMilliseconds, count)
  return rows.toSorted((a, b) => Number(a[0]) - Number(b[0]))
}

async function bookOf(exchange: Exchange, { symbol, levels }: ExchangeRead & { kind: 'BOOK' }) {
  const { bids, asks, ...book } = await exchange.fetchOrderBook(symbol, bookLevels)
  return {
    symbol: book.symbol,
    ...(book.timestamp === undefined ? {} : { timestamp: book.timestamp }),
    bids: bids.slice(0, levels),
    asks: asks.slice(0, levels),
  }
}

/** Instance of an exchange with its markets, which are read again after an hour. */
async function openExchange(readId: number, name: string): Promise<Exchange> {
  const known = opened.get(name)
  const exchange = known?.exchange ?? (await createExchange(name))
  // Requests of one exchange follow each other, so the current read owns its requests.
  exchange.fetchImplementation = (url, options) => fetchThroughParent(readId, url, options)
  const isOld = !known || Date.now() - known.loadedAt > hourMilliseconds
  if (isOld) {
    await exchange.loadMarkets(true)
    if (opened.size >= maxExchanges) opened.delete([...opened.keys()][0] as string)
    opened.delete(name)
    opened.set(name, { exchange, loadedAt: Date.now() })
  }
  return exchange
}

async function createExchange(name: string): Promise<Exchange> {
  if (!/^[a-z0-9]+$/.test(name)) throw new Error('An exchange has a plain name.')
  // The package exports its root only, which loads all exchanges.
  const { default: Kind } = (await import(new URL(`./src/${name}.js`, ccxt).href)) as {
    default: new (options: object) => Exchange
  }
  const exchange = new Kind({
    // Prices stay texts; a double would lose digits.
    number: String,
    userAgent,
    enableRateLimit: true,
    options: { defaultType: 'spot', fetchMarkets: { types: ['spot'] } },
  })
  exchange.parseOrderBookBidAsk = function parseLevel(entry, price = 0, amount = 1) {
    return [exchange.safeString(entry, price), exchange.safeString(entry, amount)]
  }
  // The parent checks the order.
  exchange.sortBy = (rows) => rows
  return exchange
}

function fetchThroughParent(
  readId: number,
  url: string,
  { method = 'GET' }: FetchOptions,
): Promise<Response> {
  fetches += 1
  const id = fetches
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject })
    send({ kind: 'FETCH', id, readId, method, url })
  })
}

function settle(message: Exclude<FromParent, { kind: 'READ' }>): void {
  const found = waiting.get(message.id)
  if (!found) return
  waiting.delete(message.id)
  if (message.kind === 'FETCH_FAILED') {
    found.reject(new Error('The request was not answered.'))
    return
  }
  const isEmpty = message.status === 204 || message.status === 304
  const body = isEmpty ? null : message.text
  const headers = { 'content-type': message.contentType }
  found.resolve(new Response(body, { status: message.status, headers }))
}

/** Class of an error of ccxt; its text can quote the exchange and stays here. */
const nameOf = (error: unknown): string =>
  error instanceof Error ? error.constructor.name : 'Error'
