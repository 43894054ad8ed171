import { expect, it } from 'vitest'
import { bytesText } from './bytes-text.ts'

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1 kB'],
  [48_499, '48 kB'],
  [1_349_000, '1.3 MB'],
])('writes %d bytes as %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text)
})
