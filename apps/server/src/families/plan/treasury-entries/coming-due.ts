import type { contract } from '@liquidity-os/contract'
import { type Due, dueBetween, firstDueAt } from '../../../market/treasury/schedule.ts'
import { dayMilliseconds } from '../../../units.ts'
import { type DueMoment, linearMoments } from './linear-moments.ts'

type Obligation = Pick<contract.TreasuryObligation, 'obligation' | 'settled'>

/** Notice periods before a due date, in days, most urgent first. */
export const noticeDays = [1, 7, 30] as const

export interface ComingDue {
  readonly dueAt: string
  /** The shortest notice period that contains it. */
  readonly withinDays: (typeof noticeDays)[number]
  /** Unsettled atoms that fall due at that time. For short steps, until that time. */
  readonly amount: bigint
}

/**
 * Amounts due within 30 days of a moment. Settlements pay the earliest amounts first. A linear
 * schedule counts only with its start, because it is due continuously afterwards; see
 * `linearMoments`.
 *
 * @param at milliseconds since 1970
 */
export function comingDue({ obligation, settled }: Obligation, at: number): ComingDue[] {
  const due = { schedule: obligation.schedule, amount: BigInt(obligation.amount) }
  const end = at + Math.max(...noticeDays) * dayMilliseconds
  return [...dueMoments(due, at, end)].flatMap(({ since, time }) => {
    const withinDays = noticeDays.find((days) => time - at <= days * dayMilliseconds)
    if (withinDays === undefined || time <= at) return []
    // Amounts due until now are overdue, so they are excluded.
    const before = max(dueBetween(due, 0, Math.max(since, at + 1)), BigInt(settled))
    const amount = dueBetween(due, 0, time + 1) - before
    return amount > 0n ? [{ dueAt: new Date(time).toISOString(), withinDays, amount }] : []
  })
}

/** Due dates of a schedule; for a recurring one, those within a time span. */
function* dueMoments({ schedule, amount }: Due, from: number, to: number): Generator<DueMoment> {
  if (schedule.kind === 'LINEAR') {
    yield* linearMoments(schedule, amount)
    return
  }
  for (let time = firstDueAt(schedule, from); time <= to; time = firstDueAt(schedule, time + 1)) {
    yield { since: time, time }
    if (schedule.kind === 'ONE_OFF') return
  }
}

const max = (a: bigint, b: bigint) => (a > b ? a : b)
