import { freedAt, type UnlockEvent } from '@liquidity-os/engine/vesting'
import { type Due, dueBetween } from '../../../market/treasury/schedule.ts'

/** Unlock terms of a schedule. Plain data: crosses a thread boundary. */
export interface FreeTerms {
  readonly events: readonly UnlockEvent[]
  /** Amounts by calendar: an obligation, or unlocks of calendar months. */
  readonly due: readonly Due[]
}

/**
 * Atoms unlocked between each two boundaries, the first included and the second excluded. Thousands
 * of events take seconds.
 *
 * @param boundaries unix seconds, ascending
 */
export function freedOf(terms: FreeTerms, boundaries: readonly number[]): bigint[] {
  const freedBefore = (time: number) => sumOf(terms.events.map((event) => freedAt(event, time - 1)))
  const freed = boundaries.map(freedBefore)
  return boundaries.slice(1).map((to, index) => {
    const from = boundaries[index]!
    const due = sumOf(terms.due.map((one) => dueBetween(one, from * 1000, to * 1000)))
    return freed[index + 1]! - freed[index]! + due
  })
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
