import { expect, it } from 'vitest'
import { breaksFirst, decidingDifference } from './reconciliation-lines.ts'

type Line = Parameters<typeof decidingDifference>[0]

const decide = (
  cause: Line['cause'],
  [ledgerMinusChain, ledgerMinusCustody, custodyMinusChain]: readonly (string | null)[],
) => {
  const differences = { ledgerMinusChain, ledgerMinusCustody, custodyMinusChain }
  return decidingDifference({ cause, differences } as Line)
}

it.each([
  ['LEDGER_STALE', ['40', null, null], '40', 'ledger minus chain'],
  ['UNEXPLAINED', [null, '-7', null], '-7', 'ledger minus custodian'],
  // Ledger and chain agree; the custodian decides.
  ['CUSTODY_DIFFERS', ['0', '5', '-5'], '-5', 'custodian minus chain'],
  ['CUSTODY_DIFFERS', [null, '5', null], '5', 'ledger minus custodian'],
  ['CUSTODY_EXPIRED', ['3', null, null], '3', 'ledger minus chain'],
  ['DUPLICATE_CLAIM', ['0', '2', '-2'], '2', 'ledger minus custodian'],
  ['CUSTODY_CONFLICT', ['0', '0', '0'], null, 'between custody statements'],
  ['AGREED', ['0', null, null], '0', 'ledger minus chain'],
] as const)('decides %s %j', (cause, differences, atoms, pair) => {
  expect(decide(cause, differences)).toEqual({ atoms, pair })
})

it('has no difference with one side', () => {
  expect(decide('SINGLE_SIDED', [null, null, null])).toBeNull()
})

it('puts material breaks first and lines that agree last', () => {
  const lines = [
    { key: 1, cause: 'AGREED', material: true },
    { key: 2, cause: 'LEDGER_STALE', material: false },
    { key: 3, cause: 'UNREADABLE', material: true },
    { key: 4, cause: 'CUSTODY_DIFFERS', material: true },
  ] as const
  expect(breaksFirst(lines).map(({ key }) => key)).toEqual([3, 4, 2, 1])
})
