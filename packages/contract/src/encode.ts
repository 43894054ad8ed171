import type { Static, TSchema } from 'typebox'

/**
 * A value before encoding. Free strings (amounts, prices, counts above 53 bits) may be bigints,
 * lists may be readonly, and objects may have undeclared fields.
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
 * Encodes a value by its schema, so families do not convert amounts to strings by hand.
 *
 * A bigint becomes the decimal string of its scalar. A closed object retains declared fields and
 * drops others; undefined fields are omitted. Other values stay unchanged. A bigint without a
 * decimal scalar, or out of range (such as a negative `AtomicAmount`), is a fault of the program,
 * not of the request.
 *
 * @param schema of the contract: objects, lists, maps, scalars, and unions of these with null
 * @throws for an invalid bigint
 */
export function encode<const S extends TSchema>(schema: S, value: Encodable<Static<S>>): Static<S> {
  return encoderOf(schema as Shape)(value, '') as Static<S>
}

function encoderOf(shape: Shape): Encode {
  const known = encoders.get(shape)
  if (known) return known
  const encoder = makeEncoder(shape)
  encoders.set(shape, encoder)
  return encoder
}

function makeEncoder(shape: Shape): Encode {
  if (shape.anyOf) return unionEncoder(shape.anyOf)
  if (shape.type === 'array' && shape.items) return listEncoder(shape.items)
  if (shape.type === 'object') return objectEncoder(shape)
  return scalarEncoder(shape)
}

/**
 * Null unchanged. Other values use the single non-null alternative, or stay unchanged if several
 * exist.
 */
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
    const fields = Object.entries(properties).map(
      ([name, field]) => [name, encoderOf(field)] as const,
    )
    return (value, path) => {
      const input = value as Readonly<Record<string, unknown>>
      const encoded: Record<string, unknown> = {}
      for (const [name, encodeField] of fields) {
        const field = input[name]
        if (field !== undefined) encoded[name] = encodeField(field, `${path}/${name}`)
      }
      return encoded
    }
  }
  if (typeof additionalProperties !== 'object') return scalarEncoder({})
  const encodeField = encoderOf(additionalProperties)
  return (value, path) =>
    Object.fromEntries(
      Object.entries(value as object).map(([name, field]) => [
        name,
        encodeField(field, `${path}/${name}`),
      ]),
    )
}

function scalarEncoder({ type, pattern }: Shape): Encode {
  const accepted = type === 'string' && pattern !== undefined ? new RegExp(pattern) : null
  return (value, path) => {
    if (typeof value !== 'bigint') return value
    const text = `${value}`
    if (!accepted?.test(text)) {
      const expected = accepted ? `must match ${pattern}` : 'must not be a bigint'
      throw new Error(`${path || 'The value'} ${expected}, got ${text}.`)
    }
    return text
  }
}
