import { canonicalize, MAXIMUM_DEPTH } from './canonical-json.ts'

/** The members of a JSON Schema that say where a value's members are. All else is ignored. */
export interface SchemaHint {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
  readonly items?: unknown
  readonly anyOf?: readonly unknown[]
  readonly oneOf?: readonly unknown[]
  readonly allOf?: readonly unknown[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly $ref?: string
}

/**
 * Generates a canonical serializer for values that usually match the schema.
 *
 * The schema only affects speed. For every value, matching or not, the serializer returns or throws
 * exactly like `canonicalize`. A value of another shape takes the general path. For a known shape,
 * members are copied into a literal with keys in canonical order, which one native JSON.stringify
 * writes.
 *
 * Generates code with `new Function`, so use it on the server. A browser with a strict content
 * security policy uses `canonicalize`.
 *
 * @param schema JSON Schema of the value
 * @param definitions schemas that `$ref` can name, by `$id`
 */
export function compileCanonical(
  schema: unknown,
  definitions: Readonly<Record<string, unknown>> = {},
): (value: unknown) => string {
  const generator = new Generator(definitions)
  const body = generator.expression(schema, 'value', 0)
  const source = `'use strict'\n${generator.functions.join('\n')}\nreturn (value) => ${body}`
  const build = new Function('open', 'isPlain', 'keysInOrder', 'isInteger', source)
  const copy = build(openCopy, isPlain, keysInOrder, Number.isSafeInteger) as (
    v: unknown,
  ) => unknown
  return (value) => {
    const text = stringifyCopy(copy, value)
    // A lone surrogate appears as \udxxx; `canonicalize` distinguishes it from a literal backslash.
    return text === null || text.includes('\\ud') ? canonicalize(value) : text
  }
}

/** Thrown when a literal cannot express the canonical order; the general path takes over. */
const NOT_EXPRESSIBLE = new Error('The canonical order requires the general path.')

function stringifyCopy(copy: (value: unknown) => unknown, value: unknown): string | null {
  try {
    return JSON.stringify(copy(value))
  } catch (error) {
    if (error === NOT_EXPRESSIBLE) return null
    throw error
  }
}

/** A copy with members in canonical order, for parts that the schema leaves open. */
function openCopy(value: unknown, depth: number): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  if (typeof value !== 'object' || depth >= MAXIMUM_DEPTH) throw NOT_EXPRESSIBLE
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (let index = 0; index < value.length; index++) items.push(openCopy(value[index], depth + 1))
    return items
  }
  if (!isPlain(value)) throw NOT_EXPRESSIBLE
  const members: Record<string, unknown> = {}
  for (const key of keysInOrder(value)) members[key] = openCopy(value[key], depth + 1)
  return members
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Keys in canonical order, if an object can hold them in that order. */
function keysInOrder(value: object): string[] {
  const keys = Object.keys(value)
  for (const key of keys) if (!keepsItsPlace(key)) throw NOT_EXPRESSIBLE
  return keys.sort()
}

/** Objects put array indexes first, in numeric order, and `__proto__` is not a member at all. */
function keepsItsPlace(key: string): boolean {
  const first = key.charCodeAt(0)
  if (first >= 0x30 && first <= 0x39) return !ARRAY_INDEX.test(key)
  return key !== '__proto__'
}

const ARRAY_INDEX = /^[0-9]{1,10}$/

/** A schema of thousands of nodes would cost more to compile than it saves. */
const MAXIMUM_FUNCTIONS = 2000

/** Turns a schema into expressions that copy a value; `at` is always a name, read once. */
class Generator {
  readonly functions: string[] = []
  readonly #definitions: Readonly<Record<string, unknown>>
  readonly #open = new Set<string>()

  constructor(definitions: Readonly<Record<string, unknown>>) {
    this.#definitions = definitions
  }

  /** An expression that copies the value named `at`, which nests `depth` levels deep. */
  expression(schema: unknown, at: string, depth: number): string {
    const open = `open(${at}, ${depth})`
    if (!isPlain(schema) || this.functions.length > MAXIMUM_FUNCTIONS) return open
    const hint: SchemaHint = schema
    if (hint.$ref !== undefined) return this.#reference(hint.$ref, at, depth)
    const alternatives = hint.anyOf ?? hint.oneOf
    if (alternatives !== undefined) return this.#alternatives(alternatives, at, depth)
    if (hint.allOf !== undefined) return this.expression(this.#merged(hint.allOf), at, depth)
    if (hint.properties !== undefined) return this.#call(this.#object(hint, depth), at)
    if (hint.items !== undefined) return this.#call(this.#array(hint.items, depth), at)
    if (isPlain(hint.additionalProperties)) {
      return this.#call(this.#map(hint.additionalProperties, depth), at)
    }
    const type = hint.type ?? typeOfValues(hint)
    if (type === 'string' || type === 'boolean')
      return `(typeof ${at} === '${type}' ? ${at} : ${open})`
    if (type === 'integer' || type === 'number') return `(isInteger(${at}) ? ${at} : ${open})`
    return open
  }

  /** A schema that contains itself is left open where it recurs. */
  #reference(name: string, at: string, depth: number): string {
    const definition = this.#resolve(name)
    if (definition === undefined || this.#open.has(name)) return `open(${at}, ${depth})`
    this.#open.add(name)
    const expression = this.expression(definition, at, depth)
    this.#open.delete(name)
    return expression
  }

  #resolve(name: string): unknown {
    return this.#definitions[name] ?? this.#definitions[name.replace(/^.*\/|#$/g, '')]
  }

  #alternatives(schemas: readonly unknown[], at: string, depth: number): string {
    const others = schemas.filter((schema) => !isPlain(schema) || schema.type !== 'null')
    if (others.length < schemas.length) {
      return `(${at} === null ? null : ${this.#alternatives(others, at, depth)})`
    }
    if (others.length === 1) return this.expression(others[0], at, depth)
    const types = new Set(others.map((schema) => (isPlain(schema) ? typeOfValues(schema) : null)))
    if (types.size === 1 && SCALARS.isSupersetOf(types))
      return this.expression(others[0], at, depth)
    const tag = discriminator(others)
    if (tag === null) return `open(${at}, ${depth})`
    const cases = others.map((schema) => {
      const properties = (schema as { properties: Record<string, { const: unknown }> }).properties
      const value = JSON.stringify(properties[tag]?.const)
      return `case ${value}: return ${this.expression(schema, 'v', depth)}`
    })
    const otherwise = `default: return open(v, ${depth})`
    const tagAt = `isPlain(v) ? v[${JSON.stringify(tag)}] : undefined`
    return this.#call(this.#define(`switch (${tagAt}) { ${cases.join('; ')}; ${otherwise} }`), at)
  }

  #merged(schemas: readonly unknown[]): SchemaHint {
    const properties: Record<string, unknown> = {}
    for (const schema of schemas) {
      if (isPlain(schema)) Object.assign(properties, (schema as SchemaHint).properties)
    }
    return { properties }
  }

  #object(hint: SchemaHint, depth: number): string {
    const names = Object.keys(hint.properties ?? {}).sort()
    const open = `return open(v, ${depth})`
    if (depth >= MAXIMUM_DEPTH || !names.every(keepsItsPlace)) return this.#define(open)
    const required = new Set(hint.required)
    const reads = names.map((name, index) => `const p${index} = v[${JSON.stringify(name)}]`)
    const present = names.map((name, index) =>
      required.has(name) ? '1' : `(p${index} !== undefined)`,
    )
    const members = names.map((name, index) => {
      const copy = this.expression(hint.properties?.[name], `p${index}`, depth + 1)
      const value = required.has(name) ? copy : `p${index} === undefined ? undefined : ${copy}`
      return `${JSON.stringify(name)}: ${value}`
    })
    // As many own members as there are known ones: none is unknown, none is explicitly undefined.
    return this.#define(
      `if (!isPlain(v)) ${open}\n${reads.join('\n')}\n` +
        `if (Object.keys(v).length !== ${['0', ...present].join(' + ')}) ${open}\n` +
        `return { ${members.join(', ')} }`,
    )
  }

  #array(items: unknown, depth: number): string {
    const copy = this.expression(items, 'item', depth + 1)
    return this.#define(
      `if (!Array.isArray(v) || ${depth} >= ${MAXIMUM_DEPTH}) return open(v, ${depth})\n` +
        `const items = []\nfor (let i = 0; i < v.length; i++) { const item = v[i]; items.push(${copy}) }\n` +
        'return items',
    )
  }

  #map(members: unknown, depth: number): string {
    const copy = this.expression(members, 'member', depth + 1)
    return this.#define(
      `if (!isPlain(v) || ${depth} >= ${MAXIMUM_DEPTH}) return open(v, ${depth})\nconst members = {}\n` +
        `for (const key of keysInOrder(v)) { const member = v[key]; members[key] = ${copy} }\n` +
        'return members',
    )
  }

  #define(body: string): string {
    const name = `copy${this.functions.length}`
    this.functions.push(`function ${name}(v) { ${body} }`)
    return name
  }

  #call(name: string, at: string): string {
    return `${name}(${at})`
  }
}

const SCALARS = new Set<string | null>(['string', 'boolean', 'integer', 'number'])

/** The JSON type that all listed values of a schema share, else null. */
function typeOfValues(hint: SchemaHint): string | null {
  if (typeof hint.type === 'string') return hint.type
  const values = hint.const === undefined ? (hint.enum ?? []) : [hint.const]
  const types = new Set(values.map((value) => typeof value))
  const [type] = types
  return types.size === 1 && type !== undefined && type !== 'object' ? type : null
}

/** A property that every alternative fixes to another string, else null. */
function discriminator(schemas: readonly unknown[]): string | null {
  const [first, ...rest] = schemas.map((schema) => (isPlain(schema) ? schema.properties : null))
  if (!isPlain(first)) return null
  for (const name of Object.keys(first)) {
    const values = [first, ...rest].map((properties) => {
      const property = isPlain(properties) ? properties[name] : null
      return isPlain(property) ? property.const : null
    })
    const isTag = values.every((value) => typeof value === 'string')
    if (isTag && new Set(values).size === schemas.length) return name
  }
  return null
}
