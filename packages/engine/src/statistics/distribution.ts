import { varianceOf } from '../numerics/compensated-sum.ts'
import { roundHalfEven } from '../numerics/half-even.ts'
import { estimateMean, type Pairing } from './pairs.ts'
import { ascending, quantileOfSorted } from './quantile.ts'
import { Z_95 } from './wilson.ts'

/** A sample in atoms, as it leaves the engine. */
export interface Dist {
  readonly n: number
  readonly mean: bigint
  readonly sd: bigint
  readonly q: {
    readonly p01: bigint
    readonly p05: bigint
    readonly p25: bigint
    readonly p50: bigint
    readonly p75: bigint
    readonly p95: bigint
    readonly p99: bigint
  }
  readonly meanCi95: readonly [low: bigint, high: bigint]
}

/**
 * Summary of a sample: moments, type 7 quantiles and the 95 % interval of the mean, which takes an
 * antithetic pair for one observation. Every figure is rounded half to even to atoms. A sample of one value is
 * that value, without what adding it up would leave.
 *
 * @param values in path order, finite, at least one
 * @throws RangeError for none
 */
export function summarize(values: ArrayLike<number> & Iterable<number>, pairing: Pairing): Dist {
  const sorted = ascending(values)
  const [least] = sorted
  if (least !== undefined && least === sorted.at(-1)) return constant(least, values.length)
  const at = (p: number) => roundHalfEven(quantileOfSorted(sorted, p))
  const { mean, standardError } = estimateMean(values, pairing)
  return {
    n: values.length,
    mean: roundHalfEven(mean),
    sd: roundHalfEven(Math.sqrt(varianceOf(values))),
    q: {
      p01: at(0.01),
      p05: at(0.05),
      p25: at(0.25),
      p50: at(0.5),
      p75: at(0.75),
      p95: at(0.95),
      p99: at(0.99),
    },
    meanCi95: [
      roundHalfEven(mean - Z_95 * standardError),
      roundHalfEven(mean + Z_95 * standardError),
    ],
  }
}

function constant(value: number, n: number): Dist {
  const all = roundHalfEven(value)
  const q = { p01: all, p05: all, p25: all, p50: all, p75: all, p95: all, p99: all }
  return { n, mean: all, sd: 0n, q, meanCi95: [all, all] }
}
