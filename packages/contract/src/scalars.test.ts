import { expect, it } from 'vitest'
import { decimals64, decimalsTo } from './scalars.ts'

it('a pattern of decimals takes every number up to its last, and none after it', () => {
  for (const most of [10, 99, 100, 218, 901, 1000]) {
    const pattern = new RegExp(decimalsTo(BigInt(most)))
    const taken = Array.from({ length: 10_001 }, (_, number) => number).filter((number) =>
      pattern.test(`${number}`),
    )
    expect(taken.length).toBe(most + 1)
    expect(taken.at(-1)).toBe(most)
  }
  const [last, after] = ['18446744073709551615', '18446744073709551616']
  const pattern = new RegExp(decimals64)
  expect([last, after, '01', '', '-1', '99999999999999999999'].map((s) => pattern.test(s))).toEqual(
    [...[true, false, false, false, false, false]],
  )
})
