import { freedByDay, type UnlockEvent } from '@liquidity-os/engine/vesting'
import { type Due, dueBetween } from '../../../market/treasury/schedule.ts'
import { dayMilliseconds } from '../../../units.ts'

/** Unlock terms of a schedule. Plain data: crosses a thread boundary. */
export interface FreeTerms {
  readonly events: readonly UnlockEvent[]
  /** Amounts by calendar: an obligation, or unlocks of calendar months. */
  readonly due: readonly Due[]
}

/** Atoms unlocked per day from a moment on. Thousands of events take seconds. */
export function freedOf(terms: FreeTerms, from: number, days: number): bigint[] {
  const at = (index: number) => from * 1000 + index * dayMilliseconds
  return freedByDay(terms.events, from, days).map((freed, index) =>
    terms.due.reduce((sum, due) => sum + dueBetween(due, at(index), at(index + 1)), freed),
  )
}

export const sumOf = (amounts: readonly bigint[]): bigint =>
  amounts.reduce((sum, one) => sum + one, 0n)

/** A day with at least 1 % of the window's unlocks, and its amount. */
export interface HeavyDay {
  readonly day: number
  readonly unlocked: bigint
  readonly places: readonly number[]
}

export function heavyDays(bySchedule: readonly (readonly bigint[])[]): HeavyDay[] {
  const days = bySchedule[0]?.length ?? 0
  const whole = sumOf(bySchedule.map(sumOf))
  return Array.from({ length: days }, (_, day) => day).flatMap((day) => {
    const places = bySchedule.flatMap((freed, index) =>
      whole > 0n && (freed[day] ?? 0n) * 100n >= whole ? [index] : [],
    )
    if (places.length === 0) return []
    return [{ day, places, unlocked: sumOf(places.map((place) => bySchedule[place]?.[day] ?? 0n)) }]
  })
}
