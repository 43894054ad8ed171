import { expect, it } from 'vitest'
import { textAfterLast, textBefore, textOrEmpty } from './texts.ts'

it.each([
  ['text/html; charset=utf-8; x', 'text/html'],
  [';', ''],
  ['text/html', 'text/html'],
  ['', ''],
])('gives the part of %o before the first mark', (text, part) => {
  expect(textBefore(text, ';')).toBe(part)
})

it.each([
  ['console.3f2a.js', 'js'],
  ['console.', ''],
  ['console', 'console'],
  ['', ''],
])('gives the part of %o behind the last mark', (text, part) => {
  expect(textAfterLast(text, '.')).toBe(part)
})

it('steps over a mark of several letters', () => {
  expect(textBefore('a::b::c', '::')).toBe('a')
  expect(textAfterLast('a::b::c', '::')).toBe('c')
})

it('reads an absent text as an empty one', () => {
  expect([null, undefined, '', 'text'].map(textOrEmpty)).toEqual(['', '', '', 'text'])
})
