import type { contract } from '@liquidity-os/contract'
import { type Due, dueBetween, firstDueAt } from '../../../market/treasury/schedule.ts'
import { dayMilliseconds } from '../../../units.ts'
import { type DueMoment, linearMoments } from './linear-moments.ts'

type Obligation = Pick<contract.TreasuryObligation, 'obligation' | 'settled'>

/** Days ahead at which it is told that something is due, the most urgent first. */
export const noticeDays = [1, 7, 30] as const

/** A moment at which something of an obligation falls due. */
export interface ComingDue {
  readonly dueAt: string
  /** The fewest days of a notice within which it lies. */
  readonly withinDays: (typeof noticeDays)[number]
  /** Atoms that fall due then, of short steps until then, and are not settled. */
  readonly amount: bigint
}

/**
 * What falls due within thirty days of a moment. What is settled pays the earliest first. Of a linear schedule only its
 * beginning is told, see `linearMoments`: it is due bit by bit from then on.
 *
 * @param at milliseconds since 1970
 */
export function comingDue({ obligation, settled }: Obligation, at: number): ComingDue[] {
  const due = { schedule: obligation.schedule, amount: BigInt(obligation.amount) }
  const end = at + Math.max(...noticeDays) * dayMilliseconds
  return [...dueMoments(due, at, end)].flatMap(({ since, time }) => {
    const withinDays = noticeDays.find((days) => time - at <= days * dayMilliseconds)
    if (withinDays === undefined || time <= at) return []
    // What was due until now is overdue, and comes no more.
    const before = max(dueBetween(due, 0, Math.max(since, at + 1)), BigInt(settled))
    const amount = dueBetween(due, 0, time + 1) - before
    return amount > 0n ? [{ dueAt: new Date(time).toISOString(), withinDays, amount }] : []
  })
}

/** The moments of a schedule that can be told ahead; of a recurring one those of a stretch of time. */
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
