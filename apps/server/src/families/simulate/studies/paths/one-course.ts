import { isDeepStrictEqual } from 'node:util'
import type { ArmOutcome } from '@liquidity-os/engine/montecarlo'
import type { PathStatistics } from './path-statistics.ts'

/**
 * True if all paths are equal, as in a study without random draws. Stops at the first difference.
 */
export function isOneCourse(outcomes: readonly (readonly ArmOutcome[])[]): boolean {
  const [first = [], ...others] = outcomes
  return others.every((arms) =>
    arms.every((arm, index) => isDeepStrictEqual({ ...arm, index: 0 }, first[index])),
  )
}

/**
 * Statistics of a deterministic study, for any number of runs. Every interval equals its point
 * estimate, and arms are compared without a test.
 */
export function withoutChance(statistics: PathStatistics): PathStatistics {
  const { paths, arms, comparisons } = statistics
  return {
    paths: { ...paths, varies: false },
    arms: certain(arms),
    comparisons: comparisons.map((comparison) => ({ ...comparison, pHolmPips: null })),
  }
}

/** The same data with a zero-width interval for every probability. */
function certain<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(certain) as Value
  if (typeof value !== 'object' || value === null) return value
  const members = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, certain(member)]),
  )
  const { probabilityPips, sharePips } = members
  if (probabilityPips !== undefined) members.ci95Pips = [probabilityPips, probabilityPips]
  if (sharePips !== undefined && 'lowPips' in members) {
    Object.assign(members, { lowPips: sharePips, highPips: sharePips })
  }
  return members as Value
}
