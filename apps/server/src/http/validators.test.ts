import { AtomicAmount } from '@liquidity-os/contract'
import { expect, it } from 'vitest'
import { compileSchema } from './validators.ts'

const validate = compileSchema({
  type: 'object',
  properties: { amount: AtomicAmount },
  required: ['amount'],
})
const largest = 2n ** 256n - 1n

it.each([0n, 1n, 10n ** 77n, largest])('takes an amount of %s', (amount) => {
  expect(validate({ amount: String(amount) })).toBeNull()
})

it.each([largest + 1n, 2n * 10n ** 77n, 10n ** 78n - 1n])('refuses an amount of %s', (amount) => {
  const { amount: told } = validate({ amount: String(amount) }) ?? {}
  expect(told?.[0]).toMatch(/^must be at most 2\^256 - 1, 115792.*got/s)
})
