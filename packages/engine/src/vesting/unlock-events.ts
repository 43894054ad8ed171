import { DAY_SECONDS } from '../arithmetic/time-units.ts'
import { type VestingSchedule, vestedAt } from './vested.ts'

/** When a part of an allocation becomes free; times are unix seconds, amounts atoms. */
export type UnlockEvent =
  /** The whole amount at once. */
  | { readonly kind: 'CLIFF'; readonly at: number; readonly amount: bigint }
  | ({ readonly kind: 'LINEAR' } & VestingSchedule)
  /** The amount `steps` times, for the first time a step after `from`. */
  | {
      readonly kind: 'STEPS'
      readonly from: number
      readonly stepSeconds: number
      readonly steps: number
      readonly amount: bigint
    }

/** Unlocked atoms at a moment, exact. @throws RangeError like `vestedAt`, and for invalid steps */
export function freedAt(event: UnlockEvent, time: number): bigint {
  switch (event.kind) {
    case 'CLIFF':
      return time >= event.at ? event.amount : 0n
    case 'LINEAR':
      return vestedAt(event, time)
    case 'STEPS': {
      const { from, stepSeconds, steps, amount } = event
      if (stepSeconds < 1 || steps < 1) throw new RangeError('a schedule without valid steps')
      const passed = Math.floor((time - from) / stepSeconds)
      return BigInt(Math.max(0, Math.min(steps, passed))) * amount
    }
  }
}

export const totalOfEvents = (events: readonly UnlockEvent[]): bigint =>
  events.reduce(
    (sum, event) =>
      sum +
      (event.kind === 'LINEAR'
        ? event.total
        : event.kind === 'STEPS'
          ? event.amount * BigInt(event.steps)
          : event.amount),
    0n,
  )

/**
 * Atoms unlocked on each day: the amount at the day's last second minus the amount one day before.
 * So the days of any period add up to its unlocks.
 *
 * @param from unix seconds of the start of the first day
 */
export function freedByDay(events: readonly UnlockEvent[], from: number, days: number): bigint[] {
  const freed = (time: number) => events.reduce((sum, event) => sum + freedAt(event, time), 0n)
  let before = freed(from - 1)
  return Array.from({ length: days }, (_, day) => {
    const after = freed(from + (day + 1) * DAY_SECONDS - 1)
    const unlocked = after - before
    before = after
    return unlocked
  })
}
