import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { locateFault } from './json-fault.ts'
import { MAXIMUM_BODY_DEPTH, parseStrict, StrictJsonError } from './strict-json.ts'

const utf8 = new TextEncoder()

function fault(source: string | Uint8Array): [string, number] | null {
  try {
    parseStrict(source)
    return null
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error
    return [error.reason, error.position]
  }
}

describe('parseStrict', () => {
  it('gives what JSON.parse gives, from text and from bytes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        expect(parseStrict(text)).toEqual(JSON.parse(text))
        expect(parseStrict(utf8.encode(text))).toEqual(JSON.parse(text))
      }),
    )
  })

  it('counts parts before it builds them, and none within a string', () => {
    const read = (text: string, maximumParts: number) => () => parseStrict(text, { maximumParts })
    expect(read('[1,2,3]', 3)()).toEqual([1, 2, 3])
    expect(read('[1,2,3]', 2)).toThrow('too many parts at position 4')
    expect(read('{"a":{"b":1,"c":2}}', 3)()).toEqual({ a: { b: 1, c: 2 } })
    expect(read('{"a":{"b":1,"c":2}}', 2)).toThrow('too many parts')
    const quoted = '{"a":"[,,{\\\\\\",,,,"}'
    expect(read(quoted, 1)()).toEqual({ a: '[,,{\\",,,,' })
    // What is no JSON is told of as that.
    expect(read('["a,,,,,,', 1)).toThrow('not JSON')
  })

  it.each([
    ['a repeated key', '{"a":1,"a":2}', 'DUPLICATE_KEY', 7],
    ['a repeated key in disguise', '{"a":1, "\\u0061":2}', 'DUPLICATE_KEY', 8],
    ['a repeated key far inside', '[{"x":[{"k":0,"m":1,"k":0}]}]', 'DUPLICATE_KEY', 20],
    ['a repeated __proto__', '{"__proto__":1,"__proto__":2}', 'DUPLICATE_KEY', 15],
    ['half a pair as an escape', '["a\\ud83d"]', 'LONE_SURROGATE', 3],
    ['the second half as an escape', '["\\ude00"]', 'LONE_SURROGATE', 2],
    ['two first halves', '["\\ud83d\\ud83d"]', 'LONE_SURROGATE', 2],
    ['half a pair as itself', '["\ud83d"]', 'LONE_SURROGATE', 2],
    ['half a pair in a key', '{"\\ud83d":1}', 'LONE_SURROGATE', 2],
    ['NUL', '{"a":"b\\u0000"}', 'NUL', 7],
    ['NUL in a key', '{"\\u0000":1}', 'NUL', 2],
    ['a number beyond a double', '{"a":[1,1e400]}', 'NUMBER_OUT_OF_RANGE', 8],
    ['nothing', '', 'SYNTAX', 0],
    ['blanks', ' \n', 'SYNTAX', 2],
    ['two values', '1 2', 'SYNTAX', 2],
    ['a trailing comma', '[1,]', 'SYNTAX', 3],
    ['a trailing comma in an object', '{"a":1,}', 'SYNTAX', 7],
    ['single quotes', "{'a':1}", 'SYNTAX', 1],
    ['a leading zero', '[01]', 'SYNTAX', 2],
    ['NaN', '[NaN]', 'SYNTAX', 1],
    ['a comment', '{}//', 'SYNTAX', 2],
    ['an open string', '["a', 'SYNTAX', 3],
    ['a line feed in a string', '["a\nb"]', 'SYNTAX', 3],
    ['an unknown escape', '["\\x"]', 'SYNTAX', 3],
    ['a byte order mark', '\ufeff{}', 'SYNTAX', 0],
    ['a no-break space', '[\u00a01]', 'SYNTAX', 1],
  ])('refuses %s and says where', (_name, text, reason, position) => {
    expect(fault(text)).toEqual([reason, position])
  })

  it.each([
    ['a stray continuation byte', [0x22, 0x80, 0x22], 1],
    ['an overlong form', [0x22, 0x61, 0xc0, 0xaf, 0x22], 2],
    ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22], 1],
    ['a cut sequence', [0x22, 0xe2, 0x82], 1],
    ['a fault after a genuine U+FFFD', [0x22, 0xef, 0xbf, 0xbd, 0xff, 0x22], 4],
  ])('refuses bytes with %s and says where', (_name, bytes, position) => {
    expect(fault(Uint8Array.from(bytes))).toEqual(['INVALID_UTF8', position])
  })

  it('refuses a byte order mark before the bytes', () => {
    expect(fault(Uint8Array.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]))).toEqual(['SYNTAX', 0])
  })

  it('nests to 64 and no deeper, however deep the text goes', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
    expect(fault(nested(MAXIMUM_BODY_DEPTH))).toBeNull()
    expect(fault(nested(MAXIMUM_BODY_DEPTH + 1))).toEqual(['TOO_DEEP', MAXIMUM_BODY_DEPTH])
    expect(fault(nested(200_000))).toEqual(['TOO_DEEP', MAXIMUM_BODY_DEPTH])
    expect(fault('{"a":'.repeat(100_000))).toEqual(['TOO_DEEP', 5 * MAXIMUM_BODY_DEPTH])
    expect(() => parseStrict('[[1]]', { maximumDepth: 1 })).toThrow(StrictJsonError)
  })

  it('takes the same key in two objects, and quotes and colons inside strings', () => {
    const text = '[{"a":1},{"a":"\\":{\\\\"},{"b":{"a":"[:]","c":"\\ud83d\\ude00"}}]'
    expect(parseStrict(text)).toEqual(JSON.parse(text))
  })

  it('makes __proto__ an own member and touches no prototype', () => {
    const value = parseStrict('{"__proto__":{"isAdmin":true}}') as object
    expect(Object.keys(value)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect('isAdmin' in value).toBe(false)
    expect('isAdmin' in {}).toBe(false)
  })

  it('agrees with an independent reader on damaged texts', () => {
    const damage = fc.record({
      text: fc.json({ maxDepth: 4 }),
      at: fc.nat(),
      remove: fc.nat({ max: 3 }),
      insert: fc.constantFrom(
        '',
        '"',
        '{',
        ']',
        ',',
        ':',
        '\\',
        '\\u0000',
        '\\ud800',
        '1e999',
        '"a":0,',
      ),
    })
    fc.assert(
      fc.property(damage, ({ text, at, remove, insert }) => {
        const start = at % (text.length + 1)
        const damaged = text.slice(0, start) + insert + text.slice(start + remove)
        const located = locateFault(damaged, MAXIMUM_BODY_DEPTH)
        expect(fault(damaged)).toEqual(located === null ? null : [located.reason, located.position])
      }),
      { numRuns: 5000 },
    )
  })
})
