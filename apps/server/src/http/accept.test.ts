import { expect, it } from 'vitest'
import { prefersHtml } from './accept.ts'

it.each([
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['text/html', true],
  ['text/*, application/json;q=0.5', true],
  ['application/json', false],
  ['*/*', false],
  ['text/html, application/json', false],
  ['text/html;q=0.5, */*', false],
  ['text/html;q=0, */*;q=0.1', false],
  ['application/*, text/html;q=0.9', false],
  ['', false],
])('%j is answered with a page: %s', (accept, isPage) => {
  expect(prefersHtml({ accept })).toBe(isPage)
})

it('is JSON without an Accept header', () => {
  expect(prefersHtml({})).toBe(false)
})
