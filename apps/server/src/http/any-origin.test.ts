import { expect, it } from 'vitest'
import { isForAnyOrigin } from './any-origin.ts'

it('lets any origin read the files for wallets', () => {
  expect(isForAnyOrigin('/public/clear-signing')).toBe(true)
  expect(isForAnyOrigin('/providers')).toBe(false)
})
