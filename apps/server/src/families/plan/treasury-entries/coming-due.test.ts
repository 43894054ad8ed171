import type { contract } from '@liquidity-os/contract'
import { expect, it } from 'vitest'
import { comingDue } from './coming-due.ts'

const at = Date.parse('2026-01-05T00:00:00Z')
const owed = (schedule: contract.TreasurySchedule, settled = '0') => ({
  obligation: {
    obligationKind: 'VENDOR' as const,
    counterparty: 'Auditor' as const,
    reference: 'Contract' as const,
    amount: '100' as const,
    certainty: 'EXPECTED' as const,
    schedule,
  },
  settled,
})
const summarizeDue = (schedule: contract.TreasurySchedule, settled?: string) =>
  comingDue(owed(schedule, settled), at).map(({ dueAt, withinDays, amount }) => [
    dueAt.slice(0, 10),
    withinDays,
    amount,
  ])

it('one payment is announced 30 days, 7 days and 1 day before, at the smallest number that applies', () => {
  const once = (day: string) => summarizeDue({ kind: 'ONE_OFF', at: `${day}T00:00:00Z` })
  expect(once('2026-02-05')).toEqual([])
  expect(once('2026-02-04')).toEqual([['2026-02-04', 30, 100n]])
  expect(once('2026-01-12')).toEqual([['2026-01-12', 7, 100n]])
  expect(once('2026-01-06')).toEqual([['2026-01-06', 1, 100n]])
  // What is due is overdue, and comes no more.
  expect(once('2026-01-05')).toEqual([])
})

it('announces every occurrence until the last; a settlement pays the earliest first', () => {
  const weekly = { kind: 'RECURRING', firstAt: '2026-01-01T00:00:00Z', every: 'WEEK' } as const
  expect(summarizeDue({ ...weekly, count: 4 }, '250')).toEqual([
    ['2026-01-15', 30, 50n],
    ['2026-01-22', 30, 100n],
  ])
  expect(summarizeDue({ ...weekly, until: '2026-01-08T00:00:00Z' })).toEqual([
    ['2026-01-08', 7, 100n],
  ])
})

it('announces the beginning of a linear schedule', () => {
  const linear = {
    kind: 'LINEAR' as const,
    from: '2025-01-20T00:00:00Z' as const,
    to: '2027-01-20T00:00:00Z' as const,
    cliffAt: '2026-01-20T00:00:00Z',
    stepSeconds: 86_400,
  }
  expect(summarizeDue(linear)).toEqual([['2026-01-20', 30, 50n]])
  expect(summarizeDue({ ...linear, cliffAt: '2026-01-01T00:00:00Z' })).toEqual([])
})

const plain = {
  kind: 'LINEAR' as const,
  from: '2026-01-10T00:00:00Z' as const,
  to: '2026-04-20T00:00:00Z' as const,
  stepSeconds: 86_400,
}

it('announces an initial part at its own time, before the cliff', () => {
  const cliff = { ...plain, initial: '40', cliffAt: '2026-01-20T00:00:00Z' }
  expect(summarizeDue(cliff)).toEqual([
    ['2026-01-10', 7, 40n],
    ['2026-01-20', 30, 6n],
  ])
  expect(summarizeDue(cliff, '40')).toEqual([['2026-01-20', 30, 6n]])
  expect(summarizeDue({ ...cliff, cliffAt: '2026-03-20T00:00:00Z' })).toEqual([
    ['2026-01-10', 7, 40n],
  ])
  expect(summarizeDue({ ...plain, initial: '40' })).toEqual([['2026-01-10', 7, 40n]])
  expect(summarizeDue({ ...plain, initial: '100' })).toEqual([['2026-01-10', 7, 100n]])
})

it('announces the first step without initial part and cliff, and the first day of short steps', () => {
  expect(summarizeDue(plain)).toEqual([['2026-01-11', 7, 1n]])
  expect(summarizeDue({ ...plain, stepSeconds: 1_209_600 })).toEqual([['2026-01-24', 30, 14n]])
  expect(summarizeDue({ ...plain, stepSeconds: 1 })).toEqual([['2026-01-11', 7, 1n]])
  // Nothing whole is due before the tenth step, and a step beyond the end is the end.
  expect(summarizeDue({ ...plain, to: '2028-10-06T00:00:00Z' })).toEqual([['2026-01-20', 30, 1n]])
  const short = { ...plain, to: '2026-01-20T00:00:00Z', stepSeconds: 31_622_400 }
  expect(summarizeDue(short)).toEqual([['2026-01-20', 30, 100n]])
})
