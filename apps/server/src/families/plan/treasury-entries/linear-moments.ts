import type { contract } from '@liquidity-os/contract'
import { daySeconds } from '../../../units.ts'

type Linear = Extract<contract.TreasurySchedule, { kind: 'LINEAR' }>

/** A moment of a schedule, and since when what falls due is told with it; milliseconds since 1970. */
export interface DueMoment {
  readonly since: number
  readonly time: number
}

/**
 * When a linear schedule begins, as it can be told ahead: its initial part, and the cliff. Without either, the first step;
 * of steps shorter than a day those of the first day together, at the last of them. A step that is due in no whole atom is
 * passed over.
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
