import type { ErrorEnvelope, Operation } from '@liquidity-os/contract'
import { failureClass } from './failures.ts'

export { ApiFailure } from './api-failure.ts'

/** Operation data for building a request, without schemas, so a page can include it. */
export type Sendable = Pick<Operation, 'id' | 'method' | 'path'> &
  Partial<Pick<Operation, 'idempotency' | 'bodyType'>> & { readonly isBytes?: boolean }

export interface Reply<Body> {
  status: number
  headers: Headers
  body: Body
  /** The version of the record in the answer, unquoted, or null. */
  etag: string | null
}

export interface SendOptions {
  /** Origin of the deployment. */
  baseUrl: string
  /** Path below which its operations lie. */
  basePath: string
  organizationId?: string
  /** How the caller authenticates. */
  auth?:
    | { kind: 'bearer'; token: string }
    | { kind: 'session'; cookieName: string; cookie: string; origin: string }
  fetch?: typeof fetch
}

export interface LooseRequest {
  params?: Readonly<Record<string, unknown>>
  query?: Readonly<Record<string, unknown>>
  body?: unknown
  idempotencyKey?: string
  ifMatch?: string
  headers?: Record<string, string>
}

/**
 * Sends one request and parses the answer.
 *
 * @throws ApiFailure where the service refuses, of the class of its code; TypeError where it cannot be reached
 */
export async function call(
  options: SendOptions,
  operation: Sendable,
  request: LooseRequest,
): Promise<Reply<unknown>> {
  const answer = await send(options, operation, request)
  if (!answer.ok) {
    const envelope = (await parsed(answer)) as ErrorEnvelope
    const Refused = failureClass(envelope?.error?.code ?? '')
    throw new Refused(operation.id, answer.status, envelope, answer.headers)
  }
  const isFile = operation.isBytes || !isJsonOrEmpty(answer)
  const body = isFile ? new Uint8Array(await answer.arrayBuffer()) : await parsed(answer)
  const etag = answer.headers.get('etag')
  return {
    status: answer.status,
    headers: answer.headers,
    body,
    etag: etag?.replace(/^"(.*)"$/, '$1') ?? null,
  }
}

/** False for a file, which some operations return on request. */
function isJsonOrEmpty({ headers }: Response): boolean {
  const type = headers.get('content-type')
  return type === null || type.startsWith('application/json')
}

async function parsed(answer: Response): Promise<unknown> {
  const text = await answer.text()
  return text === '' ? null : JSON.parse(text)
}

/** Sends one request and returns the raw response of any status. */
export function send(
  options: SendOptions,
  operation: Sendable,
  request: LooseRequest = {},
): Promise<Response> {
  const url = new URL(options.basePath + pathOf(operation, request.params ?? {}), options.baseUrl)
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  const accept = operation.isBytes ? '*/*' : 'application/json'
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

/** Path of an operation with its parameters filled in, below the base path. */
export function pathOf(
  operation: Pick<Sendable, 'id' | 'path'>,
  params: Readonly<Record<string, unknown>>,
): string {
  return operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = params[name]
    if (value === undefined)
      throw new TypeError(`${operation.id} requires the path parameter ${name}.`)
    return encodeURIComponent(String(value))
  })
}
