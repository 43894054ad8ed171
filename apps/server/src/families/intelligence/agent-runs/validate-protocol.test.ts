import { contract } from '@liquidity-os/contract'
import { expect, it } from 'vitest'
import type { Protocol } from './records.ts'
import { validateProtocol } from './validate-protocol.ts'

const { protocol } = contract.startHealthAgentRun.example.body.payload.subject
const changed = (change: Partial<Protocol>) =>
  ({ ...structuredClone(protocol), ...change }) as Protocol
const faults = (change: Partial<Protocol>) => Object.keys(validateProtocol(changed(change), 'p'))

it('a protocol that says a thing twice is refused at the second', () => {
  expect(faults({})).toEqual([])
  expect(faults({ secondary: ['FEES', 'NET_VS_HOLD'] })).toEqual(['p.secondary.1'])
  const [first] = changed({}).alternatives
  expect(faults({ alternatives: [first!, first!] })).toEqual(['p.alternatives.1.label'])
  const change = { pointer: '/arm/position', value: 1 }
  const inside = { pointer: '/arm/position/kind', value: 'HOLD' }
  const alternatives = (changes: (typeof change | typeof inside)[]) => [{ label: 'A', changes }]
  expect(faults({ alternatives: alternatives([change, change]) })).toEqual([
    'p.alternatives.0.changes.1.pointer',
  ])
  expect(faults({ alternatives: alternatives([inside, change]) })).toEqual([
    'p.alternatives.0.changes.0.pointer',
  ])
  const [rail] = changed({}).guardrails
  expect(faults({ guardrails: [rail!, { ...rail!, threshold: '1' }] })).toEqual(['p.guardrails.1'])
})
