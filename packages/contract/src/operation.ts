import Type, { type Static, type TSchema } from 'typebox'
import type { ErrorCode } from './errors.ts'
import type { Permission, Scope } from './identity.ts'
import type { Method } from './methods.ts'
import { RecordId } from './scalars.ts'

export type { Method }
export type Tag = 'Plan' | 'Simulate' | 'Operate' | 'Intelligence' | 'Prove' | 'Platform'

/**
 * Permitted callers: anyone, HTTP Basic, an interactive session, or a session or service credential
 * with a scope. With `any-scope`, the request determines the required scope.
 */
export type Auth =
  | { kind: 'public' }
  | { kind: 'basic' }
  | { kind: 'session' }
  | { kind: 'scoped'; scope: Scope }
  | { kind: 'any-scope' }

export const anyone = { kind: 'public' } as const
export const clientCredentials = { kind: 'basic' } as const
export const session = { kind: 'session' } as const
export const scoped = <const S extends Scope>(scope: S) => ({ kind: 'scoped', scope }) as const
export const anyScope = { kind: 'any-scope' } as const

/**
 * Documented meaning of a cursor: ID of the last record of a page, or sequence of its last version.
 * Other cursors are opaque and authenticated, and valid only for the same query.
 */
export type CursorForm = 'ID' | 'SEQUENCE'

/** Limits of a keyset page: default and maximum `limit`, and the cursor format if it is fixed. */
export interface Paging {
  defaultLimit: number
  maximumLimit: number
  /** Value from the specification. */
  cursorPattern: string | null
  cursor?: CursorForm
}

export function paging(
  defaultLimit: number,
  maximumLimit: number,
  cursorPattern: string | null = null,
  cursor?: CursorForm,
): Paging {
  return { defaultLimit, maximumLimit, cursorPattern, ...(cursor ? { cursor } : {}) }
}

export function cursorPatternOf({ cursor, cursorPattern }: Paging): string | null {
  return cursorPattern ?? (cursor === 'SEQUENCE' ? '^[1-9][0-9]{0,8}$' : null)
}

/**
 * Wrapping of the success body: `{ data }`, a page of `{ data: [], meta }`, raw, or none. `bytes`
 * has one of several media types, with ETag, digest and ranges; `data` with `files` has it on request.
 */
export type Response =
  | { wrap: 'data'; schema: TSchema; etag: boolean; files?: readonly string[] }
  | { wrap: 'collection'; schema: TSchema }
  | { wrap: 'raw'; schema: TSchema }
  | { wrap: 'bytes'; mediaTypes: readonly string[] }
  | { wrap: 'none' }

export const data = <const S extends TSchema>(schema: S) =>
  ({ wrap: 'data', schema, etag: false }) as const
/** `{ data }` by default, or a file of one of the media types. */
export const dataOrFile = <const S extends TSchema>(schema: S, ...files: readonly string[]) =>
  ({ wrap: 'data', schema, etag: false, files }) as const
export const record = <const S extends TSchema>(schema: S) =>
  ({ wrap: 'data', schema, etag: true }) as const
export const collection = <const S extends TSchema>(schema: S) =>
  ({ wrap: 'collection', schema }) as const
export const raw = <const S extends TSchema>(schema: S) => ({ wrap: 'raw', schema }) as const
export const bytes = (...mediaTypes: readonly string[]) => ({ wrap: 'bytes', mediaTypes }) as const
export const none = { wrap: 'none' } as const

/**
 * A request that works in the demo workspace; IDs of the form `…_example` represent its records.
 */
export interface Example {
  params?: Record<string, string | number>
  query?: Record<string, string | number>
  body?: unknown
}

export interface Operation {
  id: string
  /** True for an extension: the same base path and guards, but a separate document. */
  isExtension?: true
  method: Method
  /** Relative to the base path, with `{name}` for path parameters. */
  path: string
  /** True if the last path parameter can contain slashes. */
  hasPathTail?: true
  tag: Tag
  family: string
  summary: string
  description: string
  auth: Auth
  /** Permission that the actor's role needs; absent for public operations. */
  permission?: Permission
  /**
   * Requires a recent interactive authentication; with `required-and-recorded`, the rejection is
   * stored under the idempotency key.
   */
  reauthentication?: 'required' | 'required-and-recorded'
  /** Form of the Idempotency-Key: 8–160 trimmed characters, or 8–200 printable ASCII. */
  idempotency?: 'key-160' | 'printable-200'
  precondition?: 'required' | 'optional'
  paging?: Paging
  params?: Record<string, TSchema>
  query?: Record<string, TSchema>
  body?: TSchema
  /** Default: JSON. */
  bodyType?: 'application/json' | 'application/x-www-form-urlencoded'
  bodyLimitBytes?: number
  /**
   * The handler gets the body as raw bytes, because it is large or signed and a thread parses it.
   * Requests with equal bytes are equal.
   */
  bodyIsRaw?: true
  success: readonly number[]
  response?: Response
  cacheControl?: string
  /** Operation-specific error codes, in addition to those common to its kind. */
  errors?: readonly ErrorCode[]
  /** Statuses that the specification binds to this operation. */
  statedErrors?: readonly number[]
  example?: Example
}

/** Declaration of an operation: mutations have a body, and the response is required. */
type Declared = Omit<Operation, 'method' | 'body' | 'response'> & {
  response: Response
} & (
    | { method: 'GET' | 'DELETE'; body?: never }
    | { method: 'POST' | 'PATCH' | 'PUT'; body: TSchema }
  )

/** Declares an operation and preserves literal types for handlers and the client. */
export function operation<const O extends Declared>(declared: O): O {
  return declared
}

/** True if the operation authenticates the caller and its organization. */
export const isGuarded = ({ auth }: { readonly auth: Auth }): boolean =>
  auth.kind !== 'public' && auth.kind !== 'basic'

/** Names of the path parameters, in order of appearance. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
}

/** Schema per path parameter: the declared one, or that of a record ID. */
export function parametersOf(operation: Operation): Record<string, TSchema> {
  return Object.fromEntries(
    pathParameters(operation.path).map((name) => [name, operation.params?.[name] ?? RecordId]),
  )
}

/**
 * True for an extension that returns files to members. It accepts the organization in the query,
 * because a link cannot send a header.
 */
export function isDownload(operation: Operation): boolean {
  const { isExtension, method, response } = operation
  if (!isExtension || method !== 'GET' || !isGuarded(operation)) return false
  return response?.wrap === 'bytes' || (response?.wrap === 'data' && response.files !== undefined)
}

const downloadQuery = {
  organization: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 160,
      description:
        'Organization of the request, for links. Must equal the header x-service-organization-id if both are sent.',
    }),
  ),
}

/** Schema of the query, including the members that paging and downloads add. */
export function queryOf(operation: Operation): Record<string, TSchema> {
  if (isDownload(operation)) return { ...operation.query, ...downloadQuery }
  if (!operation.paging) return operation.query ?? {}
  const { defaultLimit, maximumLimit } = operation.paging
  const pattern = cursorPatternOf(operation.paging)
  return {
    ...operation.query,
    cursor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        ...(pattern ? { pattern } : {}),
        description: 'Page cursor: `meta.nextCursor` of the previous page.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maximumLimit,
        default: defaultLimit,
        description: 'Largest number of records in the page.',
      }),
    ),
  }
}

/** Types of a declared operation, for handlers and the client. */
export type BodyOf<O> = O extends { body: infer B extends TSchema } ? Static<B> : undefined
export type ParamsOf<O> = O extends { path: infer P extends string }
  ? { [K in PathNames<P>]: ParamOf<O, K> }
  : never
export type QueryOf<O> = (O extends { query: infer Q extends Record<string, TSchema> }
  ? {
      [K in keyof Q as Q[K] extends { '~optional': true } ? never : K]: Static<Q[K]>
    } & { [K in keyof Q as Q[K] extends { '~optional': true } ? K : never]?: Static<Q[K]> }
  : unknown) &
  (O extends { paging: Paging } ? { cursor?: string; limit?: number } : unknown)
export type DataOf<O> = O extends { response: infer R }
  ? R extends { wrap: 'collection'; schema: infer S extends TSchema }
    ? Static<S>[]
    : R extends { schema: infer S extends TSchema }
      ? Static<S>
      : undefined
  : unknown
export type ErrorsOf<O> = O extends { errors: readonly (infer E)[] } ? E : never

type PathNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never
type ParamOf<O, K extends string> = O extends { params: infer Ps extends Record<string, TSchema> }
  ? K extends keyof Ps
    ? Static<Ps[K]>
    : string
  : string
