import canonicalizeOracle from 'canonicalize'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonValue } from '../test/values.ts'
import { canonicalize } from './canonical-json.ts'
import { compileCanonical } from './serializer.ts'

/** The text, or the message of the refusal: both must be the same on either path. */
function outcome(serialize: (value: unknown) => string, value: unknown): string {
  try {
    return serialize(value)
  } catch (error) {
    return String(error)
  }
}

/** A schema that the value satisfies; every other member is optional. */
function schemaOf(value: unknown): unknown {
  if (value === null) return { type: 'null' }
  if (Array.isArray(value)) return { type: 'array', items: schemaOf(value[0] ?? null) }
  if (typeof value === 'object') {
    const names = Object.keys(value)
    const properties = Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, schemaOf(member)]),
    )
    return { type: 'object', properties, required: names.filter((_, index) => index % 2 === 0) }
  }
  return { type: typeof value === 'number' ? 'integer' : typeof value }
}

const hash = { $id: 'Hash', type: 'string', pattern: '^0x[0-9a-f]{64}$' }
const tree = {
  $id: 'Tree',
  type: 'object',
  properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: 'Tree' } } },
}
const schema = {
  type: 'object',
  required: ['venue', 'legs', 'mode'],
  properties: {
    venue: { type: 'object', required: ['id'], properties: { id: { type: 'string' }, fee: {} } },
    mode: { anyOf: [{ const: 'BUY' }, { const: 'SELL' }] },
    note: { anyOf: [{ type: 'null' }, { type: 'string' }] },
    hash: { $ref: 'Hash#' },
    legs: {
      type: 'array',
      items: {
        oneOf: [
          { type: 'object', properties: { kind: { const: 'SWAP' }, amount: { type: 'string' } } },
          { type: 'object', properties: { kind: { const: 'WAIT' }, seconds: { type: 'integer' } } },
        ],
      },
    },
    byChain: { type: 'object', additionalProperties: { type: 'string' } },
    both: { allOf: [{ properties: { a: { type: 'boolean' } } }, { properties: { b: {} } }] },
    tree: { $ref: '#/definitions/Tree' },
    open: {},
  },
}
const definitions = { Hash: hash, Tree: tree }

const value = {
  venue: { id: 'v"1', fee: 3000 },
  mode: 'BUY',
  note: null,
  hash: '0xab',
  legs: [
    { kind: 'SWAP', amount: '5' },
    { seconds: 3, kind: 'WAIT' },
  ],
  byChain: { base: 'x', arbitrum: 'y' },
  both: { b: [{ d: 1, c: 2 }], a: true },
  tree: { name: 'root', children: [{ children: [], name: 'leaf' }] },
  open: { z: [{ y: 1, x: null }], a: 'ü' },
}

describe('compileCanonical', () => {
  it('writes a value of the schema as canonicalize does', () => {
    const text = compileCanonical(schema, definitions)(value)
    expect(text).toBe(canonicalize(value))
    expect(text).toBe(canonicalizeOracle(value))
  })

  it('equals canonicalize on values that satisfy a schema and on values that do not', () => {
    fc.assert(
      fc.property(jsonValue, jsonValue, (shape, other) => {
        const serialize = compileCanonical(schemaOf(shape))
        expect(serialize(shape)).toBe(canonicalizeOracle(shape))
        expect(outcome(serialize, other)).toBe(outcome(canonicalize, other))
      }),
      { numRuns: 1000 },
    )
  })

  it.each([
    ['an unknown member', { ...value, extra: 1 }],
    ['an unknown member of an open name', { ...value, venue: { id: 'v', b: 1, a: 2 } }],
    ['a missing required member', { legs: [], venue: {} }],
    ['an unknown member in place of a required one', { legs: [], mode: 'BUY', venue2: {} }],
    ['array indexes as keys', { ...value, byChain: { 8453: 'x', 10: 'y' } }],
    ['__proto__ as a key', { ...value, open: JSON.parse('{"__proto__":{"b":1}}') }],
    ['a leg of no kind', { ...value, legs: [{ kind: 'OTHER', b: 1, a: 2 }, 'leg', null] }],
    ['a list in place of an object', { ...value, venue: [1] }],
    ['an object in place of a list', { ...value, legs: { 0: 'a' } }],
    ['a backslash before ud800', { ...value, note: '\\ud800' }],
  ])('equals canonicalize on %s', (_name, other) => {
    expect(compileCanonical(schema, definitions)(other)).toBe(canonicalize(other))
  })

  it.each([
    ['an explicit undefined', { ...value, note: undefined }],
    ['an undefined in an open part', { ...value, open: { a: undefined } }],
    ['a Date for a string', { ...value, mode: new Date(0) }],
    ['a class instance', { ...value, venue: new Map() }],
    ['toJSON', { ...value, venue: { id: 'v', toJSON: () => 'x' } }],
    ['a fraction', { ...value, open: 0.5 }],
    [
      'an unsafe integer in a known place',
      { ...value, legs: [{ kind: 'WAIT', seconds: 2 ** 60 }] },
    ],
    ['a bigint', { ...value, venue: { id: 1n } }],
    ['a lone surrogate', { ...value, note: 'a\udfff' }],
    ['a lone surrogate in a key', { ...value, byChain: { '\ud800': 'x' } }],
    ['a hole in a list', { ...value, legs: new Array(1) }],
  ])('refuses %s in the words of canonicalize', (_name, other) => {
    const serialize = compileCanonical(schema, definitions)
    expect(outcome(serialize, other)).toBe(outcome(canonicalize, other))
    expect(() => serialize(other)).toThrow()
  })

  it('refuses a cycle where the schema contains itself', () => {
    const cycle: Record<string, unknown> = { name: 'a' }
    cycle.children = [cycle]
    const serialize = compileCanonical({ $ref: 'Tree' }, definitions)
    expect(outcome(serialize, cycle)).toBe(outcome(canonicalize, cycle))
  })

  it('takes names that are no identifiers without running them', () => {
    const name = '"]; throw new Error("run"); ["'
    const odd = { type: 'object', properties: { [name]: { type: 'string' }, 'a\u2028b': {} } }
    const member = { [name]: 'x', 'a\u2028b': 1 }
    expect(compileCanonical(odd)(member)).toBe(canonicalize(member))
  })
})
