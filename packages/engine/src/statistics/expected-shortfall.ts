import { compensatedSum } from '../numerics/compensated-sum.ts'
import { quantileOfSorted } from './quantile.ts'

/** A value that is not undercut with the stated confidence, and the mean of what undercuts it. */
export interface TailRisk {
  readonly valueAtRisk: number
  readonly expectedShortfall: number
}

/**
 * Value at risk and expected shortfall of outcomes; low values are bad.
 *
 * VaR is the type 7 quantile at 1 − a. ES is the mean of the worst (1 − a)·n outcomes. The outcome
 * on the boundary counts with its fraction, so that ES is coherent for every n.
 *
 * @param sorted outcomes ascending, at least one
 * @param confidence a in (0, 1), for example 0.95
 * @throws RangeError outside
 * @see Acerbi and Tasche, “On the coherence of expected shortfall”, Journal of Banking & Finance 26
 * (2002)
 */
export function tailRiskOfSorted(sorted: ArrayLike<number>, confidence: number): TailRisk {
  if (!(confidence > 0 && confidence < 1)) {
    throw new RangeError(`a confidence of ${confidence}; expected a value in (0, 1)`)
  }
  const valueAtRisk = quantileOfSorted(sorted, 1 - confidence)
  const count = (1 - confidence) * sorted.length
  // The fraction of an outcome is below float precision.
  if (count <= 1e-9) return { valueAtRisk, expectedShortfall: sorted[0]! }
  const whole = Math.min(Math.floor(count + 1e-9), sorted.length)
  const sum = compensatedSum()
  // The loop and the boundary stay inside the outcomes: whole ≤ count < n.
  for (let i = 0; i < whole; i++) sum.add(sorted[i]!)
  const fraction = count - whole
  if (fraction > 1e-9) sum.add(fraction * sorted[whole]!)
  return { valueAtRisk, expectedShortfall: sum.value() / count }
}
