import type { IncomingMessage, ServerResponse } from 'node:http'
import { parse as parseQuery } from 'node:querystring'
import { takesBody } from '@liquidity-os/contract/outline'
import { Failure } from '../failure.ts'
import { limits } from '../limits.ts'
import { required } from '../required.ts'
import { isLeaving, type Services } from '../services.ts'
import { daySeconds } from '../units.ts'
import { clientAddressOf } from './client-address.ts'
import { newCorrelationId } from './correlation-id.ts'
import { failureOf, logFailure } from './failure-of.ts'
import { Pipeline } from './pipeline.ts'
import { answerReply, failureReply, type Reply, writeReply } from './reply.ts'
import { noBytes, readBody } from './request-body.ts'
import type { Route, RouteRequest } from './route.ts'
import type { Match, Router } from './router.ts'

/** Status in metrics if the client disconnects before the response; never sent. */
const clientDisconnected = 499

/**
 * Handles every request directly on node:http. Router, pipeline and two functions replace a
 * framework, which saves a tenth of the time of a mutation. Limits, correlation IDs, errors,
 * metrics, logs and shutdown are implemented once for contract operations and extra routes.
 */
export class Listener {
  readonly #services: Services
  readonly #router: Router
  readonly #pipeline: Pipeline
  /**
   * Headers of every response. HSTS covers this host only: other services of the domain are outside
   * this deployment.
   */
  readonly #always: Readonly<Record<string, string>>

  constructor(services: Services, router: Router) {
    this.#services = services
    this.#always = services.config.baseUrl.startsWith('https:')
      ? { 'strict-transport-security': `max-age=${365 * daySeconds}` }
      : {}
    this.#router = router
    this.#pipeline = new Pipeline(services)
  }

  serve(request: IncomingMessage, response: ServerResponse): void {
    this.#serve(request, response).catch((error: unknown) => {
      this.#services.log.error({ err: error }, 'Failed to write a response.')
      response.destroy()
    })
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = performance.now()
    // Node has read both before it emits a request.
    const method = required(request.method, 'method')
    const match = this.#router.find(method, required(request.url, 'path'))
    const operationId = match?.route.id ?? 'unknown'
    const correlationId = newCorrelationId()
    const notices: Record<string, string> = { ...this.#always }
    const aborted = leaving(response)
    let reply: Reply
    try {
      reply = answerReply(await this.#answer(match, request, { notices, aborted }), correlationId)
    } catch (error) {
      if (isStopped(error) && aborted().aborted) {
        this.#services.metrics.observe(
          operationId,
          clientDisconnected,
          performance.now() - startedAt,
        )
        return
      }
      const original = failureOf(error, request.method === 'GET' || request.method === 'HEAD')
      const failure = match?.route.retold?.(original) ?? original
      const refusal = match?.route.refusal?.(failure)
      reply = refusal
        ? answerReply(refusal, correlationId)
        : failureReply(failure, correlationId, match?.route.refusalCacheControl)
      // While the database is unavailable, the waiting code logs each attempt once.
      if (this.#services.phase !== 'WAITING') {
        logFailure(this.#services.log, failure, { correlationId, operationId })
      }
      // Do not wait for the rest of an oversized body.
      if (!request.complete) notices.connection = 'close'
    }
    // Clients then open a new connection, which reaches a node that stays up.
    if (isLeaving(this.#services)) notices.connection = 'close'
    this.#services.metrics.observe(operationId, reply.status, performance.now() - startedAt)
    if (this.#services.log.isLevelEnabled('debug')) {
      this.#services.log.debug({ correlationId, operationId, status: reply.status }, 'served')
    }
    writeReply(response, reply, notices)
  }

  async #answer(
    match: Match | null,
    request: IncomingMessage,
    reported: Pick<RouteRequest, 'notices' | 'aborted'>,
  ): Promise<Reply> {
    const { method = '', url = '' } = request
    refuseNul(url)
    refuseHosts(request.rawHeaders)
    if (match === null) throw this.#noRoute(url, reported.notices)
    const { route, params } = match
    if (this.#services.phase === 'WAITING' && !route.isServedWaiting) {
      throw new Failure('LIQUIDITY_STORE_UNAVAILABLE')
    }
    const query = url.indexOf('?')
    return route.answer({
      method,
      url,
      params,
      ...reported,
      headers: request.headers,
      query: query < 0 ? {} : { ...parseQuery(url.slice(query + 1)) },
      bytes: takesBody(route) ? await readBody(request, bodyLimit(route, request)) : noBytes,
      clientAddress: () => clientAddressOf(request, this.#services.config.trustedProxyHops),
      services: this.#services,
      pipeline: this.#pipeline,
    })
  }

  #noRoute(url: string, notices: Record<string, string>): Failure {
    const methods = this.#router.methodsOf(url)
    if (methods.length === 0) return new Failure('LIQUIDITY_ROUTE_NOT_FOUND')
    notices.allow = methods.join(', ')
    return new Failure('LIQUIDITY_METHOD_NOT_ALLOWED')
  }
}

/**
 * Requests without a credential get a smaller body limit, so third parties cannot make the service
 * read and parse megabytes.
 */
function bodyLimit(
  { bodyLimitBytes = limits.bodyBytes }: Route,
  { headers }: IncomingMessage,
): number {
  const isAnonymous = headers.authorization === undefined && headers.cookie === undefined
  return isAnonymous ? Math.min(bodyLimitBytes, limits.anonymousBodyBytes) : bodyLimitBytes
}

/** Abort signal for an early client disconnect; created only for requests that can stop. */
function leaving(response: ServerResponse): () => AbortSignal {
  let controller: AbortController | null = null
  const isEarly = () => response.destroyed && !response.writableFinished
  return () => {
    if (controller) return controller.signal
    const made = new AbortController()
    controller = made
    if (isEarly()) made.abort()
    else response.once('close', () => isEarly() && made.abort())
    return made.signal
  }
}

const isStopped = (error: unknown) => (error as { name?: unknown } | null)?.name === 'AbortError'

/**
 * PostgreSQL stores no NUL and would reject the whole message, which contains other requests too.
 *
 * @throws Failure 400
 */
function refuseNul(url: string): void {
  if (url.includes('%00')) {
    throw new Failure('LIQUIDITY_INVALID_REQUEST', {
      fieldErrors: { '(url)': ['must not contain NUL'] },
    })
  }
}

/**
 * With several Host headers, a proxy may route by one while the service reads another.
 *
 * @throws Failure 400
 * @see RFC 9112, §3.2
 */
function refuseHosts(rawHeaders: readonly string[]): void {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1) {
    throw new Failure('LIQUIDITY_INVALID_REQUEST', {
      fieldErrors: { 'headers.host': [`must be given once, got ${hosts}`] },
    })
  }
}
