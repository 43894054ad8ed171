import { expect, test } from 'vitest'
import { randomStream } from '../random/xoshiro128.ts'
import { integerSquareRoot } from './integer.ts'

test('a root is the largest integer whose square is not above the value, whatever a float can hold', () => {
  const { bits } = randomStream(11)
  for (let length = 1; length <= 1100; length += 1) {
    for (const root of [bits(length), (1n << BigInt(length)) - 1n, 1n << BigInt(length)]) {
      const square = root * root
      expect(integerSquareRoot(square)).toBe(root)
      expect(integerSquareRoot(square + 2n * root)).toBe(root)
      if (root > 0n) expect(integerSquareRoot(square - 1n)).toBe(root - 1n)
    }
  }
})

test('small values have the roots that one can count, and those below zero none', () => {
  for (let value = 0; value < 5000; value += 1) {
    expect(integerSquareRoot(BigInt(value))).toBe(BigInt(Math.floor(Math.sqrt(value))))
  }
  expect(() => integerSquareRoot(-1n)).toThrow(RangeError)
})
