import { createHash } from 'node:crypto'
import {
  basePath,
  type ErrorCode,
  ErrorEnvelope,
  errorCodesByStatus,
  extensionOperations,
  type Operation,
  operations,
  successBodyOf,
} from '@liquidity-os/contract'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
const compiled = new Map<string, ValidateFunction>()

const routes = [...operations, ...extensionOperations].map((operation) => ({
  operation,
  pattern: new RegExp(
    `^${basePath}${operation.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`,
  ),
}))

/** The operation that a request goes to; the longest literal path wins. */
export function operationOf(method: string, path: string): Operation | undefined {
  const found = routes.filter(
    ({ operation, pattern }) => operation.method === method && pattern.test(path),
  )
  return found.sort((a, b) => literals(b.operation) - literals(a.operation))[0]?.operation
}

const literals = ({ path }: Operation) => path.replaceAll(/\{\w+\}/g, '').length

/**
 * `fetch` that validates every contract response against its schema: status, headers, body, and the
 * declared error codes. A mismatch fails the calling test.
 */
export const conformingFetch: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init)
  const url = new URL(input instanceof Request ? input.url : input)
  const operation = operationOf(init?.method ?? 'GET', url.pathname)
  if (operation) await assertConforms(operation, answer.clone())
  return answer
}

/** @throws Error if the response, read completely, does not match the operation's declaration */
export async function assertConforms(operation: Operation, answer: Response): Promise<void> {
  const at = `${operation.id} ${answer.status}`
  if (answer.ok && isFile(operation, answer)) return assertBytes(answer, at)
  const text = await answer.text()
  if (!answer.headers.get('x-correlation-id')) throw new Error(`${at}: no x-correlation-id`)
  if (answer.status === 304 || answer.status === 204) {
    if (text !== '') throw new Error(`${at}: has a body`)
    return
  }
  const body = JSON.parse(text)
  if (answer.status < 400) {
    if (!operation.success.includes(answer.status)) throw new Error(`${at}: is not declared`)
    const schema = successBodyOf(operation)
    if (schema) validate(`${operation.id}`, schema, body, at)
    const response = operation.response
    if (response?.wrap === 'data' && response.etag && !answer.headers.get('etag')) {
      throw new Error(`${at}: no ETag`)
    }
    return
  }
  if (operation.auth.kind === 'basic' && typeof body.error === 'string') return
  validate('ErrorEnvelope', ErrorEnvelope, body, at)
  const code = body.error.code as ErrorCode
  const isDeclared = errorCodesByStatus(operation).get(answer.status)?.includes(code)
  if (!isDeclared) throw new Error(`${at}: ${code} is not declared`)
}

/** True for bytes, and for a file in place of JSON. */
function isFile({ response }: Operation, { headers }: Response): boolean {
  const type = headers.get('content-type') ?? ''
  if (response?.wrap === 'data') return response.files?.some((one) => type.startsWith(one)) ?? false
  return response?.wrap === 'bytes'
}

async function assertBytes(answer: Response, at: string): Promise<void> {
  for (const name of ['etag', 'content-digest', 'content-disposition', 'accept-ranges']) {
    if (!answer.headers.get(name)) throw new Error(`${at}: no ${name}`)
  }
  const digest = createHash('sha256')
    .update(await answer.bytes())
    .digest('base64')
  if (answer.headers.get('content-digest') !== `sha-256=:${digest}:`) {
    throw new Error(`${at}: the digest is not that of what came`)
  }
}

function validate(key: string, schema: object, body: unknown, at: string): void {
  let check = compiled.get(key)
  if (!check) {
    check = ajv.compile(schema)
    compiled.set(key, check)
  }
  if (!check(body)) {
    throw new Error(`${at} does not conform: ${ajv.errorsText(check.errors)}`)
  }
}
