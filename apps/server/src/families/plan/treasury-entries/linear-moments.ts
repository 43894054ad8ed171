import type { contract } from '@liquidity-os/contract'
import { daySeconds } from '../../../units.ts'

type Linear = Extract<contract.TreasurySchedule, { kind: 'LINEAR' }>

/** A due date, and the start of the period that its notice covers, in milliseconds since 1970. */
export interface DueMoment {
  readonly since: number
  readonly time: number
}

/**
 * Due dates of a linear schedule that can be announced: its initial part, and the cliff. Without
 * either, the first step. Steps shorter than a day count together, at the last step of the first
 * day. A step below one atom is skipped.
 *
 * @param total atoms
 */
export function linearMoments(schedule: Linear, total: bigint): DueMoment[] {
  const [from, to] = [Date.parse(schedule.from), Date.parse(schedule.to)]
  const cliff = schedule.cliffAt === undefined ? from : Date.parse(schedule.cliffAt)
  const initial = BigInt(schedule.initial ?? '0')
  const first = initial > 0n ? [{ since: from, time: from }] : []
  if (total <= initial || (initial > 0n && cliff === from)) return first
  const { stepSeconds } = schedule
  const perStep = (total - initial) * BigInt(stepSeconds)
  const whole = BigInt((to - from) / 1000)
  const steps = Number((whole + perStep - 1n) / perStep)
  const together = cliff > from ? steps : Math.max(steps, Math.floor(daySeconds / stepSeconds))
  const time = Math.min(to, Math.max(cliff, from + together * stepSeconds * 1000))
  return [...first, { since: from + 1, time }]
}
