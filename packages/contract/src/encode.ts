import type { Static, TSchema } from 'typebox'

/**
 * A value before it is encoded: every free string (amounts, prices, counts of more than 53 bits) may still be a bigint,
 * lists may be readonly, and objects may have members that the contract does not name.
 */
export type Encodable<T> = T extends string
  ? string extends T
    ? T | bigint
    : T
  : T extends readonly (infer Item)[]
    ? readonly Encodable<Item>[]
    : T extends object
      ? { readonly [Member in keyof T]: Encodable<T[Member]> }
      : T

interface Shape {
  type?: string
  pattern?: string
  items?: Shape
  properties?: Record<string, Shape>
  additionalProperties?: boolean | Shape
  anyOf?: Shape[]
}

type Encode = (value: unknown, path: string) => unknown

const encoders = new WeakMap<object, Encode>()

/**
 * Encodes a value by its schema, so that no family writes its amounts to strings by hand.
 *
 * A bigint becomes the decimal string of its scalar. A closed object keeps the members that its schema declares and
 * drops the others; a member that is undefined stays away. Everything else is returned as it is.
 *
 * @param schema a schema of the contract: objects, lists, maps, scalars, and unions of one of them with null
 * @throws if a bigint stands where the schema has no decimal scalar, or outside of the range of its pattern (a negative
 *   `AtomicAmount`, for example): both are faults of the program, never of a request
 */
export function encode<const S extends TSchema>(schema: S, value: Encodable<Static<S>>): Static<S> {
  return encoderOf(schema as Shape)(value, '') as Static<S>
}

function encoderOf(shape: Shape): Encode {
  const known = encoders.get(shape)
  if (known) return known
  const made = makeEncoder(shape)
  encoders.set(shape, made)
  return made
}

function makeEncoder(shape: Shape): Encode {
  if (shape.anyOf) return unionEncoder(shape.anyOf)
  if (shape.type === 'array' && shape.items) return listEncoder(shape.items)
  if (shape.type === 'object') return objectEncoder(shape)
  return scalarEncoder(shape)
}

/** Null as it is; anything else by the one alternative that is not null, or unchanged if there are several. */
function unionEncoder(alternatives: readonly Shape[]): Encode {
  const others = alternatives.filter(({ type }) => type !== 'null')
  const [only] = others
  if (!only || others.length > 1) return scalarEncoder({})
  const encodeOther = encoderOf(only)
  return (value, path) => (value === null ? null : encodeOther(value, path))
}

function listEncoder(items: Shape): Encode {
  const encodeItem = encoderOf(items)
  return (value, path) =>
    (value as readonly unknown[]).map((item, index) => encodeItem(item, `${path}/${index}`))
}

function objectEncoder({ properties, additionalProperties }: Shape): Encode {
  if (properties) {
    const members = Object.entries(properties).map(
      ([name, member]) => [name, encoderOf(member)] as const,
    )
    return (value, path) => {
      const given = value as Readonly<Record<string, unknown>>
      const encoded: Record<string, unknown> = {}
      for (const [name, encodeMember] of members) {
        const member = given[name]
        if (member !== undefined) encoded[name] = encodeMember(member, `${path}/${name}`)
      }
      return encoded
    }
  }
  if (typeof additionalProperties !== 'object') return scalarEncoder({})
  const encodeMember = encoderOf(additionalProperties)
  return (value, path) =>
    Object.fromEntries(
      Object.entries(value as object).map(([name, member]) => [
        name,
        encodeMember(member, `${path}/${name}`),
      ]),
    )
}

function scalarEncoder({ type, pattern }: Shape): Encode {
  const accepted = type === 'string' && pattern !== undefined ? new RegExp(pattern) : null
  return (value, path) => {
    if (typeof value !== 'bigint') return value
    const text = `${value}`
    if (!accepted?.test(text)) {
      const expected = accepted ? `matches ${pattern}` : 'is a decimal string'
      throw new Error(`${path || 'The value'}: ${text} is no value of a member that ${expected}.`)
    }
    return text
  }
}
