import { type OperationOutline, takesBody } from '@liquidity-os/contract/outline'
import type { Headers } from '../access/headers.ts'
import { parseForm, parseJson, refuseType } from './request-body.ts'
import type { RouteRequest } from './route.ts'

/** A request as the transport delivers it: nothing is judged. */
export interface Incoming {
  method: string
  /** Path and query as sent, for the fingerprint. */
  url: string
  headers: Headers
  params: Record<string, unknown>
  query: Record<string, unknown>
  /**
   * Parsed when first asked for, which is once the sender is known: a stranger's costs nothing.
   *
   * @throws Failure 400 or 415
   */
  body: () => unknown
  /** Of the client itself where proxies in front are trusted; asked for by public operations only. */
  clientAddress: () => string
  /** Is aborted when the sender goes before the answer. */
  left: () => AbortSignal
  /** Headers that inform the caller whatever the answer is; filled while the request is served. */
  notices: Record<string, string>
}

/** What was asked of an operation; nothing is judged, and the body is parsed for whom somebody knows only. */
export function incomingOf(operation: OperationOutline, request: RouteRequest): Incoming {
  const { method, url, headers, params, query, bytes, clientAddress, left, notices } = request
  let parsed: { body: unknown } | null = null
  return {
    ...{ method, url, headers, params, query, clientAddress, left, notices },
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
  return type === 'application/json' ? parseJson(bytes) : parseForm(bytes)
}
