import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { documented, type Schema, typeOf } from './print-types.ts'

/**
 * Builds the package that is published: plain JavaScript without dependencies, and types printed from the contract.
 *
 *     node packages/client/build/build.ts [folder]      packages/client/dist where none is named
 */
const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '../../..')
const target = process.argv[2] ?? join(here, '../dist')

interface Document {
  readonly info: { readonly version: string }
  readonly paths: Record<string, Record<string, DescribedOperation>>
  readonly components: { readonly schemas: Record<string, Schema> }
}

interface DescribedOperation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> }
  readonly responses: Record<string, { readonly content?: Record<string, { schema?: Schema }> }>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Schema
  readonly description?: string
}

const read = <T>(path: string): T => JSON.parse(readFileSync(join(root, path), 'utf8')) as T
const documents = [
  ...[read<Document>('packages/contract/openapi.json')],
  read<Document>('packages/contract/openapi-beside.json'),
]
const outline = read<{
  apiVersion: string
  basePath: string
  operations: Outline[]
  extensionOperations: Outline[]
  errorCatalogue: { groups?: object; codes?: object } & object
}>('packages/contract/src/generated/outline.json')

interface Outline {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly idempotency?: unknown
  readonly bodyType?: string
  readonly answer: { readonly wrap: string }
}

const described = documents.flatMap(({ paths }) =>
  Object.values(paths).flatMap((methods) => Object.values(methods)),
)

function sendables(): object[] {
  return [...outline.operations, ...outline.extensionOperations].map(
    ({ id, method, path, idempotency, bodyType, answer }) => ({
      id,
      method,
      path,
      ...(idempotency ? { idempotency } : {}),
      ...(bodyType ? { bodyType } : {}),
      ...(answer.wrap === 'bytes' ? { isBytes: true } : {}),
    }),
  )
}

const schemas = Object.assign(
  {},
  ...documents.map(({ components }) => components.schemas),
) as Record<string, Schema>

function printTypes(): string {
  const named = Object.entries(schemas).map(
    ([name, schema]) => `${documented(schema)}export type ${name} = ${typeOf(schema)}\n`,
  )
  const methods = described.map(
    (operation) =>
      `  /** ${operation.summary}. ${(operation.description ?? '').replaceAll('*/', '* /')} */\n  readonly ${operation.operationId}: ${methodOf(operation)}`,
  )
  return `${named.join('\n')}\n/** A method for every operation of the contract. */\nexport interface Client {\n${methods.join('\n')}\n}\n`
}

function methodOf({ parameters = [], requestBody, responses }: DescribedOperation): string {
  const of = (place: string) => {
    const some = parameters.filter((one) => one.in === place)
    if (some.length === 0) return null
    const members = some.map(
      ({ name, required, schema }) =>
        `readonly ${JSON.stringify(name)}${required ? '' : '?'}: ${typeOf(schema)}${required ? '' : ' | undefined'}`,
    )
    return { isNeeded: some.some(({ required }) => required), text: `{ ${members.join('; ')} }` }
  }
  const body = requestBody && Object.values(requestBody.content)[0]?.schema
  const parts = [
    ['params', of('path')],
    ['query', of('query')],
    ['body', body ? { isNeeded: true, text: typeOf(body) } : null],
  ] as const
  const members = parts.flatMap(([name, part]) =>
    part ? [`readonly ${name}${part.isNeeded ? '' : '?'}: ${part.text}`] : [],
  )
  const isNeeded = parts.some(([, part]) => part?.isNeeded)
  const request = `{ ${members.join('; ')} } & Guards`
  return `(request${isNeeded ? '' : '?'}: ${request}) => Promise<Reply<${answerOf(responses)}>>`
}

/** Type of a successful response: a union of bodies, or bytes. */
function answerOf(responses: DescribedOperation['responses']): string {
  const found = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => {
      if (!content) return 'null'
      const json = content['application/json']
      return json ? typeOf(json.schema) : 'Uint8Array'
    })
  return [...new Set(found)].join(' | ') || 'null'
}

const codes = [
  ...new Set(
    readFileSync(join(root, 'packages/contract/src/errors.json'), 'utf8').matchAll(
      /^\s*"([A-Z][A-Z0-9_]{4,})": \{/gm,
    ),
  ),
].map(([, code]) => code as string)

const handwritten = `/** What guards a change, and what ends a request. */
export interface Guards {
  /** Fresh for every intent; made here where it is absent, and the same for every attempt. */
  readonly idempotencyKey?: string | undefined
  /** The version that was reviewed, unquoted. */
  readonly ifMatch?: string | undefined
  readonly headers?: Record<string, string> | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Reply<Body> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
  /** The version of the record in the answer, unquoted, or null. */
  readonly etag: string | null
}

/** The service refused; programs decide on \`code\`. */
export declare class ApiFailure extends Error {
  readonly status: number
  readonly code: string
  readonly body: { readonly error: { readonly code: string; readonly message: string; readonly correlationId: string; readonly retryable: boolean; readonly fieldErrors?: Record<string, string[]>; readonly remediation?: string } }
  readonly headers: Headers
}

export type FailureClass<Code extends string> = new (...given: never[]) => ApiFailure & { readonly code: Code }

/** By code: \`error instanceof Failures.LIQUIDITY_PRECONDITION_FAILED\`. */
export declare const Failures: { readonly [Code in ErrorCode]: FailureClass<Code> }

export interface ClientOptions {
  /** Origin of the deployment. */
  readonly baseUrl: string
  readonly organizationId?: string
  /** How the caller authenticates; a browser sends its own session where it is left out. */
  readonly auth?:
    | { readonly kind: 'bearer'; readonly token: string }
    | { readonly kind: 'session'; readonly cookieName: string; readonly cookie: string; readonly origin: string }
  readonly fetch?: typeof fetch
  /** Attempts after the first, where a refusal passes; 3 where it is left out. */
  readonly retries?: number
  /** Longest wait between two attempts, milliseconds; 60,000 where it is left out. */
  readonly longestWait?: number
}

export declare function createClient(options: ClientOptions): Client

interface Page<Item> {
  readonly body: { readonly data: readonly Item[]; readonly meta: { readonly hasMore: boolean; readonly nextCursor?: string | undefined } }
}

/** Everything that a list has, page by page as it is asked for. */
export declare function each<Item, Request extends { readonly query?: Readonly<Record<string, unknown>> | undefined } | undefined>(
  list: (request: Request) => Promise<Page<Item>>,
  request?: NoInfer<Request>,
): AsyncGenerator<Item, void, undefined>

export interface DeliveredEvent {
  readonly type: string
  readonly timestamp: string
  readonly data: unknown
}

/** Whether a delivery is of this service and of now, by the rules of Standard Webhooks; throws where it is not. */
export declare function verifyWebhook(
  secret: string,
  body: string,
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>,
): DeliveredEvent

export declare const apiVersion: string
`

rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
const work = mkdtempSync(join(tmpdir(), 'liquidity-client-'))
const contract = join(work, 'contract.js')
writeFileSync(
  contract,
  `export const apiVersion = ${JSON.stringify(outline.apiVersion)}
export const basePath = ${JSON.stringify(outline.basePath)}
export const operations = ${JSON.stringify(sendables())}
`,
)
await build({
  input: join(here, 'published.ts'),
  platform: 'neutral',
  resolve: { alias: { '#contract': contract }, mainFields: ['module', 'main'] },
  logLevel: 'warn',
  output: { file: join(target, 'index.js'), format: 'esm' },
})
writeFileSync(
  join(target, 'index.d.ts'),
  `${handwritten}\nexport type ErrorCode =\n${codes.map((code) => `  | '${code}'`).join('\n')}\n\n${printTypes()}`,
)
const { version, license } = read<{ version: string; license: string }>(
  'packages/client/package.json',
)
writeFileSync(
  join(target, 'package.json'),
  `${JSON.stringify(
    {
      name: '@liquidity-os/client',
      version,
      license,
      type: 'module',
      description: 'Every operation of Liquidity OS, typed, with retries, pages and webhooks.',
      exports: { '.': { types: './index.d.ts', default: './index.js' } },
      files: ['index.js', 'index.d.ts', 'README.md'],
      sideEffects: false,
      engines: { node: '>=20' },
    },
    null,
    2,
  )}\n`,
)
cpSync(join(root, 'docs/client.md'), join(target, 'README.md'))
rmSync(work, { recursive: true, force: true })
if (process.argv.includes('--pack')) {
  execFileSync('npm', ['pack', '--silent'], { cwd: target, stdio: 'inherit' })
}
