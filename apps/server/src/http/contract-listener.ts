import type { IncomingMessage, ServerResponse } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import type { OperationOutline } from '@liquidity-os/contract/outline'
import { Failure } from '../failure.ts'
import { limits } from '../limits.ts'
import type { Services } from '../services.ts'
import { bind } from './bound.ts'
import { newCorrelationId } from './correlation-id.ts'
import { failureOf, logFailure } from './failure-of.ts'
import { formRefusal } from './form-refusal.ts'
import { incomingOf, noBytes, takesBody } from './incoming.ts'
import type { Bound, Pipeline } from './pipeline.ts'
import { answerReply, failureReply, type Reply } from './reply.ts'
import { readBody } from './request-body.ts'
import type { Match, Router } from './router.ts'

/**
 * Serves the operations of the contract straight from node:http: what a framework does for each request (routes,
 * hooks, parsers, replies) the router, the pipeline and two functions do here, for a tenth less of a mutation.
 */
export class ContractListener {
  readonly #services: Services
  readonly #pipeline: Pipeline
  readonly #router: Router
  readonly #bounds = new Map<string, Bound>()

  constructor(services: Services, pipeline: Pipeline, router: Router) {
    this.#services = services
    this.#pipeline = pipeline
    this.#router = router
  }

  /** Answers where an operation is asked for; false where none is, and nothing is done then. */
  serve(request: IncomingMessage, response: ServerResponse): boolean {
    const match = this.#router.find(request.method ?? '', request.url ?? '')
    if (match === null) return false
    this.#serve(match, request, response).catch((error: unknown) => {
      this.#services.log.error({ err: error }, 'An answer could not be written.')
      response.destroy()
    })
    return true
  }

  async #serve(match: Match, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = performance.now()
    const { operation } = match
    const correlationId = newCorrelationId()
    const notices: Record<string, string> = {}
    let reply: Reply
    try {
      reply = answerReply(await this.#answer(match, request, notices), correlationId)
    } catch (error) {
      const failure = failureOf(error)
      const refusal = operation.auth.kind === 'basic' ? formRefusal(failure) : null
      reply = refusal ? answerReply(refusal, correlationId) : failureReply(failure, correlationId)
      logFailure(this.#services.log, failure, { correlationId, operationId: operation.id })
      // What is still to come of a body that is too large is not waited for.
      if (!request.complete || this.#services.stopping) notices.connection = 'close'
    }
    this.#services.metrics.observe(operation.id, reply.status, performance.now() - startedAt)
    if (this.#services.log.isLevelEnabled('debug')) {
      const line = { correlationId, operationId: operation.id, status: reply.status }
      this.#services.log.debug(line, 'served')
    }
    write(response, reply, notices)
  }

  async #answer(match: Match, request: IncomingMessage, notices: Record<string, string>) {
    if (this.#services.stopping) throw new Failure('LIQUIDITY_SHUTTING_DOWN')
    const { operation } = match
    const incoming = incomingOf(match, {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: takesBody(operation)
        ? await readBody(request, operation.bodyLimitBytes ?? limits.bodyBytes)
        : noBytes,
      clientAddress: () => proxyAddress(request, trustOf(this.#services.config)),
      notices,
    })
    return this.#pipeline.serve(this.#boundOf(operation), incoming)
  }

  #boundOf(operation: OperationOutline): Bound {
    let bound = this.#bounds.get(operation.id)
    if (!bound) {
      bound = bind(operation)
      this.#bounds.set(operation.id, bound)
    }
    return bound
  }
}

/** Proxies in front of the service are trusted by their number. */
export function trustOf({ trustedProxyHops }: Services['config']) {
  return (_address: string, hop: number) => hop < trustedProxyHops
}

function write(
  response: ServerResponse,
  { status, headers, body }: Reply,
  notices: Readonly<Record<string, string>>,
): void {
  for (const name in notices) headers[name] = notices[name] ?? ''
  if (body !== null) headers['content-length'] = String(Buffer.byteLength(body))
  response.writeHead(status, headers)
  response.end(body)
}
