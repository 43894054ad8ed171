import { expect, it } from 'vitest'
import {
  codeInWords,
  roundedDuration,
  shortHex,
  textAfterLast,
  textBefore,
  textOrEmpty,
} from './texts.ts'

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

it('writes a code as words', () => {
  expect(codeInWords('VENUE_INDEX')).toBe('Venue index')
  expect(codeInWords('KPI_WINDOW')).toBe('KPI window')
})

it.each([
  [59, '59 s'],
  [60, '1 min'],
  [7_199, '1 h'],
  [172_800, '2 d'],
])('rounds %i s to %s', (seconds, text) => {
  expect(roundedDuration(seconds)).toBe(text)
})

it('shortens an address', () => {
  expect(shortHex('0x04a51A7BB4e90D6cc1CfC57Db8CC462a58dfFEf0')).toBe('0x04a5…FEf0')
})
