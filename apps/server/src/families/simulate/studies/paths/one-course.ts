import { isDeepStrictEqual } from 'node:util'
import type { ArmOutcome } from '@liquidity-os/engine/montecarlo'
import type { PathStatistics } from './path-statistics.ts'

/** Whether every path is the first one again, as where nothing is drawn. Ends at the first that differs. */
export function isOneCourse(outcomes: readonly (readonly ArmOutcome[])[]): boolean {
  const [first = [], ...others] = outcomes
  return others.every((arms) =>
    arms.every((arm, index) => isDeepStrictEqual({ ...arm, index: 0 }, first[index])),
  )
}

/**
 * What one course comes to, whatever the number of times it was run: what happens on it is certain, so each
 * interval is its point, and arms are told apart without a test.
 */
export function withoutChance(statistics: PathStatistics): PathStatistics {
  const { paths, arms, comparisons } = statistics
  return {
    paths: { ...paths, varies: false },
    arms: certain(arms),
    comparisons: comparisons.map((comparison) => ({ ...comparison, pHolmPips: null })),
  }
}

/** The same, with every probability in it as certain as it is. */
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
