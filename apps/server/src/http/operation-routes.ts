import {
  basePath,
  extensionOperations,
  type OperationOutline,
  operations,
} from '@liquidity-os/contract/outline'
import { anyOrigin, isForAnyOrigin } from './any-origin.ts'
import { assertBound, bind, type Handlers } from './bound.ts'
import { formRefusal } from './form-refusal.ts'
import { incomingOf } from './incoming.ts'
import { retoldOf } from './public-refusals.ts'
import type { Route } from './route.ts'
import { isOfTreasury } from './treasury-rules.ts'

/** A route for each operation of the contract, under the guards of the pipeline. */
export function operationRoutes(handlers: Handlers): Route[] {
  assertBound(handlers)
  return [...operations, ...extensionOperations].map((operation) =>
    operationRoute(operation, handlers),
  )
}

function operationRoute(operation: OperationOutline, handlers: Handlers): Route {
  const { id, method, path, hasPathTail = false, bodyLimitBytes } = operation
  const load = handlers[id]
  if (!load) throw new Error(`${id} has no handler.`)
  const bound = bind(operation, load)
  const retold = retoldOf(operation)
  return {
    id,
    method,
    path: basePath + path,
    hasPathTail,
    bodyLimitBytes,
    answer: async (request) => {
      if (isForAnyOrigin(path)) Object.assign(request.notices, anyOrigin)
      return request.pipeline.serve(bound, incomingOf(operation, request))
    },
    ...(operation.auth.kind === 'basic' ? { refusal: formRefusal } : {}),
    ...(retold ? { retold } : {}),
    ...(isOfTreasury(operation) ? { refusalCacheControl: 'private, no-store' } : {}),
  }
}
