import { ApiFailure } from '@liquidity-os/client/core'
import { expect, it } from 'vitest'
import { intentAfter, intentFor } from './intent.ts'

const refused = (status: number) =>
  new ApiFailure('createVenues', status, {} as never, new Headers())

it('sends the same again under the same key, and anything else under a new one', () => {
  const first = intentFor(null, 'a')
  expect(intentFor(first, 'a')).toBe(first)
  expect(intentFor(first, 'b').key).not.toBe(first.key)
})

it.each([500, 503, 429])('keeps the key after %i', (status) => {
  const intent = intentFor(null, 'a')
  expect(intentAfter(intent, refused(status))).toBe(intent)
})

it('keeps the key if no response arrived, and drops it after a stored response', () => {
  const intent = intentFor(null, 'a')
  expect(intentAfter(intent, new TypeError('away'))).toBe(intent)
  for (const status of [400, 401, 409, 412, 422])
    expect(intentAfter(intent, refused(status))).toBe(null)
})
