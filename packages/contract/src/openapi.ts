import type { TSchema } from 'typebox'
import Type from 'typebox'
import { PageMeta, UnpublishedPayload, versioned } from './envelope.ts'
import { errorCodesByStatus } from './error-codes-of.ts'
import { ErrorEnvelope } from './errors.ts'
import { splitMeasure } from './measures.ts'
import { takesBody } from './methods.ts'
import type { Operation, Response } from './operation.ts'
import { isDownload, parametersOf, queryOf } from './operation.ts'
import { OAuthError } from './platform/oauth.ts'
import { responseExamples } from './response-examples.ts'
import { closed, list } from './scalars.ts'
import { apiVersion, basePath, extensionOperations, operations } from './table.ts'

type Json = Record<string, unknown>

const tagDescriptions = {
  Plan: 'Define liquidity needs and treasury capacity.',
  Simulate: 'Compare LP strategies on historical and synthetic markets.',
  Operate: "Prepare, review and monitor execution by the issuer's Safe.",
  Intelligence: 'Measure markets: venues, scores, attribution, anomalies, discovery.',
  Prove: 'Evidence that third parties can verify.',
  Platform: 'Identity, credentials, providers, webhooks, partners and the contract itself.',
} as const

/** The page of a collection: closed, with `meta`. */
export function pageOf(item: TSchema) {
  return closed({ data: list(item, 100), meta: PageMeta })
}

/** The response of an operation; unpublished families return open objects. */
export function responseOf(operation: Operation): Response {
  if (operation.response) return operation.response
  if (operation.success.includes(204)) return { wrap: 'none' }
  return operation.paging
    ? { wrap: 'collection', schema: versioned('Unpublished', UnpublishedPayload) }
    : { wrap: 'data', schema: UnpublishedPayload, etag: false }
}

/** Schema of the complete success body; null without a body. */
export function successBodyOf(operation: Operation): TSchema | null {
  const response = responseOf(operation)
  if (response.wrap === 'none' || response.wrap === 'bytes') return null
  if (response.wrap === 'raw') return response.schema
  if (response.wrap === 'collection') return pageOf(response.schema)
  return closed({ data: response.schema })
}

/** Prints the OpenAPI 3.1 document of the specification's operations. Same contract, same document. */
export function openApiDocument(): Json {
  return documentOf(operations, {
    title: 'Liquidity OS',
    description:
      "Versioned records are immutable and append-only; a change appends a version. The API never executes a transaction: authority stays with the issuer's multi-signature Safe.",
  })
}

/** The same for extension operations. */
export function extensionDocument(): Json {
  return documentOf(extensionOperations, {
    title: 'Liquidity OS, operations outside the specification',
    description:
      'Extensions: downloads of artifacts and operation of the deployment, under the same base path, guards, errors and limits as the operations of openapi.json.',
  })
}

function documentOf(
  printed: readonly Operation[],
  { title, description }: { title: string; description: string },
): Json {
  const schemas = new Map<string, Json>()
  const print = (schema: TSchema): Json =>
    hoist(JSON.parse(JSON.stringify(schema)), schemas) as Json
  const paths: Record<string, Json> = {}
  for (const operation of printed) {
    const path = paths[operation.path] ?? {}
    paths[operation.path] = path
    path[operation.method.toLowerCase()] = printOperation(operation, print)
  }
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: apiVersion,
      summary: 'Plan, simulate, operate, analyze and prove the liquidity of a token.',
      description,
      contact: { name: 'Liquidity OS', url: 'https://github.com/liquidity-os' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: basePath, description: 'This deployment' }],
    tags: Object.entries(tagDescriptions)
      .filter(([name]) => printed.some(({ tag }) => tag === name))
      .map(([name, text]) => ({ name, description: text })),
    paths,
    components: {
      securitySchemes: schemesOf(printed),
      schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}

const securitySchemes = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-service_session',
    description: 'Interactive session of the email link sign-in (service_session on http).',
  },
  service: {
    type: 'http',
    scheme: 'bearer',
    description: 'API key (svc_key_…) or access token (svc_at_…).',
  },
  client: {
    type: 'http',
    scheme: 'basic',
    description: 'OAuth client id and secret (svc_client_…).',
  },
} as const

/** Authentication schemes of these operations. */
function schemesOf(printed: readonly Operation[]): Json {
  const used = new Set(printed.flatMap(printSecurity).flatMap((one) => Object.keys(one)))
  return Object.fromEntries(Object.entries(securitySchemes).filter(([name]) => used.has(name)))
}

/** Replaces named schemas with references and collects them; a name denotes a single schema. */
function hoist(node: unknown, schemas: Map<string, Json>): unknown {
  if (Array.isArray(node)) return node.map((item) => hoist(item, schemas))
  if (typeof node !== 'object' || node === null) return node
  const { 'x-name': name, ...all } = node as Json
  // Measures are printed next to the reference, because members with the same schema can have
  // different measures.
  const { measure, others } = splitMeasure(all)
  const members = typeof name === 'string' ? others : all
  const printed = Object.fromEntries(
    Object.entries(members).map(([key, value]) => [key, hoist(value, schemas)]),
  )
  if (typeof name !== 'string') return printed
  const known = schemas.get(name)
  if (known && JSON.stringify(known) !== JSON.stringify(printed)) {
    throw new Error(`Two different schemas carry the name ${name}.`)
  }
  schemas.set(name, printed)
  return { $ref: `#/components/schemas/${name}`, ...measure }
}

function printOperation(operation: Operation, print: (schema: TSchema) => Json): Json {
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: operation.description,
    tags: [operation.tag],
    security: printSecurity(operation),
    ...(operation.permission ? { 'x-permission': operation.permission } : {}),
    ...(operation.auth.kind === 'scoped' ? { 'x-scope': operation.auth.scope } : {}),
    parameters: printParameters(operation, print),
    ...printBody(operation, print),
    responses: { ...printSuccess(operation, print), ...printFailures(operation, print) },
  }
}

function printSecurity({ auth }: Operation): Json[] {
  if (auth.kind === 'public') return []
  if (auth.kind === 'basic') return [{ client: [] }]
  return auth.kind === 'session' ? [{ session: [] }] : [{ session: [] }, { service: [] }]
}

const etagPattern = '^"[^"\\\\\\s]+"$'

function printParameters(operation: Operation, print: (schema: TSchema) => Json): Json[] {
  const header = (name: string, required: boolean, schema: TSchema, description: string) => ({
    name,
    in: 'header',
    required,
    description,
    schema: print(schema),
  })
  const headers: Json[] = []
  if (operation.auth.kind !== 'public') {
    headers.push(
      header(
        'x-service-organization-id',
        operation.auth.kind !== 'basic' && !isDownload(operation),
        Type.String({ minLength: 1, maxLength: 160 }),
        isDownload(operation)
          ? 'Organization context of the request. Required unless the query names it.'
          : 'Organization context of the request.',
      ),
    )
  }
  if (operation.idempotency) {
    headers.push(
      header(
        'Idempotency-Key',
        true,
        idempotencyKeySchema(operation.idempotency),
        'Fresh for every intent; an identical request replays its stored answer.',
      ),
    )
  }
  if (operation.precondition) {
    headers.push(
      header(
        'If-Match',
        operation.precondition === 'required',
        Type.String({ pattern: etagPattern }),
        'The quoted resourceVersion that was reviewed.',
      ),
    )
  }
  const located = (place: 'path' | 'query', schemas: Record<string, TSchema>) =>
    Object.entries(schemas).map(([name, schema]) => ({
      name,
      in: place,
      required: place === 'path' || !('~optional' in schema),
      ...('description' in schema ? { description: schema.description } : {}),
      schema: print(schema),
    }))
  return [
    ...located('path', parametersOf(operation)),
    ...located('query', queryOf(operation)),
    ...headers,
  ]
}

/** Form of the Idempotency-Key header. */
export function idempotencyKeySchema(form: NonNullable<Operation['idempotency']>) {
  return form === 'key-160'
    ? Type.String({ minLength: 8, maxLength: 160, pattern: '^\\S(.*\\S)?$' })
    : Type.String({ minLength: 8, maxLength: 200, pattern: '^[\\x20-\\x7e]+$' })
}

function printBody(operation: Operation, print: (schema: TSchema) => Json): Json {
  if (!takesBody(operation)) return {}
  const schema = operation.body ? print(operation.body) : print(UnpublishedPayload)
  const example = operation.example?.body
  return {
    requestBody: {
      required: operation.body !== undefined,
      content: {
        [operation.bodyType ?? 'application/json']: {
          schema,
          ...(example === undefined ? {} : { example }),
        },
      },
    },
  }
}

const correlationHeader = {
  'x-correlation-id': {
    description: 'Finds this attempt in the log of the service.',
    schema: { type: 'string' },
  },
}

const textHeader = (description: string) => ({
  required: true,
  description,
  schema: { type: 'string' },
})
const bytesHeaders = {
  ETag: textHeader('The quoted content hash.'),
  'Content-Digest': textHeader('RFC 9530, sha-256 of the response body.'),
  'Content-Disposition': textHeader('Disposition (inline or attachment) and file name.'),
  'Accept-Ranges': textHeader('bytes'),
}

const isJson = ({ wrap }: Response) => wrap === 'data' || wrap === 'collection' || wrap === 'raw'
const evidenceMarkHeader = {
  'Evidence-Mark': {
    description:
      'SIMULATED with the chain ids, if a record of the answer rests on a local or test chain.',
    schema: { type: 'string', examples: ['SIMULATED;chains="31337"'] },
  },
}

function printSuccess(operation: Operation, print: (schema: TSchema) => Json): Json {
  const body = successBodyOf(operation)
  const response = responseOf(operation)
  const headers = {
    ...correlationHeader,
    ...(response.wrap === 'bytes' ? bytesHeaders : fileHeadersOf(response)),
    ...(response.wrap === 'data' && response.etag
      ? {
          ETag: {
            required: true,
            description: 'The quoted resourceVersion.',
            schema: { type: 'string' },
          },
        }
      : {}),
    ...(isJson(response) ? evidenceMarkHeader : {}),
    ...(operation.cacheControl
      ? {
          'Cache-Control': {
            required: true,
            description: operation.cacheControl,
            schema: { type: 'string' },
          },
        }
      : {}),
    ...(operation.idempotency
      ? {
          'Idempotency-Replayed': {
            description: 'true when a stored answer is replayed.',
            schema: { type: 'string', enum: ['true'] },
          },
        }
      : {}),
  }
  const location = {
    Location: {
      description: 'Path of the created record, if the request created one.',
      schema: { type: 'string' },
    },
  }
  const files = filesOf(response)
  const success = files.length > 0 ? [...operation.success, 206] : operation.success
  return Object.fromEntries(
    success.map((status) => [
      String(status),
      {
        description:
          { 200: 'Done.', 201: 'Created.', 204: 'Removed.', 206: 'Requested byte range.' }[
            status
          ] ?? 'Done.',
        headers: status === 201 ? { ...headers, ...location } : headers,
        ...(body || files.length > 0
          ? {
              content: {
                ...(body && status !== 206
                  ? { 'application/json': { schema: print(body), ...exampleOf(operation.id) } }
                  : {}),
                ...printBytes(files),
              },
            }
          : {}),
      },
    ]),
  )
}

/** Media types of the files that an operation can return. */
function filesOf(response: Response): readonly string[] {
  if (response.wrap === 'bytes') return response.mediaTypes
  return response.wrap === 'data' ? (response.files ?? []) : []
}

/** Headers that only the files of a response have. */
const fileHeadersOf = (response: Response): Json =>
  filesOf(response).length === 0
    ? {}
    : Object.fromEntries(
        Object.entries(bytesHeaders).map(([name, header]) => [
          name,
          { ...header, required: false },
        ]),
      )

function printBytes(mediaTypes: readonly string[]): Json {
  return Object.fromEntries(
    mediaTypes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
  )
}

/** The recorded answer; one example fits every success status, since they share their body. */
function exampleOf(id: string): Json {
  const example = responseExamples[id]
  return example === undefined || example === null ? {} : { example }
}

function printFailures(operation: Operation, print: (schema: TSchema) => Json): Json {
  const content = { 'application/json': { schema: print(ErrorEnvelope) } }
  const responses: Json = {}
  for (const [status, codes] of errorCodesByStatus(operation)) {
    const retryAfter =
      status === 429
        ? { 'Retry-After': { description: 'Seconds.', schema: { type: 'string' } } }
        : {}
    responses[String(status)] = {
      description: codes.join(', '),
      headers: { ...correlationHeader, ...retryAfter },
      content,
    }
  }
  if (operation.auth.kind === 'basic') {
    const refused = { 'application/json': { schema: print(OAuthError) } }
    responses['400'] = {
      description: 'invalid_request, unsupported_grant_type, invalid_scope',
      headers: correlationHeader,
      content: refused,
    }
    responses['401'] = {
      description: 'The client is not known: {"error":"invalid_client"}.',
      headers: {
        ...correlationHeader,
        'WWW-Authenticate': { description: 'Basic challenge.', schema: { type: 'string' } },
      },
      content: refused,
    }
  }
  return responses
}

/** One line per operation, for text search. */
export function operationsPage(): string {
  const lines = operations.map((operation) => {
    const auth = operation.auth.kind === 'scoped' ? operation.auth.scope : operation.auth.kind
    return [
      operation.method.padEnd(6),
      operation.path.padEnd(66),
      operation.id.padEnd(44),
      auth.padEnd(20),
      operation.permission ?? '-',
    ].join(' ')
  })
  return `${lines.join('\n')}\n`
}
