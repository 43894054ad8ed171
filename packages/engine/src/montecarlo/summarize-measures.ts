import { ascending, quantileOfSorted } from '../statistics/quantile.ts'
import type { ArmOutcome } from './run-path.ts'

/** Depth over that before a shock, over the shocks of all paths; the worst are the lowest. */
export interface RecoverySummary {
  readonly shocks: number
  readonly pathsWithShock: number
  readonly after: readonly {
    readonly seconds: number
    /** Number of shocks whose horizon ended within the path. */
    readonly n: number
    readonly medianPips: number
    readonly worst5Pips: number
  }[]
}

/** What base was sold or bought at over the market's average, signed pips, on the paths where it was. */
export interface VwapSummary {
  readonly n: number
  readonly p05: number
  readonly median: number
  readonly p95: number
}

/** Adds up the shocks of an arm's paths; null for an arm without a market. */
export function summarizeRecovery(results: readonly ArmOutcome[]): RecoverySummary | null {
  const paths = results.flatMap(({ recovery }) => (recovery === null ? [] : [recovery]))
  const first = paths[0]
  if (first === undefined) return null
  return {
    shocks: paths.reduce((sum, { shocks }) => sum + shocks, 0),
    pathsWithShock: paths.filter(({ shocks }) => shocks > 0).length,
    after: first.after.flatMap(({ seconds }, place) => {
      // Every path has the same times.
      const sorted = ascending(paths.flatMap(({ after }) => after[place]!.depthPips))
      if (sorted.length === 0) return []
      const at = (p: number) => Math.round(quantileOfSorted(sorted, p))
      return [{ seconds, n: sorted.length, medianPips: at(0.5), worst5Pips: at(0.05) }]
    }),
  }
}

/** Adds up what base changed hands at. */
export function summarizeVwap(results: readonly ArmOutcome[]): VwapSummary | null {
  const known = results.flatMap(({ samples }) => samples.inventory.versusVwapPips ?? [])
  if (known.length === 0) return null
  const sorted = ascending(known)
  const at = (p: number) => Math.round(quantileOfSorted(sorted, p))
  return { n: known.length, p05: at(0.05), median: at(0.5), p95: at(0.95) }
}
