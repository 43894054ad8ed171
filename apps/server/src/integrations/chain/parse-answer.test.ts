import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '../../limits.ts'
import { AnswerStructureError, parseInTurns, StructureScan } from './parse-answer.ts'

const padding = ' '.repeat(limits.chainAnswerPieceBytes)
const long = `"${'ab\\"\\\\'.repeat(limits.chainAnswerPieceBytes / 4)}"`

/** How often the event loop turned while something was awaited. */
async function turnsDuring<Result>(
  work: Promise<Result>,
): Promise<{ result: Result; turns: number }> {
  let turns = 0
  let isOver = false
  const count = () => {
    if (isOver) return
    turns += 1
    setImmediate(count)
  }
  setImmediate(count)
  const result = await work
  isOver = true
  return { result, turns }
}

describe('an answer that is parsed in turns', () => {
  it('is the value that JSON.parse gives', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue({ maxDepth: 4 })), async (values) => {
        const texts = values.map((value) => `${JSON.stringify(value, null, 1)}${padding}`)
        const text = `{"id":0,"__proto__":[],"result":[${texts.join(',')}]}`
        const parsed = await parseInTurns(Buffer.from(text))
        expect(parsed).toEqual(JSON.parse(text))
        expect(Object.keys(parsed as object)).toEqual(Object.keys(JSON.parse(text)))
      }),
      { numRuns: 30, seed: 7 },
    )
  })

  it.each([
    `[${long},1,${long},{"a":${long}}]`,
    `  {"a" : ${long} , "b":[${padding}]}  `,
    `{"a":1,"a":[1,${long}]}`,
    `[${padding}]`,
    `{${padding}}`,
    `${padding}7`,
  ])('reads long texts, spaces and repeated members alike, case %#', async (text) => {
    expect(await parseInTurns(Buffer.from(text))).toEqual(JSON.parse(text))
  })

  it.each([
    `[${long},,1]`,
    `[${long},]`,
    `[${long}`,
    `{"a":${long},}`,
    `{"a":${long},"b"}`,
    `{${long},"b":1}`,
    `{5:${long}}`,
    `[${long}}`,
    padding,
    `[${long}]]`,
  ])('rejects text that is not JSON, case %#', async (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
    await expect(parseInTurns(Buffer.from(text))).rejects.toThrow(SyntaxError)
  })

  it('gives others their turns: one for each piece', async () => {
    const item = JSON.stringify({ data: 'ab'.repeat(300), topics: ['12', '34'] })
    const text = Buffer.from(`{"result":[${Array(20_000).fill(item).join(',')}]}`)
    const { result, turns } = await turnsDuring(parseInTurns(text))
    expect((result as { result: unknown[] }).result).toHaveLength(20_000)
    expect(turns).toBeGreaterThanOrEqual(text.length / limits.chainAnswerPieceBytes - 1)
  })
})

describe('the structure of an answer', () => {
  const scan = (...parts: string[]) => {
    const structure = new StructureScan()
    for (const part of parts) structure.feed(Buffer.from(part))
  }

  it('is refused where it is nested deeper or has more members than any answer', () => {
    expect(() => scan('['.repeat(limits.chainAnswerNesting))).not.toThrow()
    expect(() => scan('['.repeat(limits.chainAnswerNesting), '{')).toThrow(AnswerStructureError)
    const members = '[],'.repeat(limits.chainAnswerMembers / 2)
    expect(() => scan(members)).not.toThrow()
    expect(() => scan(members, ',')).toThrow(AnswerStructureError)
  })

  it('is not in texts, wherever they are cut', () => {
    expect(() =>
      scan('["', '[['.repeat(100), '\\', '"', '[['.repeat(100), '\\\\"', ']'),
    ).not.toThrow()
    expect(() => scan('["\\\\"', '['.repeat(100))).toThrow(AnswerStructureError)
  })
})
