import type { contract } from '@liquidity-os/contract'
import { dueBetween, firstDueAt } from '../../../market/treasury/schedule.ts'
import { dayMilliseconds } from '../../../units.ts'

type Obligation = Pick<contract.TreasuryObligation, 'obligation' | 'settled'>

/** Days ahead at which it is told that something is due, the most urgent first. */
export const noticeDays = [1, 7, 30] as const

/** A moment at which something of an obligation falls due. */
export interface ComingDue {
  readonly dueAt: string
  /** The fewest days of a notice within which it lies. */
  readonly withinDays: (typeof noticeDays)[number]
  /** Atoms that are due then and not settled. */
  readonly amount: bigint
}

/**
 * What falls due within thirty days of a moment. What is settled pays the earliest first. Of a linear schedule only its
 * beginning is a moment: it is due bit by bit from then on.
 *
 * @param at milliseconds since 1970
 */
export function comingDue({ obligation, settled }: Obligation, at: number): ComingDue[] {
  const { schedule } = obligation
  const due = { schedule, amount: BigInt(obligation.amount) }
  const end = at + Math.max(...noticeDays) * dayMilliseconds
  const coming: ComingDue[] = []
  for (let from = at; ; ) {
    const time = firstDueAt(schedule, from)
    if (time > end) return coming
    const before = max(dueBetween(due, 0, time), BigInt(settled))
    const amount = dueBetween(due, 0, time + 1) - before
    const withinDays = noticeDays.find((days) => time - at <= days * dayMilliseconds)
    if (amount > 0n && withinDays !== undefined && time > at) {
      coming.push({ dueAt: new Date(time).toISOString(), withinDays, amount })
    }
    if (schedule.kind !== 'RECURRING') return coming
    from = time + 1
  }
}

const max = (a: bigint, b: bigint) => (a > b ? a : b)
