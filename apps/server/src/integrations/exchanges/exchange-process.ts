import { type ChildProcess, fork } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ExchangeAnswer, ExchangeRead, Exchanges } from '../../exchanges.ts'
import { limits } from '../../limits.ts'
import type { Outbound } from '../../outbound.ts'
import { required } from '../../required.ts'
import { FeedError } from '../feeds/feed-error.ts'
import type { FromParent, FromWorker } from './exchange-messages.ts'
import listed from './exchanges.json' with { type: 'json' }
import type { ListedExchange } from './list-exchanges.ts'

/** Exchanges by the name that ccxt gives them. */
export const exchanges: Readonly<Record<string, ListedExchange>> = listed

/** Exchanges with a wire format in the tests. */
export const testedExchanges: ReadonlySet<string> = new Set(['binance', 'kraken', 'okx'])

export interface ExchangeOptions {
  readonly outbound: () => Promise<Pick<Outbound, 'request'>>
  readonly clock: () => number
  /** URL by host, for a deployment that reaches exchanges through a mirror. */
  readonly mirrors: ReadonlyMap<string, string>
  /** Runs a task later, and returns a function that cancels it. */
  readonly schedule?: (task: () => void, milliseconds: number) => () => void
  /** Module of the process; another one in tests. */
  readonly worker?: URL
}

interface Pending {
  readonly request: ExchangeRead
  readonly resolve: (answer: ExchangeAnswer) => void
  readonly reject: (error: unknown) => void
  cancelTimeout: () => void
  receivedAt: number
  roundTripMilliseconds: number
  /** Status of the last response; null before the first. */
  status: number | null
}

/**
 * Reads exchanges through ccxt in one child process without network. The guarded client sends a request
 * of the child if it is a GET to a listed host of the exchange.
 * A child that ends, or does not answer in time, is replaced at the next read.
 */
export class ExchangeProcess implements Exchanges {
  readonly #options: ExchangeOptions
  readonly #schedule: NonNullable<ExchangeOptions['schedule']>
  readonly #pending = new Map<number, Pending>()
  /** Last read by exchange; the next one waits for it. */
  readonly #turns = new Map<string, { last: Promise<unknown>; count: number }>()
  #child: { readonly process: ChildProcess; readonly isIsolated: Promise<boolean> } | null = null
  #reads = 0

  constructor(options: ExchangeOptions) {
    this.#options = options
    this.#schedule = options.schedule ?? afterDelay
  }

  async read(request: ExchangeRead, signal?: AbortSignal): Promise<ExchangeAnswer> {
    if (!Object.hasOwn(exchanges, request.exchange)) {
      throw FeedError.refused('WRONG_SUBJECT', 'the service does not know this exchange')
    }
    signal?.throwIfAborted()
    return this.#inTurn(request.exchange, () => this.#readNow(request))
  }

  async close(): Promise<void> {
    this.#end('the service stops')
  }

  /** One read of an exchange at a time. */
  async #inTurn<T>(exchange: string, work: () => Promise<T>): Promise<T> {
    const turn = this.#turns.get(exchange) ?? { last: Promise.resolve(), count: 0 }
    if (turn.count >= limits.exchangeReads) throw FeedError.unavailable('EXCHANGE_BUSY')
    const done = turn.last.then(work)
    const settled = done.catch(() => {})
    this.#turns.set(exchange, { last: settled, count: turn.count + 1 })
    try {
      return await done
    } finally {
      const current = required(this.#turns.get(exchange), exchange)
      if (current.count === 1) this.#turns.delete(exchange)
      else this.#turns.set(exchange, { ...current, count: current.count - 1 })
    }
  }

  async #readNow(request: ExchangeRead): Promise<ExchangeAnswer> {
    const child = this.#open()
    if (!(await child.isIsolated)) {
      this.#end('its process can reach the network')
      throw FeedError.unavailable('EXCHANGES_NOT_ISOLATED')
    }
    this.#reads += 1
    const id = this.#reads
    return new Promise((resolve, reject) => {
      const pending: Pending = {
        request,
        resolve,
        reject,
        cancelTimeout: this.#expectLife(),
        receivedAt: 0,
        roundTripMilliseconds: 0,
        status: null,
      }
      this.#pending.set(id, pending)
      send(child.process, { kind: 'READ', id, request })
    })
  }

  /** Ends a silent child. Each of its messages starts the time again. */
  #expectLife(): () => void {
    return this.#schedule(() => this.#end('it does not answer'), limits.exchangeSilenceMilliseconds)
  }

  #open() {
    if (this.#child) return this.#child
    const worker = this.#options.worker ?? new URL('./exchange-worker.ts', import.meta.url)
    const process = fork(worker, {
      execArgv: [
        '--permission',
        ...readableFolders(worker).map((folder) => `--allow-fs-read=${folder}`),
        `--max-old-space-size=${limits.exchangeMegabytes}`,
        '--no-warnings',
      ],
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const isIsolated = new Promise<boolean>((resolve) => {
      process.on('message', (message: FromWorker) => {
        if (message.kind === 'READY') resolve(message.isIsolated)
      })
      process.on('exit', () => resolve(false))
      process.on('error', () => resolve(false))
    })
    const child = { process, isIsolated }
    process.on('message', (message: FromWorker) => {
      if (this.#child === child) this.#take(message)
    })
    process.on('exit', () => {
      if (this.#child === child) this.#end('it ended')
    })
    // A running child must not delay the exit of the service.
    process.unref()
    process.channel?.unref()
    this.#child = child
    return child
  }

  #take(message: FromWorker): void {
    if (message.kind === 'READY') return
    if (message.kind === 'FETCH') {
      void this.#fetch(message)
      return
    }
    const pending = this.#pending.get(message.id)
    if (!pending) return
    this.#pending.delete(message.id)
    pending.cancelTimeout()
    if (message.kind === 'FAILED') {
      pending.reject(errorOf(message.name, pending))
      return
    }
    const { receivedAt, roundTripMilliseconds } = pending
    const body = Buffer.from(message.json)
    pending.resolve({ body, receivedAt, roundTripMilliseconds })
  }

  async #fetch(message: FromWorker & { kind: 'FETCH' }): Promise<void> {
    const { id, readId } = message
    const pending = this.#pending.get(readId)
    const child = this.#child
    if (!pending || !child) return
    pending.cancelTimeout()
    const sentAt = this.#options.clock()
    try {
      const url = allowedUrl(message, pending.request.exchange, this.#options.mirrors)
      const outbound = await this.#options.outbound()
      const { status, headers, body } = await outbound.request(url, {
        headers: { accept: 'application/json', 'user-agent': 'liquidity-os' },
        timeoutMs: limits.exchangeMilliseconds,
        maxBytes: limits.exchangeAnswerBytes,
      })
      pending.receivedAt = this.#options.clock()
      pending.roundTripMilliseconds = pending.receivedAt - sentAt
      pending.status = status
      send(child.process, {
        kind: 'FETCHED',
        id,
        status,
        contentType: headers['content-type'] ?? 'application/json',
        text: new TextDecoder().decode(body),
      })
    } catch {
      // The read fails with a named error of ccxt, which knows no reason.
      send(child.process, { kind: 'FETCH_FAILED', id })
    }
    if (this.#pending.get(readId) === pending) pending.cancelTimeout = this.#expectLife()
  }

  /** Ends the child and all its reads. */
  #end(why: string): void {
    const child = this.#child
    this.#child = null
    child?.process.kill('SIGKILL')
    const failed = [...this.#pending.values()]
    this.#pending.clear()
    for (const { cancelTimeout, reject } of failed) {
      cancelTimeout()
      reject(FeedError.unavailable(`EXCHANGE_PROCESS: ${why}`))
    }
  }
}

/**
 * URL of a request of the child, or of its mirror.
 *
 * @throws Error unless it is a GET to a listed host of the exchange, without credentials
 */
export function allowedUrl(
  { method, url }: { readonly method: string; readonly url: string },
  exchange: string,
  mirrors: ReadonlyMap<string, string>,
): string {
  const { protocol, host, username, password, pathname, search } = new URL(url)
  const isListed = exchanges[exchange]?.hosts.includes(host) === true
  if (
    method !== 'GET' ||
    protocol !== 'https:' ||
    !isListed ||
    username !== '' ||
    password !== ''
  ) {
    throw new Error('The process of the exchanges requests something else than public data.')
  }
  const mirror = mirrors.get(host)
  return mirror === undefined ? url : `${mirror.replace(/\/$/, '')}${pathname}${search}`
}

/** Reason of a failed read, from the status of the exchange and the error class of ccxt. */
function errorOf(name: string, { status }: Pick<Pending, 'status'>): FeedError {
  if (status === 403 || status === 451)
    return FeedError.unavailable(`REGION_REFUSED: HTTP ${status}`)
  if (status === 429 || status === 418) return FeedError.unavailable(`RATE_LIMITED: HTTP ${status}`)
  if (name === 'BadSymbol') {
    return FeedError.refused('WRONG_SUBJECT', 'the exchange has no spot market with this symbol')
  }
  if (status !== null && status >= 400) return FeedError.unavailable(`HTTP ${status}`)
  return status === null
    ? FeedError.unavailable('NO_RESPONSE')
    : FeedError.refused('SHAPE', 'the exchange answers in a form that the service cannot read')
}

/** Folders of the worker and of the packages. */
function readableFolders(worker: URL): string[] {
  const packages = fileURLToPath(import.meta.resolve('ccxt')).replace(
    /([/\\]node_modules)[/\\].*$/,
    '$1',
  )
  return [dirname(fileURLToPath(worker)), packages]
}

function send(child: ChildProcess, message: FromParent): void {
  if (child.connected) child.send(message)
}

function afterDelay(task: () => void, milliseconds: number): () => void {
  const timer = setTimeout(task, milliseconds)
  timer.unref()
  return () => clearTimeout(timer)
}
