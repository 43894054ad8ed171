import { readFileSync } from 'node:fs'
import canonicalizeOracle from 'canonicalize'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonValue } from '../test/values.ts'
import {
  CanonicalJsonError,
  canonicalize,
  canonicalizeAnyNumber,
  canonicalString,
  MAXIMUM_DEPTH,
} from './canonical-json.ts'

const vectors = new URL('../../../datasets/crypto-vectors/', import.meta.url)

function refusal(value: unknown): { reason: string; path: string } | null {
  try {
    canonicalize(value)
    return null
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error
    return { reason: error.reason, path: error.path.join('.') }
  }
}

function nested(depth: number): unknown {
  let value: unknown = 0
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

describe('canonicalize', () => {
  it('writes the published RFC 8785 documents byte for byte', () => {
    const rows = JSON.parse(readFileSync(new URL('jcs.json', vectors), 'utf8')) as {
      name: string
      input: string
      output: string
      outputHex: string
    }[]
    expect(rows).toHaveLength(4)
    for (const { name, input, outputHex } of rows) {
      const text = canonicalizeAnyNumber(JSON.parse(input))
      expect(Buffer.from(text).toString('hex'), name).toBe(outputHex)
    }
  })

  it('writes the first 1,000 published numbers', () => {
    const lines = readFileSync(new URL('jcs_numbers_first1000.txt', vectors), 'utf8').trim()
    const view = new DataView(new ArrayBuffer(8))
    const wrong = lines.split('\n').filter((line) => {
      const [bits = '', expected] = line.split(',')
      view.setBigUint64(0, BigInt(`0x${bits}`))
      return canonicalizeAnyNumber(view.getFloat64(0)) !== expected
    })
    expect(lines.split('\n')).toHaveLength(1000)
    expect(wrong).toEqual([])
  })

  it('agrees with an independent implementation on every value it accepts', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        expect(canonicalize(value)).toBe(canonicalizeOracle(value))
      }),
      { numRuns: 2000 },
    )
  })

  it('is a fixed point: canonical text parses and writes back as itself', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        const text = canonicalize(value)
        expect(canonicalize(JSON.parse(text))).toBe(text)
      }),
    )
  })

  it('does not depend on the order in which members were added', () => {
    expect(canonicalize({ b: 1, a: [{ d: null, c: true }] })).toBe(
      '{"a":[{"c":true,"d":null}],"b":1}',
    )
    expect(canonicalize({ 10: 'x', 9: 'y', a: 'z' })).toBe('{"10":"x","9":"y","a":"z"}')
  })

  it('orders keys by UTF-16 code unit, so an emoji comes before a late BMP character', () => {
    expect(canonicalize({ '\ufb33': 1, '\u{1f600}': 2 })).toBe('{"\u{1f600}":2,"\ufb33":1}')
  })

  it('writes negative zero as zero', () => {
    expect(canonicalize([-0])).toBe('[0]')
  })

  it('keeps __proto__ as an ordinary member', () => {
    expect(canonicalize(JSON.parse('{"b":1,"__proto__":{"a":2}}'))).toBe(
      '{"__proto__":{"a":2},"b":1}',
    )
  })

  it.each([
    ['undefined', { a: [0, undefined] }, 'UNDEFINED', 'a.1'],
    ['a hole in an array', { a: new Array(2) }, 'UNDEFINED', 'a.0'],
    ['a function', { a: { b: () => 0 } }, 'FUNCTION', 'a.b'],
    ['toJSON', { a: { toJSON: () => 1 } }, 'FUNCTION', 'a.toJSON'],
    ['a symbol', [Symbol('x')], 'SYMBOL', '0'],
    ['a bigint', { amount: 1n }, 'BIGINT', 'amount'],
    ['a fraction', { share: 0.5 }, 'NOT_A_SAFE_INTEGER', 'share'],
    ['2^53', { n: 2 ** 53 }, 'NOT_A_SAFE_INTEGER', 'n'],
    ['−2^53', { n: -(2 ** 53) }, 'NOT_A_SAFE_INTEGER', 'n'],
    ['NaN', { n: Number.NaN }, 'NOT_A_SAFE_INTEGER', 'n'],
    ['infinity', { n: Number.POSITIVE_INFINITY }, 'NOT_A_SAFE_INTEGER', 'n'],
    ['a Date', { at: new Date(0) }, 'NOT_A_PLAIN_OBJECT', 'at'],
    ['a Map', { m: new Map() }, 'NOT_A_PLAIN_OBJECT', 'm'],
    ['a boxed string', [Object('a')], 'NOT_A_PLAIN_OBJECT', '0'],
    ['bytes', { b: new Uint8Array(1) }, 'NOT_A_PLAIN_OBJECT', 'b'],
    ['a lone surrogate', { s: 'a\ud800' }, 'LONE_SURROGATE', 's'],
    ['a lone surrogate in a key', { x: { '\udc00': 1 } }, 'LONE_SURROGATE', 'x.\udc00'],
  ])('refuses %s and says where', (_name, value, reason, path) => {
    expect(refusal(value)).toEqual({ reason, path })
  })

  it('refuses the value itself with an empty path', () => {
    expect(refusal(undefined)).toEqual({ reason: 'UNDEFINED', path: '' })
    expect(refusal(0.1)).toEqual({ reason: 'NOT_A_SAFE_INTEGER', path: '' })
  })

  it('accepts the bounds of the safe integers', () => {
    const text = '[9007199254740991,-9007199254740991]'
    expect(canonicalize([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])).toBe(text)
  })

  it('nests to its limit and no deeper, and so refuses a cycle', () => {
    expect(refusal(nested(MAXIMUM_DEPTH))).toBeNull()
    expect(refusal(nested(MAXIMUM_DEPTH + 1))?.reason).toBe('TOO_DEEP')
    const cycle: { self?: unknown } = {}
    cycle.self = cycle
    expect(refusal(cycle)?.reason).toBe('TOO_DEEP')
  })

  it('does not call toJSON of an array', () => {
    const list = Object.assign([1], { toJSON: () => 'other' })
    expect(canonicalize(list)).toBe('[1]')
  })
})

describe('canonicalString', () => {
  it('writes what canonicalize writes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(canonicalString(text)).toBe(canonicalize(text))
      }),
    )
  })

  it('refuses a lone surrogate', () => {
    expect(() => canonicalString('\ud800')).toThrow(CanonicalJsonError)
  })
})
