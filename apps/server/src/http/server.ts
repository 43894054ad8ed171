import { randomUUID } from 'node:crypto'
import {
  basePath,
  errorCatalogue,
  type OperationOutline,
  operations,
} from '@liquidity-os/contract/outline'
import { CanonicalJsonError, parseStrict, StrictJsonError } from '@liquidity-os/evidence'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Services } from '../context.ts'
import { StoreUnavailableError } from '../database/database.ts'
import { handlers } from '../domains/handlers.ts'
import { memberRoutes } from '../identity/member-routes.ts'
import { secretRoutes } from '../identity/secret-routes.ts'
import { signInRoutes } from '../identity/sign-in-routes.ts'
import { limits } from '../limits.ts'
import type { Answer } from './answer.ts'
import { Failure, failureBody } from './failure.ts'
import { formRefusal } from './form-refusal.ts'
import type { Handler } from './handler.ts'
import { healthRoutes } from './health.ts'
import { jobCancelRoute } from './job-cancel-route.ts'
import { jobStreamRoute } from './job-stream-route.ts'
import { pictureRoutes } from './picture-routes.ts'
import { type Bound, type Incoming, Pipeline } from './pipeline.ts'
import { referencePage } from './reference-page.ts'
import { type Match, Router } from './router.ts'
import type { RequestValidators } from './validators.ts'

/** Builds the HTTP server: every operation of the contract, and what stands beside them. */
export async function createServer(services: Services): Promise<FastifyInstance> {
  const app = Fastify({
    logger: false,
    bodyLimit: limits.bodyBytes,
    // A body is read as bytes; our own strict parser decides what JSON is.
    trustProxy: (_address: string, hop: number) => hop < services.config.trustedProxyHops,
    requestTimeout: 60_000,
    // The refusal of a node that stops is ours, in the one envelope.
    return503OnClosing: false,
    schemaController: {
      compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler },
    },
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: false, caseSensitive: true },
    genReqId: () => `req_${randomUUID().replaceAll('-', '')}`,
    frameworkErrors: (_error, request, reply) => {
      // A path that cannot be decoded, or a parameter longer than any id.
      void sendFailure(services, request, reply, new Failure('LIQUIDITY_ROUTE_NOT_FOUND'))
    },
  })
  app.addHook('onRequest', (_request, reply, done) => {
    if (!services.stopping) return done()
    reply.header('connection', 'close')
    done(new Failure('LIQUIDITY_SHUTTING_DOWN'))
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.setErrorHandler((error, request, reply) =>
    sendFailure(services, request, reply, failureOf(error)),
  )
  app.setNotFoundHandler((request, reply) => notFound(services, request, reply))

  assertBound()
  const pipeline = new Pipeline(services)
  contractRoutes(app, services, pipeline)
  pictureRoutes(app, {
    pipeline,
    incomingOf,
    send: (request, reply, answer, operationId) =>
      send(services, request, reply, answer, operationId),
  })
  signInRoutes(app, services)
  memberRoutes(app, services)
  secretRoutes(app, services)
  jobStreamRoute(app, services)
  jobCancelRoute(app, services)
  healthRoutes(app, services)
  referencePage(app)
  return app
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The operation of the contract that is asked for; null outside the contract. */
    match: Match | null
  }
}

const router = new Router()

/** Serves the operations behind one route: which is asked for is known before the body is read. */
function contractRoutes(app: FastifyInstance, services: Services, pipeline: Pipeline): void {
  const bounds = new Map<string, Bound>()
  const boundOf = (operation: OperationOutline) => {
    const bound = bounds.get(operation.id) ?? bind(operation)
    bounds.set(operation.id, bound)
    return bound
  }
  app.decorateRequest('match', null)
  const route = (url: string, method: string | string[], bodyLimit = limits.bodyBytes) =>
    app.route({
      method,
      url,
      bodyLimit,
      exposeHeadRoute: false,
      onRequest: async (request, reply) => {
        request.match = router.find(request.method, request.url)
        if (request.match === null) return notFound(services, request, reply)
      },
      handler: async (request, reply) => {
        const match = request.match as Match // Set before, or the request was answered there.
        const { operation } = match
        let notices: Readonly<Record<string, string>> = {}
        try {
          const incoming = incomingOf(match, request)
          notices = incoming.notices
          const answer = await pipeline.serve(boundOf(operation), incoming)
          return send(services, request, reply.headers(notices), answer, operation.id)
        } catch (error) {
          reply.headers(notices)
          const refusal = operation.auth.kind === 'basic' ? formRefusal(failureOf(error)) : null
          if (!refusal) throw error
          return send(services, request, reply, refusal, operation.id)
        }
      },
    })
  route(`${basePath}/*`, [...new Set(operations.map(({ method }) => method))])
  for (const { path, method, bodyLimitBytes } of operations) {
    const url = `${basePath}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
    if (bodyLimitBytes !== undefined) route(url, method, bodyLimitBytes)
  }
}

/** The pipeline validates and serializes; Fastify would load two compilers at start only to leave them idle. */
function noCompiler(): never {
  throw new Error('A route declares a schema, but requests are validated by the pipeline.')
}

/** Every operation has a handler or stands in the list of those to come, and none has both. */
function assertBound(): void {
  const ids = new Set(operations.map(({ id }) => id))
  for (const { id, isAvailable } of operations) {
    const has = id in handlers
    if (has !== isAvailable) {
      throw new Error(
        has
          ? `${id} has a handler and is listed as not available.`
          : `${id} has neither a handler nor a place in the list of operations to come.`,
      )
    }
  }
  for (const id of Object.keys(handlers)) {
    if (!ids.has(id)) throw new Error(`The handler ${id} belongs to no operation.`)
  }
}

const notYet = (operation: { id: string }): Handler => ({
  operation,
  run: async () => {
    throw new Failure('LIQUIDITY_OPERATION_NOT_AVAILABLE')
  },
})

/** Loads handler and validators at the first request, and keeps them. */
function bind(operation: OperationOutline): Bound {
  const load = (handlers as Record<string, () => Promise<{ default: Handler }>>)[operation.id]
  let handler: Promise<Handler> | null = null
  let validators: Promise<RequestValidators> | null = null
  return {
    operation,
    handler: () => {
      handler ??= load
        ? load().then((module) => module.default)
        : Promise.resolve(notYet(operation))
      return handler
    },
    validators: () => {
      validators ??= import('./validators.ts').then(({ compileValidators }) =>
        compileValidators(operation.id),
      )
      return validators
    },
    readsRecordOf:
      operation.method === 'GET' && operation.answer.etag && operation.path.endsWith('/{id}')
        ? 'id'
        : null,
  }
}

function incomingOf({ operation, params }: Match, request: FastifyRequest): Incoming {
  // PostgreSQL stores no NUL and would refuse the whole message, which other requests share.
  if (request.url.includes('%00')) {
    throw new Failure('LIQUIDITY_INVALID_REQUEST', { fieldErrors: { '(url)': ['holds NUL'] } })
  }
  return {
    method: request.method,
    url: request.url,
    headers: request.headers,
    params,
    query: { ...(request.query as Record<string, unknown>) },
    body: bodyOf(operation, request),
    clientAddress: request.ip,
    notices: {},
  }
}

function bodyOf(operation: OperationOutline, request: FastifyRequest): unknown {
  const bytes = request.body as Buffer | undefined
  const takesBody = operation.method === 'POST' || operation.method === 'PATCH'
  if (!takesBody) return undefined
  const expected = operation.bodyType ?? 'application/json'
  const given = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  if (bytes === undefined || bytes.length === 0) {
    if (!operation.hasBody) return undefined
    if (given !== expected) throw new Failure('LIQUIDITY_MEDIA_TYPE_UNSUPPORTED')
    throw new Failure('LIQUIDITY_MALFORMED_JSON', { fieldErrors: { '(body)': ['is required'] } })
  }
  if (given !== expected) {
    throw new Failure('LIQUIDITY_MEDIA_TYPE_UNSUPPORTED', {
      fieldErrors: { 'headers.content-type': [`must be ${expected}, got ${given || 'nothing'}`] },
    })
  }
  if (expected !== 'application/json') return formOf(bytes)
  try {
    return parseStrict(bytes, { maximumDepth: limits.bodyNesting })
  } catch (cause) {
    if (!(cause instanceof StrictJsonError)) throw cause
    throw new Failure('LIQUIDITY_MALFORMED_JSON', { fieldErrors: { '(body)': [cause.message] } })
  }
}

function formOf(bytes: Buffer): Record<string, string> {
  const form = new URLSearchParams(bytes.toString('utf8'))
  for (const name of form.keys()) {
    if (form.getAll(name).length > 1) {
      throw new Failure('LIQUIDITY_INVALID_REQUEST', {
        fieldErrors: { [name]: ['must be given once'] },
      })
    }
  }
  return Object.fromEntries(form)
}

function send(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  operationId: string,
): FastifyReply {
  reply.code(answer.status)
  for (const name in answer.headers) reply.header(name, answer.headers[name])
  reply.header('x-correlation-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
  services.metrics.observe(operationId, answer.status, reply.elapsedTime)
  services.log.debug({ correlationId: request.id, operationId, status: answer.status }, 'served')
  if (answer.body === null) return reply.send()
  if (!('content-type' in answer.headers)) {
    reply.header('content-type', 'application/json; charset=utf-8')
  }
  return reply.send(answer.body)
}

/** Any thrown value as a failure that a caller may be told of. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof CanonicalJsonError) {
    return new Failure('LIQUIDITY_INVALID_REQUEST', {
      fieldErrors: {
        [error.path.join('.') || '(body)']: [
          'must hold integers below 2^53 and well-formed text only',
        ],
      },
      cause: error,
    })
  }
  if (error instanceof StoreUnavailableError) {
    return new Failure('LIQUIDITY_STORE_UNAVAILABLE', { cause: error })
  }
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Failure('LIQUIDITY_BODY_TOO_LARGE')
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' || statusCode === 400) {
    return new Failure('LIQUIDITY_MALFORMED_JSON')
  }
  return new Failure('LIQUIDITY_INTERNAL_ERROR', { cause: error })
}

export function sendFailure(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  failure: Failure,
): FastifyReply {
  const { status } = failure
  const operationId = operationOf(request)
  reply.code(status)
  reply.header('x-correlation-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
  reply.header('cache-control', 'no-store')
  reply.header('content-type', 'application/json; charset=utf-8')
  if (failure.isReplay) reply.header('idempotency-replayed', 'true')
  if (failure.detail.retryAfterSeconds !== undefined) {
    reply.header('retry-after', String(failure.detail.retryAfterSeconds))
  } else if (errorCatalogue[failure.code].retryable) reply.header('retry-after', '1')
  services.metrics.observe(operationId, status, reply.elapsedTime)
  const line = { correlationId: request.id, operationId, status, code: failure.code }
  if (status >= 500 && status !== 501)
    services.log.error({ ...line, err: failure.cause ?? failure }, failure.message)
  else services.log.debug(line, failure.message)
  return reply.send(failureBody(failure, request.id))
}

function operationOf(request: FastifyRequest): string {
  return request.match?.operation.id ?? request.routeOptions.url ?? 'unknown'
}

function notFound(services: Services, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const methods = router.methodsOf(request.url)
  if (methods.length === 0) {
    return sendFailure(services, request, reply, new Failure('LIQUIDITY_ROUTE_NOT_FOUND'))
  }
  reply.header('allow', methods.join(', '))
  return sendFailure(services, request, reply, new Failure('LIQUIDITY_METHOD_NOT_ALLOWED'))
}
