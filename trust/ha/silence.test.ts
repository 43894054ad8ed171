import { expect, it } from 'vitest'
import { longestSilence } from './silence.ts'

it('finds the longest time without an answer, wherever it lies', () => {
  const answeredAt = [90, 100, 110, 400, 410, 1_000]
  expect(longestSilence(answeredAt, { from: 95, to: 420 })).toBe(290)
  expect(longestSilence(answeredAt, { from: 105, to: 120 })).toBe(10)
  expect(longestSilence(answeredAt, { from: 405, to: 900 })).toBe(490)
  expect(longestSilence([], { from: 5, to: 25 })).toBe(20)
})
