import type { contract } from '@liquidity-os/contract'
import { expect, it } from 'vitest'
import { comingDue } from './coming-due.ts'

const at = Date.parse('2026-01-05T00:00:00Z')
const owed = (schedule: contract.TreasurySchedule, settled = '0') => ({
  obligation: {
    ...({ obligationKind: 'VENDOR', counterparty: 'Auditor', reference: 'Contract' } as const),
    ...({ amount: '100', certainty: 'EXPECTED', schedule } as const),
  },
  settled,
})
const told = (schedule: contract.TreasurySchedule, settled?: string) =>
  comingDue(owed(schedule, settled), at).map(({ dueAt, withinDays, amount }) => [
    dueAt.slice(0, 10),
    withinDays,
    amount,
  ])

it('one payment is told within thirty days, seven and one, by the fewest that hold', () => {
  const once = (day: string) => told({ kind: 'ONE_OFF', at: `${day}T00:00:00Z` })
  expect(once('2026-02-05')).toEqual([])
  expect(once('2026-02-04')).toEqual([['2026-02-04', 30, 100n]])
  expect(once('2026-01-12')).toEqual([['2026-01-12', 7, 100n]])
  expect(once('2026-01-06')).toEqual([['2026-01-06', 1, 100n]])
  // What is due is overdue, and comes no more.
  expect(once('2026-01-05')).toEqual([])
})

it('every occurrence is told, until the last; what is settled pays the earliest first', () => {
  const weekly = { kind: 'RECURRING', firstAt: '2026-01-01T00:00:00Z', every: 'WEEK' } as const
  expect(told({ ...weekly, count: 4 }, '250')).toEqual([
    ['2026-01-15', 30, 50n],
    ['2026-01-22', 30, 100n],
  ])
  expect(told({ ...weekly, until: '2026-01-08T00:00:00Z' })).toEqual([['2026-01-08', 7, 100n]])
})

it('of a linear schedule its beginning is told', () => {
  const linear = {
    ...({ kind: 'LINEAR', from: '2025-01-20T00:00:00Z', to: '2027-01-20T00:00:00Z' } as const),
    ...{ cliffAt: '2026-01-20T00:00:00Z', stepSeconds: 86_400 },
  }
  expect(told(linear)).toEqual([['2026-01-20', 30, 50n]])
  expect(told({ ...linear, cliffAt: '2026-01-01T00:00:00Z' })).toEqual([])
})
