import type { OperationOutline } from '@liquidity-os/contract/outline'
import type { Headers } from '../access/headers.ts'
import type { Incoming } from './pipeline.ts'
import { parseForm, parseJson, refuseType } from './request-body.ts'
import type { RouteRequest } from './route.ts'

/**
 * Parses what was asked of an operation, and judges nothing beyond its form.
 *
 * @throws Failure 400 or 415
 */
export function incomingOf(operation: OperationOutline, request: RouteRequest): Incoming {
  const { method, url, headers, params, query, bytes, clientAddress, notices } = request
  const takesBody = operation.method === 'POST' || operation.method === 'PATCH'
  return {
    ...{ method, url, headers, params, query, clientAddress, notices },
    body: takesBody ? bodyOf(operation, headers, bytes) : undefined,
  }
}

function bodyOf(operation: OperationOutline, headers: Headers, bytes: Uint8Array): unknown {
  const type = operation.bodyType ?? 'application/json'
  if (bytes.length === 0 && !operation.hasBody) return undefined
  refuseType(headers, type, bytes)
  return type === 'application/json' ? parseJson(bytes) : parseForm(bytes)
}
