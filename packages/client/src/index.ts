import {
  type BodyOf,
  basePath,
  type contract,
  type ErrorEnvelope,
  type Operation,
  operationById,
  type ParamsOf,
  pathParameters,
  type QueryOf,
} from '@liquidity-os/contract'

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

/** What an operation takes: its path parameters, query and body, and the headers that guard a change. */
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

export interface Reply<Body> {
  status: number
  headers: Headers
  body: Body
  /** The version of the record in the answer, unquoted, or null. */
  etag: string | null
}

/** The service refused; programs decide on `code`. */
export class ApiFailure extends Error {
  readonly status: number
  readonly code: string
  readonly body: ErrorEnvelope
  readonly headers: Headers

  constructor(operationId: string, status: number, body: ErrorEnvelope, headers: Headers) {
    const error = body.error
    const fields = error?.fieldErrors ? ` ${JSON.stringify(error.fieldErrors)}` : ''
    super(`${operationId}: ${status} ${error?.code ?? ''} ${error?.message ?? ''}${fields}`)
    this.status = status
    this.code = error?.code ?? ''
    this.body = body
    this.headers = headers
  }
}

export interface ClientOptions {
  /** Origin of the deployment, without the base path. */
  baseUrl: string
  organizationId?: string
  /** How the caller authenticates. */
  auth?:
    | { kind: 'bearer'; token: string }
    | { kind: 'session'; cookieName: string; cookie: string; origin: string }
  fetch?: typeof fetch
}

export type Client = {
  [K in OperationId]: (request?: RequestOf<Declared[K]>) => Promise<Reply<BodyOfReply<Declared[K]>>>
}

/** A client with one method for every operation of the contract; it is derived, nothing is generated. */
export function createClient(options: ClientOptions): Client {
  return new Proxy({} as Client, {
    get: (_target, id) => {
      const operation = typeof id === 'string' ? operationById.get(id) : undefined
      if (!operation) return undefined
      return (request: LooseRequest = {}) => call(options, operation, request)
    },
  })
}

export interface LooseRequest {
  params?: Readonly<Record<string, unknown>>
  query?: Readonly<Record<string, unknown>>
  body?: unknown
  idempotencyKey?: string
  ifMatch?: string
  headers?: Record<string, string>
}

/** Sends one request and parses the answer. */
async function call(
  options: ClientOptions,
  operation: Operation,
  request: LooseRequest,
): Promise<Reply<never>> {
  const answer = await send(options, operation, request)
  if (!answer.ok) {
    throw new ApiFailure(operation.id, answer.status, await parsed(answer), answer.headers)
  }
  const isBytes = operation.response?.wrap === 'bytes'
  const body = isBytes ? new Uint8Array(await answer.arrayBuffer()) : await parsed(answer)
  const etag = answer.headers.get('etag')
  return {
    status: answer.status,
    headers: answer.headers,
    body: body as never,
    etag: etag?.replace(/^"(.*)"$/, '$1') ?? null,
  }
}

async function parsed(answer: Response): Promise<never> {
  const text = await answer.text()
  return (text === '' ? null : JSON.parse(text)) as never
}

/** Sends one request and gives the answer as it came, whatever its status. */
export function send(
  options: ClientOptions,
  operation: Operation,
  request: LooseRequest = {},
): Promise<Response> {
  const url = new URL(basePath + pathOf(operation, request.params ?? {}), options.baseUrl)
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  const accept = operation.response?.wrap === 'bytes' ? '*/*' : 'application/json'
  const headers: Record<string, string> = { accept }
  if (options.organizationId) headers['x-service-organization-id'] = options.organizationId
  if (options.auth?.kind === 'bearer') headers.authorization = `Bearer ${options.auth.token}`
  if (options.auth?.kind === 'session') {
    headers.cookie = `${options.auth.cookieName}=${options.auth.cookie}`
    headers.origin = options.auth.origin
  }
  if (operation.idempotency)
    headers['idempotency-key'] = request.idempotencyKey ?? crypto.randomUUID()
  if (request.ifMatch !== undefined) headers['if-match'] = `"${request.ifMatch}"`
  const hasBody = request.body !== undefined
  const isForm = operation.bodyType === 'application/x-www-form-urlencoded'
  if (hasBody) headers['content-type'] = operation.bodyType ?? 'application/json'
  const body = isForm
    ? new URLSearchParams(request.body as Record<string, string>).toString()
    : JSON.stringify(request.body)
  return (options.fetch ?? fetch)(url, {
    method: operation.method,
    headers: { ...headers, ...request.headers },
    ...(hasBody ? { body } : {}),
  })
}

function pathOf(operation: Operation, params: Readonly<Record<string, unknown>>): string {
  let path = operation.path
  for (const name of pathParameters(path)) {
    const value = params[name]
    if (value === undefined)
      throw new TypeError(`${operation.id} needs the path parameter ${name}.`)
    path = path.replace(`{${name}}`, encodeURIComponent(String(value)))
  }
  return path
}
