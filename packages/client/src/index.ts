import {
  type BodyOf,
  basePath,
  type contract,
  type Operation,
  operationById,
  type ParamsOf,
  type QueryOf,
} from '@liquidity-os/contract'
import {
  call,
  type LooseRequest,
  type Reply,
  type Sendable,
  type SendOptions,
  send as sendTo,
} from './core.ts'

export { ApiFailure, type LooseRequest, type Reply } from './core.ts'
export { each } from './pages.ts'
export { verifyWebhook } from './webhooks.ts'

type Declared = {
  [K in keyof typeof contract as (typeof contract)[K] extends Operation
    ? K
    : never]: (typeof contract)[K]
}
export type OperationId = keyof Declared & string

type Part<Name extends string, T> = [T] extends [never]
  ? unknown
  : keyof T extends never
    ? { [K in Name]?: undefined }
    : Partial<T> extends T
      ? { [K in Name]?: T }
      : { [K in Name]: T }

/** Input of an operation: path parameters, query, body, and the headers that guard a change. */
export type RequestOf<O> = Part<'params', ParamsOf<O>> &
  Part<'query', QueryOf<O>> &
  (BodyOf<O> extends undefined ? { body?: unknown } : { body: BodyOf<O> }) & {
    /** Fresh for every intent; made here where it is absent. */
    idempotencyKey?: string
    /** The version that was reviewed, unquoted. */
    ifMatch?: string
    headers?: Record<string, string>
  }

type BodyOfReply<O> = O extends { response: infer R }
  ? R extends { wrap: 'collection'; schema: infer S }
    ? { data: StaticOf<S>[]; meta: { count: number; hasMore: boolean; nextCursor?: string } }
    : R extends { wrap: 'data'; schema: infer S }
      ? { data: StaticOf<S> }
      : R extends { wrap: 'raw'; schema: infer S }
        ? StaticOf<S>
        : R extends { wrap: 'bytes' }
          ? Uint8Array
          : null
  : unknown
type StaticOf<S> = S extends import('typebox').TSchema ? import('typebox').Static<S> : unknown

export type Client = {
  [K in OperationId]: (request?: RequestOf<Declared[K]>) => Promise<Reply<BodyOfReply<Declared[K]>>>
}

export type ClientOptions = Omit<SendOptions, 'basePath'>

/** A client with one method per contract operation, derived at run time without code generation. */
export function createClient(options: ClientOptions): Client {
  return new Proxy({} as Client, {
    get: (_target, id) => {
      const operation = typeof id === 'string' ? operationById.get(id) : undefined
      if (!operation) return undefined
      return (request: LooseRequest = {}) =>
        call({ ...options, basePath }, sendable(operation), request) as Promise<never>
    },
  })
}

/** Sends one request and returns the raw response of any status. */
export function send(
  options: ClientOptions,
  operation: Operation,
  request: LooseRequest = {},
): Promise<Response> {
  return sendTo({ ...options, basePath }, sendable(operation), request)
}

const sendable = (operation: Operation): Sendable => ({
  ...operation,
  isBytes: operation.response?.wrap === 'bytes',
})
