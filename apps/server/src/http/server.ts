import type { Server } from 'node:http'
import { limits } from '../limits.ts'
import type { Services } from '../services.ts'
import type { Handlers } from './bound.ts'
import { Listener } from './listener.ts'
import { operationRoutes } from './operation-routes.ts'
import { refuseProtocol } from './protocol-refusal.ts'
import type { Route } from './route.ts'
import { Router } from './router.ts'

// A static import by name would also load the client behind `fetch`.
const http = process.getBuiltinModule('node:http')

/** The handlers of the operations, and the routes outside the contract. */
export interface Served {
  readonly handlers: Handlers
  readonly extraRoutes: readonly Route[]
}

/** Builds the HTTP server; it does not listen yet. */
export function createServer(services: Services, { handlers, extraRoutes }: Served): Server {
  const router = new Router([...operationRoutes(handlers), ...extraRoutes])
  const listener = new Listener(services, router)
  const server = http.createServer((request, response) => listener.serve(request, response))
  server.requestTimeout = limits.requestMilliseconds
  server.keepAliveTimeout = limits.keepAliveMilliseconds
  server.on('clientError', refuseProtocol)
  return server
}
