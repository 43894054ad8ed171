import { expect, test } from 'vitest'
import { randomStream } from '../random/xoshiro128.ts'
import { integerMedian } from './median-deviation.ts'

test('a median is what sorting puts in the middle, whatever the order and however often a value is there', () => {
  const { below } = randomStream(3)
  for (let round = 0; round < 2000; round += 1) {
    const kinds = 1 + below(60)
    const values = Array.from({ length: 1 + below(60) }, () => BigInt(below(kinds)) - 20n)
    if (round % 3 === 1) values.sort((a, b) => Number(a - b))
    if (round % 3 === 2) values.sort((a, b) => Number(b - a))
    const [given, sorted] = [[...values], values.toSorted((a, b) => Number(a - b))]
    const half = values.length >> 1
    const middle = values.length % 2 === 1 ? sorted[half] : (sorted[half - 1]! + sorted[half]!) / 2n
    expect(integerMedian(values)).toBe(middle)
    expect(values).toEqual(given)
  }
})
