import {
  ApiFailure,
  call,
  type LooseRequest,
  type Reply,
  type Sendable,
} from '@liquidity-os/client/core'
import { index } from '../declared/families.ts'
import type { OperationFile } from '../declared/types.ts'
import { reportConnection } from './connection.ts'

export { ApiFailure, type LooseRequest, type Reply }

/**
 * One request of a console page; the browser adds the session.
 *
 * @param signal aborts the request if its response is no longer needed
 */
export async function ask<Body>(
  organizationId: string,
  operation: Sendable | OperationFile,
  request: LooseRequest = {},
  signal?: AbortSignal,
): Promise<Reply<Body>> {
  const isBytes =
    'wrap' in operation
      ? operation.wrap === 'bytes'
      : 'isBytes' in operation && operation.isBytes === true
  const { origin } = window.location
  try {
    const reply = await call(
      {
        baseUrl: origin,
        basePath: index.basePath,
        organizationId,
        ...(signal ? { fetch: (url, init) => fetch(url, { ...init, signal }) } : {}),
      },
      { ...operation, isBytes },
      request,
    )
    reportConnection(true)
    return reply as Reply<Body>
  } catch (error) {
    // `fetch` throws `TypeError` if the server does not respond.
    reportConnection(!(error instanceof TypeError))
    throw error
  }
}

/** A GET of a path below the base path, for data on every page of the shell. */
export function read<Data>(
  organizationId: string,
  path: string,
  query: Record<string, unknown> = {},
): Promise<Data> {
  return ask<{ data: Data }>(organizationId, { id: path, method: 'GET', path }, { query }).then(
    ({ body }) => body.data,
  )
}

/** All pages of a list below the base path. */
export async function readAll<Item>(organizationId: string, path: string): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | undefined
  do {
    const { body } = await ask<{ data: Item[]; meta: { nextCursor?: string } }>(
      organizationId,
      { id: path, method: 'GET', path },
      { query: cursor ? { cursor, limit: 100 } : { limit: 100 } },
    )
    items.push(...body.data)
    cursor = body.meta.nextCursor
  } while (cursor)
  return items
}

/**
 * Requests a route outside the contract, without an organization. The default method is GET without
 * a body, else POST.
 */
export async function askExtension<Body>(
  path: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
): Promise<Body> {
  const answer = await fetch(path, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    reportConnection(false)
    throw error
  })
  reportConnection(true)
  const text = await answer.text()
  const payload = text === '' ? null : JSON.parse(text)
  if (!answer.ok) throw new ApiFailure(path, answer.status, payload, answer.headers)
  return payload as Body
}

/** New for every intent. `crypto.randomUUID` is unavailable over plain HTTP in a local network. */
export function makeKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
