import type { LooseRequest } from '@liquidity-os/client'
import {
  type Operation,
  parametersOf,
  queryOf,
  recordFamilies,
  takesBody,
} from '@liquidity-os/contract'
import { generate } from 'json-schema-faker'
import type { Staged } from '../../apps/server/test/every-operation/scene.ts'
import type { Known } from './known.ts'
import { type Mutation, mutated, mutationOf, pick } from './mutate.ts'

/** A request before it is changed, and how it is changed. */
export interface Draft {
  readonly operation: Operation
  readonly base: Sent
  readonly mutations: readonly Mutation[]
}

/** The parts of a request that can be changed. */
interface Sent {
  readonly params: Record<string, unknown>
  readonly query: Record<string, unknown>
  readonly body?: unknown
  readonly ifMatch?: string
}

/** What whoever asks was shown, and what others were. */
export interface Sight {
  readonly own: Known
  /** What one of the others was shown. */
  readonly foreign: Known
  /** Whether an id is of any other. */
  readonly isForeign: (id: string) => boolean
}

type Random = () => number

const bornOfSchema = 0.3
const unchanged = 0.4
const optionalLeftOut = 0.85
const otherAddresses = 0.4
const oneChange = 0.75
const namesForeign = 0.08
const staleVersion = 0.1
/** Characters; what is longer is answered by what finds the route, before any operation. */
const sendable = 160
const anyHash = `0x${'1'.repeat(64)}`

/** Draws a request: of an example or of the schema, with ids that were seen, changed in nothing, one place or some. */
export async function draw(operation: Operation, sight: Sight, random: Random): Promise<Draft> {
  const params = Object.fromEntries(
    Object.entries(parametersOf(operation)).map(([name, schema]) => [
      name,
      parameterOf(operation, schema, sight, random),
    ]),
  )
  const query = await queryFor(operation, random)
  const body = await bodyFor(operation, sight, random)
  const base: Sent = {
    params,
    query,
    ...(body === undefined ? {} : { body }),
    ...(operation.precondition ? { ifMatch: versionFor(params.id, sight, random) } : {}),
  }
  return { operation, base, mutations: mutationsOf(base, sight, random) }
}

/** Draws a request that is one of those that are sound, but for its changes. */
export function drawSound(
  operation: Operation,
  { request, bodies }: Staged,
  sight: Sight,
  random: Random,
): Draft {
  const base: Sent = {
    params: {},
    query: {},
    ...request,
    ...(bodies.length > 0 ? { body: pick(bodies, random) } : {}),
  }
  return { operation, base, mutations: mutationsOf(base, sight, random) }
}

/** The example of an operation, with ids that were seen. */
export function exampleOf(operation: Operation, sight: Sight): LooseRequest {
  const last = () => 0.99
  const params = Object.entries(parametersOf(operation)).map(([name, schema]) => [
    name,
    parameterOf(operation, schema, sight, last),
  ])
  const { query = {}, body } = operation.example ?? {}
  return {
    params: Object.fromEntries(params),
    query,
    ...(body === undefined ? {} : { body: withIds(body, sight, last) }),
    ...(operation.precondition ? { ifMatch: versionFor(params[0]?.[1], sight, last) } : {}),
  }
}

/** The request as it is sent, under a key of its own. */
export function requestOf({ base, mutations }: Draft, idempotencyKey: string): LooseRequest {
  const { params, query, body, ifMatch } = mutated<Sent>(base, mutations)
  const named = Object.fromEntries(
    Object.keys(base.params).map((name) => [name, textOf(params?.[name]) || 'nothing']),
  )
  return {
    params: named,
    query: queryOfText(query),
    idempotencyKey,
    ...(body === undefined ? {} : { body }),
    ...(ifMatch === undefined ? {} : { ifMatch: headerOf(ifMatch) }),
  }
}

/** A query that is no longer than a URL may be. */
function queryOfText(query: unknown): Record<string, string> {
  if (typeof query !== 'object' || query === null) return {}
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, textOf(value)]))
}

/** As it stands in a path; what cannot be sent there at all is left out. */
const textOf = (value: unknown) =>
  (typeof value === 'object' ? JSON.stringify(value) : String(value ?? ''))
    .replaceAll(/\p{Cs}/gu, '')
    .slice(0, sendable)
const headerOf = (value: unknown) =>
  textOf(value)
    .replaceAll(/[^\x20-\x7e]/g, '')
    .trim()

function mutationsOf(
  base: Sent,
  { own, foreign }: Pick<Sight, 'own' | 'foreign'>,
  random: Random,
): Mutation[] {
  if (random() < unchanged) return []
  const count = random() < oneChange ? 1 : 2 + Math.floor(random() * 4)
  const ids = random() < 0.5 ? foreign.ids : own.ids
  const mutations: Mutation[] = []
  for (let index = 0; index < count; index += 1) {
    mutations.push(mutationOf(mutated(base, mutations), ids, random))
  }
  return mutations
}

/** A value of a path parameter: an id of the kind that it takes, where one was seen. */
function parameterOf(operation: Operation, schema: object, sight: Sight, random: Random): string {
  const { enum: words, type, minimum, examples } = schema as Record<string, unknown>
  if (Array.isArray(words)) return String(pick(words, random))
  if (type === 'integer') return String(Number(minimum ?? 1) + Math.floor(random() * 3))
  const known = random() < namesForeign ? sight.foreign : sight.own
  const kind = kinds.get(operation.id)
  const fitting = kind ? known.ofKind(kind) : known.ids
  const candidates = fitting.length > 0 ? fitting : known.ids
  if (candidates.length > 0) return pick(candidates, random)
  return Array.isArray(examples) ? String(examples[0]) : 'unknown_00000000000000000000000000000000'
}

/** What ids of the records begin with that an operation is about, as its family declares it. */
const kinds = new Map<string, string>(
  recordFamilies.flatMap(({ operations, prefix }) => operations.map(({ id }) => [id, prefix])),
)

function versionFor(id: unknown, { own, foreign }: Sight, random: Random): string {
  if (random() < staleVersion) return anyHash
  return own.versionOf(String(id)) ?? foreign.versionOf(String(id)) ?? anyHash
}

async function queryFor(operation: Operation, random: Random): Promise<Record<string, unknown>> {
  const example = operation.example?.query ?? {}
  const drawn: Record<string, unknown> = { ...example }
  for (const [name, schema] of Object.entries(queryOf(operation))) {
    const isOptional = '~optional' in schema
    if (name in drawn || (isOptional && random() < optionalLeftOut)) continue
    drawn[name] = await bySchema(schema, random)
  }
  return drawn
}

async function bodyFor(operation: Operation, sight: Sight, random: Random): Promise<unknown> {
  if (!takesBody(operation)) return undefined
  const { body, example } = operation
  if (body && (example?.body === undefined || random() < bornOfSchema))
    return bySchema(body, random)
  const known = withIds(example?.body ?? {}, sight, random)
  return random() < otherAddresses ? readdressed(known, random) : known
}

/** The same about another contract: what is there already is refused. */
function readdressed(body: unknown, random: Random): unknown {
  const others = new Map<string, string>()
  const drawn = () => Math.floor(random() * 16).toString(16)
  const text = JSON.stringify(body).replaceAll(/\b0x[0-9a-fA-F]{40}\b/g, (one) => {
    const other = others.get(one) ?? `0x${Array.from({ length: 40 }, drawn).join('')}`
    others.set(one, other)
    return other
  })
  return JSON.parse(text)
}

function bySchema(schema: object, random: Random): Promise<unknown> {
  // What the schema carries beside JSON is no concern of the generator.
  const plain = JSON.parse(JSON.stringify(schema))
  const options = { maxItems: 3, maxLength: 200, optionalsProbability: random() }
  return generate(plain, { ...options, seed: Math.floor(random() * 2 ** 31) })
}

/** An example in which ids that stand for records are those of records, and versions theirs. */
function withIds(example: unknown, { own, foreign }: Sight, random: Random): unknown {
  const text = JSON.stringify(example).replaceAll(
    /\b([a-z_]+)_example\w*/g,
    (text, prefix: string) => {
      const ids = (random() < namesForeign ? foreign : own).ofKind(prefix)
      return ids.length > 0 ? pick(ids, random) : text
    },
  )
  return versioned(JSON.parse(text), own)
}

function versioned(value: unknown, known: Known): unknown {
  if (Array.isArray(value)) return value.map((item) => versioned(item, known))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, versioned(inner, known)])
  const made = Object.fromEntries(entries)
  const current = known.versionOf(String(made.id))
  return current && 'resourceVersion' in made ? { ...made, resourceVersion: current } : made
}
