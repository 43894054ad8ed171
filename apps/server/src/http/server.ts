import type { RequestListener, Server } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { pictureRoutes } from '../drawing/picture-routes.ts'
import { Failure } from '../failure.ts'
import { jobCancelRoute } from '../families/platform/jobs/job-cancel-route.ts'
import { jobStreamRoute } from '../families/platform/jobs/job-stream-route.ts'
import { secretRoutes } from '../families/platform/providers/secret-routes.ts'
import { limits } from '../limits.ts'
import type { Services } from '../services.ts'
import { healthRoutes } from './beside/health.ts'
import { memberRoutes } from './beside/member-routes.ts'
import { referencePage } from './beside/reference-page.ts'
import { signInRoutes } from './beside/sign-in-routes.ts'
import { assertBound } from './bound.ts'
import { ContractListener, trustOf } from './contract-listener.ts'
import { newCorrelationId } from './correlation-id.ts'
import { failureOf, logFailure } from './failure-of.ts'
import { refuseNul } from './incoming.ts'
import { Pipeline } from './pipeline.ts'
import { refuseProtocol } from './protocol-refusal.ts'
import { failureReply } from './reply.ts'
import { Router } from './router.ts'
import { sendReply } from './send-reply.ts'

// Imported by name, this module would also load the client that stands behind `fetch`.
const http = process.getBuiltinModule('node:http')
const router = new Router()

/** Builds the HTTP server: every operation of the contract, and what stands beside them. */
export async function createServer(services: Services): Promise<FastifyInstance> {
  assertBound()
  const pipeline = new Pipeline(services)
  const contract = new ContractListener(services, pipeline, router)
  const app = Fastify({
    logger: false,
    serverFactory: (beside) => listenerOf(contract, beside as RequestListener),
    bodyLimit: limits.bodyBytes,
    trustProxy: trustOf(services.config),
    // The refusal of a node that stops is ours, in the one envelope.
    return503OnClosing: false,
    schemaController: {
      compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler },
    },
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: false, caseSensitive: true },
    genReqId: newCorrelationId,
    clientErrorHandler: refuseProtocol,
    frameworkErrors: (_error, request, reply) => {
      // A path that cannot be decoded, or a parameter longer than any id.
      void sendFailure(services, request, reply, new Failure('LIQUIDITY_ROUTE_NOT_FOUND'))
    },
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-correlation-id', request.id).header('x-content-type-options', 'nosniff')
    refuseNul(request.url)
    if (!services.stopping) return done()
    reply.header('connection', 'close')
    done(new Failure('LIQUIDITY_SHUTTING_DOWN'))
  })
  app.removeAllContentTypeParsers()
  // A body is read as bytes; our own strict parser decides what JSON is.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.setErrorHandler((error, request, reply) =>
    sendFailure(services, request, reply, failureOf(error)),
  )
  app.setNotFoundHandler((request, reply) => notFound(services, request, reply))

  pictureRoutes(app, services, pipeline)
  signInRoutes(app, services)
  memberRoutes(app, services)
  secretRoutes(app, services)
  jobStreamRoute(app, services)
  jobCancelRoute(app, services)
  healthRoutes(app, services)
  referencePage(app)
  return app
}

/** The contract's operations go to their own listener, everything else to Fastify. */
function listenerOf(contract: ContractListener, beside: RequestListener): Server {
  const server = http.createServer((request, response) => {
    if (!contract.serve(request, response)) beside(request, response)
  })
  server.requestTimeout = limits.requestMilliseconds
  server.keepAliveTimeout = limits.keepAliveMilliseconds
  return server
}

/** Routes here declare no schemas; Fastify would load two compilers at start only to leave them idle. */
function noCompiler(): never {
  throw new Error('A route declares a schema, but nothing here compiles it.')
}

function sendFailure(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  failure: Failure,
): FastifyReply {
  const operationId = request.routeOptions.url ?? 'unknown'
  services.metrics.observe(operationId, failure.status, reply.elapsedTime)
  logFailure(services.log, failure, { correlationId: request.id, operationId })
  return sendReply(reply, failureReply(failure, request.id))
}

function notFound(services: Services, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const methods = router.methodsOf(request.url)
  if (methods.length === 0) {
    return sendFailure(services, request, reply, new Failure('LIQUIDITY_ROUTE_NOT_FOUND'))
  }
  reply.header('allow', methods.join(', '))
  return sendFailure(services, request, reply, new Failure('LIQUIDITY_METHOD_NOT_ALLOWED'))
}
