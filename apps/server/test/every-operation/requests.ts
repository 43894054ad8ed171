import { type ClientOptions, type LooseRequest, send } from '@liquidity-os/client'
import {
  extensionOperations,
  isGuarded,
  type Operation,
  operations,
  parametersOf,
  takesBody,
} from '@liquidity-os/contract'

/** Operations that know who calls. */
export const guarded = [...operations, ...extensionOperations].filter(isGuarded)

/** A valid path parameter value that matches no record. */
export function parametersFor(operation: Operation): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parametersOf(operation)).map(([name, schema]) => [name, valueFor(schema)]),
  )
}

function valueFor(schema: object): string {
  const { type, minimum, enum: words, examples, pattern } = schema as Record<string, unknown>
  if (Array.isArray(words)) return String(words[0])
  if (type === 'integer') return String(minimum ?? 1)
  if (Array.isArray(examples)) return String(examples[0])
  if (pattern) throw new Error(`No example for ${pattern}`)
  return 'unknown_00000000000000000000000000000000'
}

/** A request that passes every guard except the existence check. */
export function plainRequest(operation: Operation): LooseRequest {
  return {
    params: parametersFor(operation),
    ...(operation.example?.query ? { query: operation.example.query } : requiredQuery(operation)),
    ...(takesBody(operation) ? { body: operation.example?.body ?? {} } : {}),
    ...(operation.precondition === 'required' ? { ifMatch: `0x${'1'.repeat(64)}` } : {}),
  }
}

function requiredQuery(operation: Operation): { query?: Record<string, string> } {
  const required = Object.entries(operation.query ?? {}).filter(
    ([, schema]) => !('~optional' in schema),
  )
  return required.length === 0
    ? {}
    : { query: Object.fromEntries(required.map(([name, schema]) => [name, valueFor(schema)])) }
}

export interface Refusal {
  status: number
  code: string
  body: { error?: { fieldErrors?: Record<string, string[]> } }
  headers: Headers
}

/** Sends a request and reads the code of its refusal; the code is empty where it succeeded. */
export async function refusal(
  options: ClientOptions,
  operation: Operation,
  request: LooseRequest = plainRequest(operation),
): Promise<Refusal> {
  const answer = await send(options, operation, request)
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json')
  const body = text && isJson ? JSON.parse(text) : {}
  return { status: answer.status, code: body.error?.code ?? '', body, headers: answer.headers }
}
