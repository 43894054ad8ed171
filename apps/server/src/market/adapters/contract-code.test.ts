import { keccak256 } from 'viem'
import { expect, it } from 'vitest'
import { combineCode, type ExpectedCode, judgeCode } from './contract-code.ts'

const word = 'ab'.repeat(32)
const masked = `0x60${'00'.repeat(32)}50` as const
const code = `0x60${word}50` as const
const template = { hash: keccak256(masked), bytes: 34, immutables: [1], source: 'package@1.0.0' }
const expected: ExpectedCode = {
  address: '0xA',
  chainId: 1,
  runtimeCodeHash: null,
  template,
}
const judged = (bytes: `0x${string}`, change: Partial<ExpectedCode> = {}) =>
  judgeCode(bytes, { ...expected, ...change })

it('knows a template with any immutables, and nothing else', () => {
  expect(judged(code)).toEqual({ isKnown: true, problem: null })
  expect(judged(`0x61${word}50`)).toEqual({
    isKnown: null,
    problem: '0xA is not the published build (package@1.0.0).',
  })
  expect(judged(`${code}00`).isKnown).toBeNull()
})

it('denies other code than a runtime hash, and an account without code', () => {
  const runtime = { template: null, runtimeCodeHash: keccak256(code) }
  expect(judged(code, runtime).isKnown).toBe(true)
  expect(judged(masked, runtime).isKnown).toBe(false)
  expect(judged('0x').isKnown).toBe(false)
})

it('never knows code by its address alone', () => {
  expect(judged(code, { template: null }).isKnown).toBeNull()
})

it('combines verdicts: a denial wins, then an unknown one', () => {
  const [yes, no, unknown] = [true, false, null].map((isKnown) => ({ isKnown, problem: null }))
  expect(combineCode([yes!, unknown!, no!]).isKnown).toBe(false)
  expect(combineCode([yes!, unknown!]).isKnown).toBeNull()
  expect(combineCode([]).isKnown).toBe(true)
})
