import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AnswerJsonError, parseAnswer } from './answer-json.ts'
import { limits } from './limits.ts'

const bytes = (text: string) => Buffer.from(text)
const faultOf = (text: string) => {
  try {
    parseAnswer(bytes(text), 'TEXT')
    return null
  } catch (error) {
    return error instanceof AnswerJsonError ? error.fault : error
  }
}

describe('an answer from outside', () => {
  it('keeps the digits of numbers, and strings as they are', () => {
    const text = String.raw`{"a":1.10,"b":[-0,1e-8,12345678901234567890.123],"7":"8 \" 9","c":[true,null]}`
    expect(parseAnswer(bytes(text), 'TEXT')).toEqual({
      a: '1.10',
      b: ['-0', '1e-8', '12345678901234567890.123'],
      7: '8 " 9',
      c: [true, null],
    })
    expect(parseAnswer(bytes('{"a":1.10}'))).toEqual({ a: 1.1 })
  })

  it('is the value of JSON.parse apart from its numbers', () => {
    const withTexts = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value), (_, member) =>
        typeof member === 'number' ? JSON.stringify(member) : member,
      )
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 5 }), (value) => {
        const text = JSON.stringify(value)
        if (faultOf(text) === null)
          expect(parseAnswer(bytes(text), 'TEXT')).toEqual(withTexts(value))
      }),
    )
  })

  it('is refused before it is built where it has too many members, nests too deep or is no JSON', () => {
    const ones = (count: number) => `{"bids":[${new Array(count).fill(1).join(',')}]}`
    expect(faultOf(ones(limits.answerParts - 1))).toBeNull()
    expect(faultOf(ones(510_000))).toBe('TOO_LARGE')
    expect(faultOf(`${'['.repeat(17)}${']'.repeat(17)}`)).toBe('TOO_DEEP')
    expect(faultOf('{"a":1,"a":2}')).toBe('SHAPE')
    expect(faultOf('{"a":01}')).toBe('SHAPE')
  })
})
