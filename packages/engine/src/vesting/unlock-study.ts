import {
  type ImpactDay,
  type ImpactTerms,
  impactCurve,
  type SellBehaviour,
} from './unlock-impact.ts'

/** Unlocks of an allocation, with its selling behavior. */
export interface StudiedSchedule {
  /** Atoms by day, from `lead` days before the window on to its end and the anticipation after it. */
  readonly freed: readonly bigint[]
  readonly behaviour: SellBehaviour
}

/** How a window is studied. */
export interface StudyTerms {
  readonly windowDays: number
  /** Days before the window with known unlocks; their sales affect the window. */
  readonly leadDays: number
  readonly anticipationDays: number
  readonly market: Omit<ImpactTerms, 'y'> | null
  readonly y: number
}

export type Case = 'low' | 'base' | 'high'

/** A window in one case. */
export interface StudiedCase {
  /** Sold on each day before the window, which weighs on it. */
  readonly before: readonly number[]
  /** Sold on each day of the window, atoms as floats. */
  readonly flows: readonly number[]
  /** Null without a market. */
  readonly curve: readonly ImpactDay[] | null
}

/**
 * Sales per day. A third of a day's unlock is sold evenly over the days before, the rest evenly
 * over the horizon from that day on. It uses prefix sums, so a thousand days cost a thousand steps.
 *
 * @param freed atoms by day
 * @param share sold share of the unlocks, 0..1
 * @returns equally many days; sales before the first or after the last day are excluded
 */
export function sellingFlow(
  freed: readonly bigint[],
  share: number,
  terms: { readonly anticipationDays: number; readonly horizonDays: number },
): number[] {
  const { anticipationDays, horizonDays } = terms
  const length = freed.length
  // Changes of the daily rate: each stretch adds its rate where it begins and takes it where it ends.
  const changes = new Float64Array(length + 1)
  const stretch = (begin: number, end: number, rate: number) => {
    const [first, last] = [Math.max(begin, 0), Math.min(end, length)]
    if (first >= last) return
    changes[first]! += rate
    changes[last]! -= rate
  }
  for (const [day, atoms] of freed.entries()) {
    if (atoms === 0n) continue
    const sold = Number(atoms) * share
    const early = anticipationDays > 0 ? sold / 3 / anticipationDays : 0
    if (early > 0) stretch(day - anticipationDays, day, early)
    stretch(day, day + horizonDays, (sold - early * anticipationDays) / horizonDays)
  }
  let rate = 0
  return Array.from({ length }, (_, day) => {
    rate += changes[day]!
    // Rates that end leave a last place over, which is no sale.
    return rate > 1e-9 ? rate : 0
  })
}

/**
 * The window in three sales cases: low with half of Y, base, high with one and a half times Y.
 *
 * @see `impactCurve` for the impact of a day; the low and high cases are assumptions, not a
 * confidence interval
 */
export function studyUnlocks(
  schedules: readonly StudiedSchedule[],
  { windowDays, leadDays, anticipationDays, market, y }: StudyTerms,
): Record<Case, StudiedCase> {
  const studied = (of: Case, factor: number): StudiedCase => {
    const sums = new Float64Array(leadDays + windowDays)
    for (const { freed, behaviour } of schedules) {
      const { sellPips, horizonDays } = behaviour
      const flows = sellingFlow(freed, sellPips[of] / 1e6, { anticipationDays, horizonDays })
      for (let day = 0; day < sums.length; day++) sums[day]! += flows[day] ?? 0
    }
    const [before, flows] = [[...sums.slice(0, leadDays)], [...sums.slice(leadDays)]]
    return {
      before,
      flows,
      curve: market && impactCurve(flows, { ...market, y: y * factor }, before),
    }
  }
  return { low: studied('low', 0.5), base: studied('base', 1), high: studied('high', 1.5) }
}
