import { type OperationOutline, takesBody } from '@liquidity-os/contract/outline'
import type { Headers } from '../access/headers.ts'
import { parseForm, parseJson, refuseType } from './request-body.ts'
import type { RouteRequest } from './route.ts'
import type { Incoming } from './transport-request.ts'

/** Request data of an operation, unvalidated. The body is parsed only for authenticated callers. */
export function incomingOf(operation: OperationOutline, request: RouteRequest): Incoming {
  const { method, url, headers, params, query, bytes, clientAddress, aborted, notices } = request
  let parsed: { body: unknown } | null = null
  return {
    method,
    url,
    headers,
    params,
    query,
    clientAddress,
    aborted,
    notices,
    body: () => {
      parsed ??= { body: takesBody(operation) ? bodyOf(operation, headers, bytes) : undefined }
      return parsed.body
    },
  }
}

function bodyOf(operation: OperationOutline, headers: Headers, bytes: Uint8Array): unknown {
  const type = operation.bodyType ?? 'application/json'
  if (bytes.length === 0 && !operation.hasBody) return undefined
  refuseType(headers, type, bytes)
  if (operation.bodyIsRaw) return bytes
  return type === 'application/json'
    ? parseJson(bytes)
    : parseForm(bytes, operation.formMembers ?? [])
}
