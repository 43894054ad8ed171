import { AtomicAmount, contract } from '@liquidity-os/contract'
import { expect, it } from 'vitest'
import { compileSchema, validatorsOf } from './validators.ts'

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
  const { amount: amountErrors } = validate({ amount: String(amount) }) ?? {}
  expect(amountErrors?.[0]).toMatch(/^must be at most 2\^256 - 1, 115792.*got/s)
})

it('names the member of the one form that is meant, also where null would do', () => {
  const { pilot } = contract.createMigrationPlans.body.properties.payload.properties
  const stop = { kind: 'DEPTH_BELOW', bandPips: 20_000, timeSharePips: 0 }
  const faultsOf = compileSchema(pilot)
  for (const minQuote of [`${largest + 1n}`, 'x']) {
    expect(Object.keys(faultsOf({ stop: [{ ...stop, minQuote }] }) ?? {})).toEqual([
      'stop.0.minQuote',
    ])
  }
  expect(faultsOf('none')?.['(body)']?.[0]).toMatch(/^must match one of the forms/)
})

it('names the discriminator of forms and its values, if a value matches none', () => {
  const faultsOf = compileSchema(contract.applyDecisionPackCommand.body)
  expect(faultsOf({ command: 'AGREE', reason: 'For the test' })).toEqual({
    command: [
      'must be one of "REVISE", "REFRESH_EVIDENCE", "SUBMIT", "APPROVE", "DISSENT", "REJECT", "WITHDRAW", "RECORD_OUTCOME", got "AGREE"',
    ],
  })
  const { pilot } = contract.createMigrationPlans.body.properties.payload.properties
  const fieldErrors = compileSchema(pilot)({ stop: [{ kind: 'DEPTH', bandPips: 20_000 }] }) ?? {}
  expect(Object.keys(fieldErrors)).toContain('stop.0.kind')
  expect(fieldErrors['stop.0.kind']?.[0]).toMatch(/^must be one of .*"DEPTH_BELOW".*, got "DEPTH"$/)
})

it('compiles an operation once, for whichever request, service or picture comes first', () => {
  expect(validatorsOf('createVenues')).toBe(validatorsOf('createVenues'))
})
