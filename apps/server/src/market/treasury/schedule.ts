import type { contract } from '@liquidity-os/contract'
import { vestedAt } from '@liquidity-os/engine/vesting'
import { dayMilliseconds } from '../../units.ts'
import { addMonths, monthStart } from './months.ts'

type Schedule = contract.TreasurySchedule
type Recurring = Extract<Schedule, { kind: 'RECURRING' }>
type Linear = Extract<Schedule, { kind: 'LINEAR' }>

/** An amount with its schedule: per occurrence, or in total for a linear schedule. */
export interface Due {
  readonly schedule: Schedule
  readonly amount: bigint
}

/** The months of a projection. */
export interface Horizon {
  /** YYYY-MM */
  readonly startMonth: string
  readonly horizonMonths: number
}

const weekMilliseconds = 7 * dayMilliseconds
const monthsOf = { MONTH: 1, QUARTER: 3, YEAR: 12 } as const

/**
 * Atoms that become due in a period, exact.
 *
 * @param from first time, inclusive, milliseconds since 1970
 * @param to end, exclusive
 */
export function dueBetween(due: Due, from: number, to: number): bigint {
  return dueBefore(due, to) - dueBefore(due, from)
}

/**
 * Atoms by month.
 *
 * @param since start of the first month, if not its first day; amounts between a snapshot and that
 * month count there
 */
export function dueByMonth(
  due: Due,
  { startMonth, horizonMonths }: Horizon,
  since?: number,
): bigint[] {
  return Array.from({ length: horizonMonths }, (_, index) => {
    const [begin, end] = [monthStart(startMonth, index), monthStart(startMonth, index + 1)]
    // Amounts before the snapshot are past; amounts between it and the first month count in that
    // month.
    const from = since === undefined ? begin : index === 0 ? since : Math.max(begin, since)
    return from < end ? dueBetween(due, from, end) : 0n
  })
}

/** Atoms that were due before a moment. */
function dueBefore({ schedule, amount }: Due, time: number): bigint {
  switch (schedule.kind) {
    case 'ONE_OFF':
      return Date.parse(schedule.at) < time ? amount : 0n
    case 'RECURRING':
      return amount * BigInt(occurrencesBefore(schedule, time))
    case 'LINEAR':
      return vestedBefore(schedule, amount, time)
  }
}

/** Number of occurrences before a time, computed without iterating. */
function occurrencesBefore(schedule: Recurring, time: number): number {
  const { count = Number.POSITIVE_INFINITY, until } = schedule
  // The last time is included.
  const end = until === undefined ? time : Math.min(time, Date.parse(until) + 1)
  return Math.min(count, indexFrom(schedule, end))
}

/** Number of the first occurrence that is not before a moment, from 0, as if they never ended. */
function indexFrom({ firstAt, every }: Recurring, time: number): number {
  if (time === Number.POSITIVE_INFINITY) return time
  const first = Date.parse(firstAt)
  if (time <= first) return 0
  if (every === 'WEEK') return Math.ceil((time - first) / weekMilliseconds)
  const step = monthsOf[every]
  const [a, b] = [new Date(first), new Date(time)]
  const months = 12 * (b.getUTCFullYear() - a.getUTCFullYear()) + b.getUTCMonth() - a.getUTCMonth()
  const near = Math.floor(months / step)
  return addMonths(first, near * step) < time ? near + 1 : near
}

function vestedBefore(schedule: Linear, total: bigint, time: number): bigint {
  const seconds = (text: string) => Date.parse(text) / 1000
  const { from, cliffAt, to, stepSeconds, initial = '0' } = schedule
  const vesting = {
    total,
    initial: BigInt(initial),
    stepSeconds,
    startAt: seconds(from),
    endAt: seconds(to),
    ...(cliffAt === undefined ? {} : { cliffAt: seconds(cliffAt) }),
  }
  // Times are whole seconds, so "before a time" includes the second before it.
  return vestedAt(vesting, Math.ceil(time / 1000) - 1)
}

/** First due time of a schedule at or after `from`; `from` itself if no amount is due any more. */
export function firstDueAt(schedule: Schedule, from: number): number {
  switch (schedule.kind) {
    case 'ONE_OFF':
      return Math.max(from, Date.parse(schedule.at))
    case 'RECURRING': {
      const index = indexFrom(schedule, from)
      const first = Date.parse(schedule.firstAt)
      return schedule.every === 'WEEK'
        ? first + index * weekMilliseconds
        : addMonths(first, index * monthsOf[schedule.every])
    }
    case 'LINEAR': {
      const begin = Date.parse(schedule.from)
      const hasInitial = BigInt(schedule.initial ?? '0') > 0n
      // The initial part is due at the start, regardless of the cliff.
      if (hasInitial && from <= begin) return begin
      return Math.max(from, Date.parse(schedule.cliffAt ?? schedule.from))
    }
  }
}

/**
 * True if both schedules are due at the same times, even if written differently. Examples: one time
 * versus monthly once; an end by count versus by date.
 */
export const isSameSchedule = (a: Schedule, b: Schedule): boolean => plainOf(a) === plainOf(b)

/** Canonical text of a schedule. */
function plainOf(schedule: Schedule): string {
  const at = (text: string) => Date.parse(text)
  switch (schedule.kind) {
    case 'ONE_OFF':
      return `ONCE ${at(schedule.at)}`
    case 'RECURRING': {
      const { firstAt, every } = schedule
      const count = occurrencesBefore(schedule, Number.POSITIVE_INFINITY)
      return count === 1 ? `ONCE ${at(firstAt)}` : `${every} ${at(firstAt)} ${count}`
    }
    case 'LINEAR': {
      const { from, cliffAt = from, to, stepSeconds, initial = '0' } = schedule
      return `LINEAR ${at(from)} ${at(cliffAt)} ${at(to)} ${stepSeconds} ${initial}`
    }
  }
}
