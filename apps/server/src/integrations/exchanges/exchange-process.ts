import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { ExchangeAnswer, ExchangeRead, Exchanges } from '../../exchanges.ts'
import { limits } from '../../limits.ts'
import type { Outbound } from '../../outbound.ts'
import { required } from '../../required.ts'
import { FeedError } from '../feeds/feed-error.ts'
import { type FromParent, type FromWorker, messageOfLine } from './exchange-messages.ts'
import listed from './exchanges.json' with { type: 'json' }
import type { ListedExchange } from './list-exchanges.ts'

/** Exchanges by the name that ccxt gives them. */
export const exchanges: Readonly<Record<string, ListedExchange>> = listed

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
  readonly abort: AbortController
  readonly cancelDeadline: () => void
  /** Ends a silent child; null while a request of the read is open. */
  cancelSilence: (() => void) | null
  /** Requests since the start, and those without a response. */
  requests: number
  openRequests: number
  receivedAt: number
  roundTripMilliseconds: number
  /** Status of the last response; null before the first. */
  status: number | null
}

interface Child {
  readonly process: ChildProcessByStdio<Writable, Readable, null>
  /** Resolves with the report of the child; rejects if it ends before. */
  readonly isIsolated: Promise<boolean>
  /** Rejects `isIsolated`, if it is pending. */
  readonly fail: (why: string) => void
}

/**
 * Reads exchanges through ccxt in one child process without network. The guarded client sends a request
 * of the child if it is a GET to a listed host of the exchange. A child that ends, is silent, or breaks
 * the protocol is replaced at the next read.
 */
export class ExchangeProcess implements Exchanges {
  readonly #options: ExchangeOptions
  readonly #schedule: NonNullable<ExchangeOptions['schedule']>
  readonly #pending = new Map<number, Pending>()
  /** Last read by exchange; the next one waits for it. */
  readonly #turns = new Map<string, { last: Promise<unknown>; count: number }>()
  #child: Child | null = null
  #reads = 0
  #isClosed = false

  constructor(options: ExchangeOptions) {
    this.#options = options
    this.#schedule = options.schedule ?? afterDelay
  }

  async read(request: ExchangeRead, signal?: AbortSignal): Promise<ExchangeAnswer> {
    if (!Object.hasOwn(exchanges, request.exchange)) {
      throw FeedError.refused('WRONG_SUBJECT', 'the service does not know this exchange')
    }
    return this.#inTurn(request.exchange, async () => {
      signal?.throwIfAborted()
      return this.#readNow(request, signal)
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
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

  async #readNow(request: ExchangeRead, signal?: AbortSignal): Promise<ExchangeAnswer> {
    if (this.#isClosed) throw FeedError.unavailable('EXCHANGE_PROCESS: the service stops')
    const child = this.#open()
    if (!(await child.isIsolated)) {
      this.#end('its process can reach the network')
      throw FeedError.unavailable('EXCHANGES_NOT_ISOLATED')
    }
    signal?.throwIfAborted()
    this.#reads += 1
    const id = this.#reads
    return new Promise((resolve, reject) => {
      const abort = new AbortController()
      const pending: Pending = {
        request,
        resolve,
        reject,
        abort,
        cancelDeadline: this.#schedule(
          () => this.#end('a read took too long'),
          limits.exchangeReadMilliseconds,
        ),
        cancelSilence: this.#expectLife(),
        requests: 0,
        openRequests: 0,
        receivedAt: 0,
        roundTripMilliseconds: 0,
        status: null,
      }
      this.#pending.set(id, pending)
      signal?.addEventListener('abort', () => this.#settle(id)?.reject(signal.reason), {
        once: true,
      })
      send(child, { kind: 'READ', id, request })
    })
  }

  #expectLife(): () => void {
    return this.#schedule(() => this.#end('it does not answer'), limits.exchangeSilenceMilliseconds)
  }

  #open(): Child {
    if (this.#child) return this.#child
    const worker = this.#options.worker ?? new URL('./exchange-worker.ts', import.meta.url)
    const process_ = spawn(
      process.execPath,
      [
        '--permission',
        ...readablePaths(worker).map((path) => `--allow-fs-read=${path}`),
        `--max-old-space-size=${limits.exchangeMegabytes}`,
        '--no-warnings',
        fileURLToPath(worker),
      ],
      { env: {}, stdio: ['pipe', 'pipe', 'ignore'] },
    )
    const report = Promise.withResolvers<boolean>()
    const cancelSilence = this.#expectLife()
    const fail = (why: string) => {
      cancelSilence()
      report.reject(FeedError.unavailable(`EXCHANGE_PROCESS: ${why}`))
    }
    const child: Child = { process: process_, isIsolated: report.promise, fail }
    report.promise.catch(() => {})
    const end = (why: string) => {
      fail(why)
      if (this.#child === child) this.#end(why)
    }
    const take = (line: string) => {
      const message = messageOfLine(line)
      if (message === null) {
        end('it breaks the protocol')
      } else if (message.kind === 'READY') {
        cancelSilence()
        report.resolve(message.isIsolated)
      } else if (this.#child === child) {
        this.#take(message)
      }
    }
    readLines(process_.stdout, limits.exchangeLineBytes, take, () => end('a line is too long'))
    process_.on('exit', () => end('it ended'))
    process_.on('error', () => end('it could not start'))
    process_.stdin.on('error', () => end('it ended'))
    // Otherwise a signal of the child would open a debugger of the service.
    if (process.listenerCount('SIGUSR1') === 0) process.on('SIGUSR1', () => {})
    // A running child must not delay the exit of the service.
    process_.unref()
    this.#child = child
    return child
  }

  #take(message: Exclude<FromWorker, { kind: 'READY' }>): void {
    if (message.kind === 'FETCH') {
      void this.#fetch(message)
      return
    }
    const pending = this.#settle(message.id)
    if (!pending) return
    if (message.kind === 'FAILED') {
      pending.reject(errorOf(message.name, pending))
      return
    }
    const { receivedAt, roundTripMilliseconds } = pending
    const body = Buffer.from(message.json)
    if (body.length > limits.feedAnswerBytes) {
      pending.reject(FeedError.refused('TOO_LARGE', `more than ${limits.feedAnswerBytes} bytes`))
      return
    }
    pending.resolve({ body, receivedAt, roundTripMilliseconds })
  }

  /** Takes a read from the pending ones and ends its timers and requests. */
  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    pending?.cancelDeadline()
    pending?.cancelSilence?.()
    pending?.abort.abort()
    return pending
  }

  async #fetch(message: FromWorker & { kind: 'FETCH' }): Promise<void> {
    const { id, readId } = message
    const pending = this.#pending.get(readId)
    const child = this.#child
    if (!pending || !child) return
    pending.requests += 1
    pending.openRequests += 1
    if (
      pending.requests > limits.exchangeRequests ||
      pending.openRequests > limits.exchangeOpenRequests
    ) {
      this.#end('it sends too many requests')
      return
    }
    pending.cancelSilence?.()
    pending.cancelSilence = null
    const sentAt = this.#options.clock()
    try {
      const url = allowedUrl(message, pending.request.exchange, this.#options.mirrors)
      const outbound = await this.#options.outbound()
      const { status, headers, body } = await outbound.request(url, {
        headers: { accept: 'application/json', 'user-agent': 'liquidity-os' },
        timeoutMs: limits.exchangeMilliseconds,
        maxBytes: limits.exchangeAnswerBytes,
        signal: pending.abort.signal,
      })
      pending.receivedAt = this.#options.clock()
      pending.roundTripMilliseconds = pending.receivedAt - sentAt
      pending.status = status
      send(child, {
        kind: 'FETCHED',
        id,
        status,
        contentType: headers['content-type'] ?? 'application/json',
        text: new TextDecoder().decode(body),
      })
    } catch {
      // The read fails with a named error of ccxt, which knows no reason.
      send(child, { kind: 'FETCH_FAILED', id })
    }
    pending.openRequests -= 1
    if (this.#pending.get(readId) === pending && pending.openRequests === 0) {
      pending.cancelSilence = this.#expectLife()
    }
  }

  /** Ends the child and all its reads. */
  #end(why: string): void {
    const child = this.#child
    this.#child = null
    child?.fail(why)
    child?.process.kill('SIGKILL')
    for (const id of [...this.#pending.keys()]) {
      this.#settle(id)?.reject(FeedError.unavailable(`EXCHANGE_PROCESS: ${why}`))
    }
  }
}

/** Splits a stream into lines of bounded length. */
function readLines(
  stream: Readable,
  maxBytes: number,
  take: (line: string) => void,
  refuse: () => void,
): void {
  let parts: Buffer[] = []
  let bytes = 0
  stream.on('data', (chunk: Buffer) => {
    let rest = chunk
    for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10)) {
      take(Buffer.concat([...parts, rest.subarray(0, at)]).toString())
      parts = []
      bytes = 0
      rest = rest.subarray(at + 1)
    }
    if (rest.length === 0) return
    parts.push(rest)
    bytes += rest.length
    if (bytes <= maxBytes) return
    stream.destroy()
    refuse()
  })
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

/** Files of the worker, and the folders of ccxt and its packages; a scope counts as one package. */
function readablePaths(worker: URL): string[] {
  const entry = fileURLToPath(import.meta.resolve('ccxt'))
  const packages = entry.slice(0, entry.lastIndexOf('node_modules') + 'node_modules'.length)
  const { dependencies } = JSON.parse(
    readFileSync(join(packages, 'ccxt', 'package.json'), 'utf8'),
  ) as { readonly dependencies: Readonly<Record<string, string>> }
  const names = Object.keys(dependencies).map((name) => required(name.split('/')[0], name))
  const units = new URL('../../units.ts', import.meta.url)
  return [
    fileURLToPath(worker),
    fileURLToPath(units),
    ...[...new Set(['ccxt', ...names])].map((name) => join(packages, name)),
  ]
}

function send({ process }: Child, message: FromParent): void {
  if (process.stdin.writable) process.stdin.write(`${JSON.stringify(message)}\n`)
}

function afterDelay(task: () => void, milliseconds: number): () => void {
  const timer = setTimeout(task, milliseconds)
  timer.unref()
  return () => clearTimeout(timer)
}
