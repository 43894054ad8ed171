import Type, { type TSchema } from 'typebox'
import {
  type Auth,
  collection,
  type Operation,
  operation,
  type Paging,
  paging,
  record,
  session,
  type Tag,
} from './operation.ts'

/** Common parts of all read operations on one record type: list, single record and versions. */
export interface Readable {
  /** Path of the list, relative to the base path. */
  readonly path: string
  readonly tag: Tag
  readonly family: string
  /** Noun for a record of this kind in descriptions. */
  readonly one: string
  /** Plural name; default: the singular. */
  readonly many?: string
  readonly record: TSchema
  /** Default: an interactive session. */
  readonly auth?: Auth
  readonly cacheControl?: string
  readonly statedErrors?: readonly number[]
  /** A sentence that ends every description. */
  readonly note?: string
}

/** Properties of a single operation; they override the common ones. */
export interface Reading {
  readonly id: string
  readonly summary: string
  /** Replaces the common description. */
  readonly description?: string
  /** A sentence that ends the description. */
  readonly note?: string
  readonly cacheControl?: string
  readonly statedErrors?: readonly number[]
}

/** A list operation with page limits. Default: 50 records, at most 100. */
export interface PagedReading extends Reading {
  readonly paging?: Paging
  /** Query parameters in addition to paging. */
  readonly query?: Readonly<Record<string, TSchema>>
}

/** A single-record operation with its path parameter. Default: `id`. */
export interface SingleReading extends Reading {
  readonly parameter?: string
}

// Types for handlers and the client. The compiler cannot follow names and paths through the
// functions below, so each casts its result.
type Reads<R extends Reading, P extends string> = Omit<
  Operation,
  'id' | 'method' | 'path' | 'paging' | 'query' | 'params' | 'response'
> & { id: R['id']; method: 'GET'; path: P }
type Answers<K extends Readable, W> = { response: W & { schema: K['record'] } }
type Lists<K extends Readable> = { paging: Paging } & Answers<K, { wrap: 'collection' }>
type Asks<R> = R extends { query: infer Q } ? { query: Q } : unknown
type Gives<K extends Readable> = Answers<K, { wrap: 'data'; etag: true }>
type ParameterOf<R extends SingleReading> = R extends { parameter: infer P extends string }
  ? P
  : 'id'

/** Declares the list of all records of a kind, in their current versions. */
export function listOperation<const K extends Readable, const R extends PagedReading>(
  kind: K,
  reading: R,
): Reads<R, K['path']> & Lists<K> & Asks<R> {
  const description = `Collection of ${kind.many ?? kind.one}: {data[], meta{count, hasMore, nextCursor?}}.`
  return listed(kind, { description, ...reading }, kind.path) as never
}

/** Declares the get operation of a record in its current version. By default it states 404. */
export function getOperation<const K extends Readable, const R extends SingleReading>(
  kind: K,
  reading: R,
): Reads<R, `${K['path']}/{${ParameterOf<R>}}`> & Gives<K> {
  const description = `One ${kind.one} record with its strong ETag (quoted resourceVersion).`
  const stated = kind.statedErrors ?? [404]
  return single(
    kind,
    { description, statedErrors: stated, ...reading },
    `${kind.path}/{${reading.parameter ?? 'id'}}`,
  ) as never
}

/** Declares the list of all versions of one record. */
export function versionsOperation<
  const K extends Readable,
  const R extends PagedReading & SingleReading,
>(kind: K, reading: R): Reads<R, `${K['path']}/{${ParameterOf<R>}}/versions`> & Lists<K> {
  const path = `${kind.path}/{${reading.parameter ?? 'id'}}/versions`
  return listed(kind, { description: `Versions of one ${kind.one}.`, ...reading }, path) as never
}

const sequenceParams = {
  sequence: Type.Integer({
    minimum: 1,
    maximum: 999_999_999,
    description: 'Number of the version, counted from 1.',
    examples: [1],
  }),
}

/** Declares the get operation of one version of a record by its number. */
export function versionOperation<const K extends Readable, const R extends SingleReading>(
  kind: K,
  reading: R,
): Reads<R, `${K['path']}/{${ParameterOf<R>}}/versions/{sequence}`> &
  Gives<K> & { params: typeof sequenceParams } {
  const path = `${kind.path}/{${reading.parameter ?? 'id'}}/versions/{sequence}`
  const text = { description: 'One version by its number.', ...reading }
  return { ...single(kind, text, path), params: sequenceParams } as never
}

function listed(kind: Readable, reading: PagedReading & { description: string }, path: string) {
  return operation({
    ...beginning(kind, reading, path),
    paging: reading.paging ?? paging(50, 100),
    ...(reading.query ? { query: reading.query } : {}),
    ...ending(kind, reading),
    response: collection(kind.record),
  })
}

function single(kind: Readable, reading: SingleReading & { description: string }, path: string) {
  const response = record(kind.record)
  return operation({ ...beginning(kind, reading, path), ...ending(kind, reading), response })
}

function beginning(kind: Readable, reading: Reading & { description: string }, path: string) {
  const { id, summary } = reading
  const { tag, family, auth = session } = kind
  const description = [reading.description, reading.note, kind.note].filter(Boolean).join(' ')
  const shared = { path, tag, family, summary, description, auth }
  return { id, method: 'GET', ...shared, permission: 'read' } as const
}

function ending(kind: Readable, reading: Reading) {
  const { cacheControl = kind.cacheControl } = reading
  const stated = reading.statedErrors ?? kind.statedErrors ?? []
  return {
    ...(cacheControl ? { cacheControl } : {}),
    success: [200],
    ...(stated.length > 0 ? { statedErrors: stated } : {}),
  } as const
}
