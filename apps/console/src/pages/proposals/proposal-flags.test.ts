import { expect, it } from 'vitest'
import { warningsOf } from './proposal-flags.ts'

const flag = { packetIndex: 0, callIndex: 0 }
const first = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const second = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc'

it('joins flags of one kind, and puts what blocks approval first', () => {
  const warnings = warningsOf([
    { ...flag, code: 'NEW_COUNTERPARTY', severity: 'WARN', detail: `Never dealt with ${first}.` },
    { ...flag, code: 'NEW_COUNTERPARTY', severity: 'WARN', detail: `Nor ${first}, ${second}.` },
    { ...flag, code: 'SIMULATION_REVERTS', severity: 'BLOCK', detail: 'The simulation reverts: x' },
  ])
  expect(
    warnings.map(({ code, isBlocking, addresses, details }) => [
      code,
      isBlocking,
      addresses,
      details,
    ]),
  ).toEqual([
    ['SIMULATION_REVERTS', true, [], ['The simulation reverts: x']],
    ['NEW_COUNTERPARTY', false, [first, second], []],
  ])
})
