import { roundHalfEven, toPips } from '../numerics/half-even.ts'
import { normalCdf, normalQuantile } from '../numerics/normal-distribution.ts'
import { estimateMean } from '../statistics/pairs.ts'
import { divideHalfEven } from './summarize-trial.ts'

const MILLION = 1_000_000

/** Terms declared before any path runs. */
export interface TrialTerms {
  /** Whether more or less of the metric is good. */
  readonly direction: 'HIGHER' | 'LOWER'
  /** Difference that an alternative must exceed to be better, unit of the metric, 0 or more. */
  readonly minimumEffect: bigint
  /** Confidence over all alternatives together, millionths: 950,000 is 95 %. */
  readonly confidencePips: number
}

/** One alternative less the baseline, path by path. */
export interface PairedTrial {
  readonly paths: number
  /** Independent observations: an antithetic pair is one. */
  readonly observations: number
  /** Mean difference, alternative less baseline, unit of the metric, exact and rounded half to even. */
  readonly mean: bigint
  readonly standardError: bigint
  /** Interval at the confidence of its rank. */
  readonly low: bigint
  readonly high: bigint
  /** Place among the p-values, 1 being the smallest. */
  readonly rank: number
  /** 1 − α/(m − rank + 1), millionths, rounded half to even. */
  readonly confidencePips: number
  /** Two-sided, of no difference, unadjusted, millionths. */
  readonly pPips: number
  readonly verdict: 'SUPERIOR' | 'INFERIOR' | 'INDISTINGUISHABLE'
}

/**
 * Compares alternatives with a baseline on common random numbers, under terms declared in advance.
 *
 *     dᵢ = alternativeᵢ − baselineᵢ,   se = s(pair means)/√n,   interval = d̄ ± z(1 − α₍ₖ₎/2)·se,   α₍ₖ₎ = α/(m − k + 1)
 *
 * k is the rank of the alternative by its p-value of no difference, m the number of declared
 * alternatives. An alternative without outcomes counts with the largest p, so a failed trial makes
 * no other test easier. SUPERIOR is an interval beyond the minimum effect in the declared
 * direction. INFERIOR is an interval beyond zero in the other direction. The procedure is
 * step-down: after the first interval that contains zero, all are INDISTINGUISHABLE.
 *
 * @param baseline outcomes in path order; paths 2k and 2k + 1 are antithetic
 * @param alternatives equally many outcomes each, or null if missing
 * @returns in the order of the alternatives; null without outcomes
 * @throws RangeError for fewer than four paths, samples of different length, or terms out of range
 * @see Holm, “A simple sequentially rejective multiple test procedure” (1979)
 */
export function compareTrials(
  baseline: readonly bigint[],
  alternatives: readonly (readonly bigint[] | null)[],
  terms: TrialTerms,
): (PairedTrial | null)[] {
  requireTerms(baseline, terms)
  const alpha = (MILLION - terms.confidencePips) / MILLION
  const estimated = alternatives.map((values) =>
    values ? estimateDifference(values, baseline) : null,
  )
  const order = estimated
    .flatMap((one, place) => (one ? [{ ...one, place }] : []))
    .sort((a, b) => a.p - b.p || a.place - b.place)
  const judged: (PairedTrial | null)[] = estimated.map(() => null)
  let isOpen = true
  for (const [index, one] of order.entries()) {
    const level = alpha / (alternatives.length - index)
    const reach = normalQuantile(1 - level / 2) * one.standardError
    const [low, high] = [one.mean - reach, one.mean + reach]
    isOpen &&= low > 0 || high < 0
    judged[one.place] = {
      paths: baseline.length,
      observations: one.observations,
      mean: one.exactMean,
      standardError: roundHalfEven(one.standardError),
      low: roundHalfEven(low),
      high: roundHalfEven(high),
      rank: index + 1,
      confidencePips: Number(roundHalfEven((1 - level) * MILLION)),
      pPips: toPips(one.p),
      verdict: isOpen ? verdictOf(low, high, terms) : 'INDISTINGUISHABLE',
    }
  }
  return judged
}

function requireTerms(baseline: readonly bigint[], terms: TrialTerms): void {
  const { minimumEffect, confidencePips } = terms
  if (baseline.length < 4) throw new RangeError(`${baseline.length} paths; expected at least 4`)
  if (minimumEffect < 0n) throw new RangeError(`a negative minimum effect, ${minimumEffect}`)
  if (!(confidencePips > 0 && confidencePips < MILLION)) {
    throw new RangeError(`a confidence of ${confidencePips} pips; expected a value in (0, 1000000)`)
  }
}

function estimateDifference(values: readonly bigint[], baseline: readonly bigint[]) {
  if (values.length !== baseline.length) {
    throw new RangeError(`${values.length} paths, but ${baseline.length} in the baseline`)
  }
  // Same length, so every place exists. The difference is exact before it becomes a float.
  const differences = values.map((value, path) => value - baseline[path]!)
  const estimate = estimateMean(Float64Array.from(differences, Number), 'ANTITHETIC_PAIRS')
  const { mean, standardError } = estimate
  const p = standardError > 0 ? 2 * normalCdf(-Math.abs(mean) / standardError) : mean === 0 ? 1 : 0
  const sum = differences.reduce((total, difference) => total + difference, 0n)
  return { ...estimate, p, exactMean: divideHalfEven(sum, BigInt(differences.length)) }
}

function verdictOf(
  low: number,
  high: number,
  { direction, minimumEffect }: TrialTerms,
): PairedTrial['verdict'] {
  // The gain is the difference in the declared direction.
  const [least, most] = direction === 'HIGHER' ? [low, high] : [-high, -low]
  if (least > Number(minimumEffect)) return 'SUPERIOR'
  return most < 0 ? 'INFERIOR' : 'INDISTINGUISHABLE'
}
