/** How long something lasted; `ended` is false where the observation stopped first. */
export interface Duration {
  readonly time: number
  readonly ended: boolean
}

/** Survival just after a time, with Greenwood's standard error. */
export interface SurvivalStep {
  readonly time: number
  readonly survival: number
  readonly standardError: number
  readonly atRisk: number
}

/**
 * Kaplan–Meier curve of durations with censoring.
 *
 *     S(t) = Π over event times tᵢ ≤ t of (1 − dᵢ/nᵢ)
 *
 * @returns one step per event time, ascending
 * @see Kaplan and Meier, “Nonparametric estimation from incomplete observations”, JASA 53 (1958)
 */
export function survivalCurve(durations: readonly Duration[]): SurvivalStep[] {
  const sorted = [...durations].sort((a, b) => a.time - b.time)
  const steps: SurvivalStep[] = []
  let survival = 1
  let greenwood = 0
  for (let i = 0; i < sorted.length; ) {
    // i is inside the array.
    const { time } = sorted[i]!
    const atRisk = sorted.length - i
    let ended = 0
    for (; i < sorted.length && sorted[i]!.time === time; i++) if (sorted[i]!.ended) ended += 1
    if (ended === 0) continue
    survival *= 1 - ended / atRisk
    if (ended < atRisk) greenwood += ended / (atRisk * (atRisk - ended))
    const standardError = survival * Math.sqrt(greenwood)
    steps.push({ time, survival, standardError, atRisk })
  }
  return steps
}

/**
 * Maximum rounding error of a product of quotients near one half: each factor rounds by 2^-53, with
 * one factor per duration.
 */
const rounding = 1e-9

/** First time with a survival of one half or less; null if survival stays above one half. */
export function medianSurvival(durations: readonly Duration[]): number | null {
  const isHalf = ({ survival }: SurvivalStep) => survival <= 0.5 + rounding
  return survivalCurve(durations).find(isHalf)?.time ?? null
}
