import { expect, it } from 'vitest'
import { valueAt } from './price-of-asset.ts'

it('rounds the value of holdings down and of obligations up', () => {
  const half = `${10n ** 36n / 2n}`
  expect(valueAt(3n, half, 'DOWN')).toBe(1n)
  expect(valueAt(3n, half, 'UP')).toBe(2n)
  expect([valueAt(4n, half, 'DOWN'), valueAt(4n, half, 'UP')]).toEqual([2n, 2n])
})
