import { readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { LooseRequest, Reply } from '@liquidity-os/client/core'
import {
  basePath,
  extensionOperations,
  type OperationOutline,
  operations,
} from '@liquidity-os/contract/outline'
import { AdministrationError } from '../../access/administration.ts'
import { required } from '../../required.ts'
import { ask } from './ask.ts'
import type { Profile } from './profiles.ts'

const all = [...operations, ...extensionOperations]

export interface ApiInput {
  /** An operation by its id, or a method. */
  readonly first: string
  /** The path of a method, below the base path or with it. */
  readonly path: string | undefined
  /** `name=value` of path and query. */
  readonly pairs: readonly string[]
  /** JSON, `@file`, or `-` for the standard input. */
  readonly data: string | undefined
  readonly ifMatch: string | undefined
  readonly key: string | undefined
}

/** Sends one request, named by operation or by method and path. */
export async function askApi(
  profile: Profile,
  input: ApiInput,
  stdin: Readable,
): Promise<Reply<unknown>> {
  const named = all.find(({ id }) => id === input.first)
  const { operation, params } = named ? { operation: named, params: {} } : byPath(input)
  const given = Object.fromEntries(input.pairs.map(pairOf))
  const inPath = new Set([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  const split = (isPath: boolean) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => inPath.has(name) === isPath))
  const requested = { ...params, ...split(true) }
  const missing = [...inPath].filter((name) => name !== undefined && !(name in requested))
  if (missing.length > 0) {
    const hint = missing.map((name) => `${name}=…`).join(' ')
    throw new AdministrationError(`${operation.id} needs ${hint}; its path is ${operation.path}.`)
  }
  const body = input.data === undefined ? undefined : await bodyOf(input.data, stdin)
  const request: LooseRequest = {
    params: requested,
    query: split(false),
    ...(body === undefined ? {} : { body }),
    ...(input.ifMatch === undefined ? {} : { ifMatch: input.ifMatch.replace(/^"(.*)"$/, '$1') }),
    ...(input.key === undefined ? {} : { idempotencyKey: input.key }),
  }
  const { id, method, path, idempotency, bodyType, answer } = operation
  return ask(
    profile,
    {
      id,
      method,
      path,
      isBytes: answer.wrap === 'bytes',
      ...(idempotency ? { idempotency } : {}),
      ...(bodyType ? { bodyType } : {}),
    },
    request,
  )
}

/** The operation of a method and path, with its path parameters. */
function byPath({ first, path }: ApiInput): {
  operation: OperationOutline
  params: Record<string, string>
} {
  const method = first.toUpperCase()
  if (path === undefined) {
    throw new AdministrationError(
      `${first} is not an operation. Example: “liquidity api listVenues”, or a method and a path, as in “liquidity api GET /venues”.`,
    )
  }
  const below = path.startsWith(basePath)
    ? path.slice(basePath.length)
    : `/${path.replace(/^\//, '')}`
  for (const operation of all.filter((one) => one.method === method)) {
    const names: string[] = []
    const pattern = operation.path
      .split(/(\{\w+\})/)
      .map((part) => {
        if (!part.startsWith('{')) return part.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
        names.push(part.slice(1, -1))
        return '([^/]+)'
      })
      .join('')
    const found = new RegExp(`^${pattern}$`).exec(below)
    if (!found) continue
    const values = names.map((name, index) => [
      name,
      decodeURIComponent(required(found[index + 1], `value of ${name}`)),
    ])
    return { operation, params: Object.fromEntries(values) }
  }
  throw new AdministrationError(`The contract has no ${method} ${below}. See docs/operations.md.`)
}

function pairOf(pair: string): [string, string] {
  const at = pair.indexOf('=')
  if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)]
  throw new AdministrationError(`${pair} must be name=value.`)
}

async function bodyOf(data: string, stdin: Readable): Promise<unknown> {
  const [source, json] =
    data === '-'
      ? ['the standard input', await text(stdin)]
      : data.startsWith('@')
        ? [data.slice(1), readFile(data.slice(1))]
        : ['--data', data]
  try {
    return JSON.parse(json)
  } catch (error) {
    throw new AdministrationError(`${source} is not valid JSON: ${(error as Error).message}`)
  }
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new AdministrationError(`${path} cannot be read: ${(error as Error).message}`)
  }
}
