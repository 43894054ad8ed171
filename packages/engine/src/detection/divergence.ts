import { normalCdf } from '../numerics/normal-distribution.ts'
import { holm } from '../statistics/holm.ts'
import { ascending, quantileOfSorted } from '../statistics/quantile.ts'
import type { Severity } from './detectors.ts'

/** A realized value and the study's simulated values for the same moment. */
export interface DivergenceMetric {
  readonly metric: string
  readonly realized: number
  /** The same metric per simulated path, at least 100. */
  readonly simulated: ArrayLike<number> & Iterable<number>
}

/** How far one figure is outside what was simulated. */
export interface DivergenceVerdict {
  readonly metric: string
  /** 0.6745·(x − median)/MAD of the paths, in thousandths. */
  readonly zMilli: number
  readonly pHolm: number
  readonly severity: Severity | null
}

/**
 * Rates realized values against a study. INFO is outside the middle 95 % of the paths, WARNING
 * outside 99 %, CRITICAL beyond every path. Holm's adjustment over the metrics must leave p below 5
 * %.
 *
 * @throws RangeError for fewer than 100 paths
 */
export function judgeDivergence(metrics: readonly DivergenceMetric[]): DivergenceVerdict[] {
  const scores = metrics.map(({ metric, realized, simulated }) => {
    if (simulated.length < 100) throw new RangeError(`${metric}: fewer than 100 simulated paths`)
    const sorted = ascending(simulated)
    const centre = quantileOfSorted(sorted, 0.5)
    const deviations = ascending(sorted.map((value) => Math.abs(value - centre)))
    const mad = quantileOfSorted(deviations, 0.5)
    const distance = realized - centre
    const z = mad > 0 ? (0.6745 * distance) / mad : distance === 0 ? 0 : Math.sign(distance) * 1e6
    return { metric, realized, sorted, z }
  })
  const adjusted = holm(scores.map(({ z }) => 2 * normalCdf(-Math.abs(z))))
  return scores.map(({ metric, realized, sorted, z }, index) => {
    // One adjusted value per metric.
    const pHolm = adjusted[index]!
    const severity = pHolm < 0.05 ? severityOf(realized, sorted) : null
    return { metric, zMilli: Math.trunc(Math.max(-1e9, Math.min(1e9, 1000 * z))), pHolm, severity }
  })
}

function severityOf(value: number, sorted: Float64Array): Severity | null {
  const isOutside = (share: number) =>
    value < quantileOfSorted(sorted, share) || value > quantileOfSorted(sorted, 1 - share)
  if (isOutside(0)) return 'CRITICAL'
  if (isOutside(0.005)) return 'WARNING'
  return isOutside(0.025) ? 'INFO' : null
}
