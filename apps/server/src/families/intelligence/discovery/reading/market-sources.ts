import type { contract } from '@liquidity-os/contract'
import type { Address } from 'viem'
import { AnswerJsonError, parseAnswer } from '../../../../answer-json.ts'
import type {
  ListedToken,
  MarketDialect,
  ReportedMarket,
} from '../../../../integrations/market-data/dialect.ts'
import {
  type MarketDialectName,
  marketDialects,
} from '../../../../integrations/market-data/dialects.ts'
import {
  OutboundError,
  OutboundFailedError,
} from '../../../../integrations/outbound/outbound-error.ts'
import { headerDelay } from '../../../../integrations/outbound/retry-after.ts'
import { limits } from '../../../../limits.ts'
import type { PublicChainAccess } from '../../../../services.ts'
import { minuteMilliseconds, secondMilliseconds } from '../../../../units.ts'
import { UpstreamBusyError, UpstreamLine } from './upstream.ts'

/** Reason for a missing response. The detail contains no URL and no query. */
export interface SourceGap {
  readonly code: 'CALL_FAILED' | 'DEADLINE'
  readonly detail: string
}

/** A response of a provider with the time of its arrival, or the reason for its absence. */
export type SourceAnswer<Value> =
  | { readonly value: Value; readonly at: number; readonly gap: null }
  | { readonly value: null; readonly at: null; readonly gap: SourceGap }

class SourceError extends Error {
  override readonly name = 'SourceError'
  readonly gap: SourceGap
  constructor(gap: SourceGap, cause?: unknown) {
    super(gap.detail, { cause })
    this.gap = gap
  }
}

interface CacheEntry {
  readonly at: number
  readonly value: Promise<unknown>
  /** The newest response. */
  arrived: { readonly at: number; readonly value: unknown } | null
}

/** A market data provider of the deployment. */
export class MarketSource {
  readonly name: MarketDialectName
  readonly host: string
  readonly #dialect: MarketDialect
  readonly #endpoint: string
  readonly #services: PublicChainAccess
  readonly #line: UpstreamLine
  readonly #cache = new Map<string, CacheEntry>()
  /** Times of the requests of the last minute. */
  #sent: number[] = []
  /** No requests before this time, because the provider failed or asked to wait. */
  #restUntil = 0
  #isLive: boolean | null = null
  #lastSuccessAt: number | null = null

  constructor(
    { dialect, endpoint }: { dialect: MarketDialectName; endpoint: string | null },
    services: PublicChainAccess,
    line: UpstreamLine,
  ) {
    this.name = dialect
    this.#dialect = marketDialects[dialect]
    this.#endpoint = (endpoint ?? this.#dialect.endpoint).replace(/\/+$/, '')
    this.host = new URL(this.#endpoint).host
    this.#services = services
    this.#line = line
  }

  get methods(): MarketDialect['methods'] {
    return this.#dialect.methods
  }

  get status(): contract.MarketDiscoveryCapabilities['marketData'][number] {
    return {
      host: this.host,
      dialect: this.name,
      live: this.#isLive,
      lastSuccessAt:
        this.#lastSuccessAt === null ? null : new Date(this.#lastSuccessAt).toISOString(),
      remaining: Math.max(0, this.#dialect.requestsPerMinute - this.#recent().length),
    }
  }

  /** Tokens that match a query, without duplicates, in the order of the provider. */
  search(query: string): Promise<SourceAnswer<readonly ListedToken[]>> {
    return this.#answer(`search ${query}`, async () => {
      const found = await this.#dialect.search(this.#ask, query)
      const byKey = new Map(found.map((token) => [`${token.chainId} ${token.address}`, token]))
      return [...byKey.values()].slice(0, limits.publicListedTokens)
    })
  }

  /** The market of a token; null if the provider does not list the token. */
  async readMarket(
    chainId: number,
    address: Address,
  ): Promise<SourceAnswer<{ readonly market: ReportedMarket | null }>> {
    const chain = this.#dialect.chains[chainId]
    if (chain === undefined)
      return { value: { market: null }, at: this.#services.clock(), gap: null }
    return this.#answer(`market ${chainId} ${address}`, async () => ({
      market: await this.#dialect.readMarket(this.#ask, chain, address),
    }))
  }

  /** Equal requests within a minute share one response. After a failure, an older response serves for ten minutes. */
  async #answer<Value>(key: string, read: () => Promise<Value>): Promise<SourceAnswer<Value>> {
    const now = this.#services.clock()
    const known = this.#cache.get(key)
    const isFresh = known && now - known.at < limits.publicReadingLifetimeMilliseconds
    const entry = isFresh ? known : this.#start(key, now, read, known?.arrived ?? null)
    try {
      const value = (await entry.value) as Value
      return { value, at: entry.arrived?.at ?? now, gap: null }
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      const { arrived } = entry
      if (arrived && now - arrived.at < limits.publicAnswerLifetimeMilliseconds) {
        return { value: arrived.value as Value, at: arrived.at, gap: null }
      }
      return { value: null, at: null, gap: error.gap }
    }
  }

  #start(
    key: string,
    at: number,
    read: () => Promise<unknown>,
    arrived: CacheEntry['arrived'],
  ): CacheEntry {
    const value = this.#reported(read)
    const entry: CacheEntry = { at, value, arrived }
    this.#cache.delete(key)
    this.#cache.set(key, entry)
    for (const [oldest] of this.#cache) {
      if (this.#cache.size <= limits.publicReadings) break
      this.#cache.delete(oldest)
    }
    value.then(
      (answer) => {
        entry.arrived = { at: this.#services.clock(), value: answer }
      },
      // The callers receive the error. The next request tries again.
      () => {
        if (this.#cache.get(key) === entry) this.#cache.set(key, { ...entry, at: 0 })
      },
    )
    return entry
  }

  async #reported<Value>(read: () => Promise<Value>): Promise<Value> {
    try {
      const value = await read()
      this.#isLive = true
      this.#lastSuccessAt = this.#services.clock()
      return value
    } catch (error) {
      const failure = this.#failureOf(error)
      this.#isLive = false
      this.#services.log.info(
        { host: this.host, reason: failure.gap.detail },
        'A market data provider did not respond.',
      )
      throw failure
    }
  }

  #failureOf(error: unknown): SourceError {
    if (error instanceof SourceError) return error
    const fail = (code: SourceGap['code'], words: string) =>
      new SourceError({ code, detail: `${this.host} ${words}.` }, error)
    if (error instanceof UpstreamBusyError) {
      return fail('CALL_FAILED', 'received no request, because too many public requests wait')
    }
    if (error instanceof AnswerJsonError) {
      return fail('CALL_FAILED', 'responded in another form than its API describes')
    }
    if (error instanceof OutboundFailedError && error.code === 'TIMED_OUT') {
      return fail('DEADLINE', 'did not respond in time')
    }
    if (error instanceof OutboundError) return fail('CALL_FAILED', 'could not be reached')
    // The other providers still respond.
    this.#services.log.error(
      { err: error, host: this.host },
      'A response of a market data provider could not be read.',
    )
    return fail('CALL_FAILED', 'sent a response that could not be read')
  }

  /** Waits as long as the provider demands, at most ten minutes; without a demand, ten seconds. */
  #rest(retryAfter: string | null): void {
    const now = this.#services.clock()
    const delay = headerDelay(retryAfter, now) ?? limits.marketDataRestMilliseconds
    const end = now + Math.min(delay, limits.publicAnswerLifetimeMilliseconds)
    this.#restUntil = Math.max(this.#restUntil, end)
  }

  #recent(): number[] {
    const now = this.#services.clock()
    this.#sent = this.#sent.filter((at) => now - at < minuteMilliseconds)
    return this.#sent
  }

  readonly #ask = async (
    path: readonly string[],
    query: Readonly<Record<string, string>> = {},
  ): Promise<unknown> => {
    const now = this.#services.clock()
    if (now < this.#restUntil) {
      const seconds = Math.ceil((this.#restUntil - now) / secondMilliseconds)
      const detail = `${this.host} received no request: it failed before, and the next request is due in ${seconds} s.`
      throw new SourceError({ code: 'CALL_FAILED', detail })
    }
    if (this.#recent().length >= this.#dialect.requestsPerMinute) {
      const detail = `${this.host} received no request: the ${this.#dialect.requestsPerMinute} requests of this minute are used.`
      throw new SourceError({ code: 'CALL_FAILED', detail })
    }
    this.#sent.push(now)
    const url = new URL(`${this.#endpoint}/${path.map(encodeURIComponent).join('/')}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const outbound = await this.#services.outbound()
    const { status, headers, body } = await this.#line
      .run(() =>
        outbound.request(url.href, {
          headers: { accept: 'application/json' },
          timeoutMs: Math.ceil((this.#services.config.publicReadMilliseconds * 5) / 16),
          maxBytes: limits.publicUpstreamBytes,
        }),
      )
      .catch((error: unknown) => {
        if (error instanceof OutboundError) this.#rest(null)
        throw error
      })
    if (status === 404) return null
    if (status !== 200) {
      this.#rest(headers['retry-after'] ?? null)
      const words =
        status === 429 ? 'refused the request for its rate limit' : 'refused the request'
      throw new SourceError({
        code: 'CALL_FAILED',
        detail: `${this.host} ${words} (HTTP ${status}).`,
      })
    }
    return parseAnswer(body, 'TEXT')
  }
}

const opened = new WeakMap<object, readonly MarketSource[]>()

/** The market data providers of the deployment, in the configured order. A process has a single set. */
export function marketSources(services: PublicChainAccess): readonly MarketSource[] {
  const known = opened.get(services)
  if (known) return known
  const line = new UpstreamLine({
    atOnce: limits.publicUpstreamAtOnce,
    waiting: limits.publicUpstreamWaiting,
    waitMilliseconds: limits.publicUpstreamWaitMilliseconds,
  })
  const sources = services.config.publicMarketData.map(
    (declared) => new MarketSource(declared, services, line),
  )
  opened.set(services, sources)
  return sources
}
