import { expect, it } from 'vitest'
import { namesTag } from './entity-tag.ts'

it.each([
  ['"a"', true],
  ['W/"a"', true],
  ['"b", "a"', true],
  ['*', true],
  [' * ', true],
  ['"b"', false],
  ['a', false],
  ['"ab"', false],
  ['', false],
  [null, false],
])('finds the tag in %s: %s', (header, found) => {
  expect(namesTag(header, 'a')).toBe(found)
})
