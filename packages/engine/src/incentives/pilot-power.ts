import { ln } from '../numerics/ln.ts'
import { normalQuantile } from '../numerics/normal-distribution.ts'
import { stationaryBootstrapIndices } from '../random/draws.ts'
import type { DrawStream } from '../random/streams.ts'
import { estimateLift, poolEffects, progress } from './estimate-lift.ts'
import { rewardedDays, type Switchback } from './switchback.ts'

/** How a pilot would go, were its rewards to lift depth. */
export interface PowerTerms {
  /** Log depth per venue over the baseline; null if a day was not observed. */
  readonly logDepth: readonly (readonly (number | null)[])[]
  readonly weeks: readonly Switchback[]
  readonly days: number
  /** The lift to be found, above zero. */
  readonly lift: number
  /** Two-sided level of the interval whose lower end must lie above zero. */
  readonly confidence: number
  /** Mean length of the blocks of days that are drawn. */
  readonly meanBlock: number
  readonly rounds: number
}

/** Slow enough that a wash-out of three days leaves an eighth of the way. */
const SPEED = 0.5
const SPEEDS = [0.2, 0.35, 0.5, 0.7, 1]

/**
 * Share of simulated pilots that find a lift. Each pilot resamples baseline days in blocks, the
 * same ones for every venue, and applies the depth response to the switchback. It then estimates
 * like a program evaluation.
 */
export function pilotPower(terms: PowerTerms, stream: DrawStream): number {
  const { logDepth, weeks, days, lift, confidence, meanBlock, rounds } = terms
  const length = logDepth[0]?.length ?? 0
  const z = normalQuantile((1 + confidence) / 2)
  const schedules = weeks.map((week) => [
    ...new Array<boolean>(length).fill(false),
    ...rewardedDays(week, days),
  ])
  const lifted = schedules.map((rewarded) => progress(rewarded, SPEED).map((m) => ln(1 + lift * m)))
  const levels = logDepth.map((series) => meanOfPresent(series))
  let found = 0
  for (let round = 0; round < rounds; round++) {
    const drawn = stationaryBootstrapIndices(stream, length, length + days, meanBlock)
    const effects = logDepth.flatMap((series, venue) => {
      const simulated = Array.from(drawn, (index, t) => {
        const noise = (series[index] ?? levels[venue]!) - levels[venue]!
        return noise + lifted[venue]![t]!
      })
      const estimate = estimateLift(simulated, schedules[venue]!, SPEEDS)
      return estimate ? [{ mean: estimate.lift, standardError: estimate.standardError }] : []
    })
    if (effects.length === 0) continue
    const { mean, standardError } = poolEffects(effects)
    if (mean - z * standardError > 0) found += 1
  }
  return found / rounds
}

function meanOfPresent(series: readonly (number | null)[]): number {
  const present = series.filter((value) => value !== null)
  return present.reduce((sum, value) => sum + value, 0) / Math.max(1, present.length)
}

/**
 * Spurious lifts within a baseline without rewards. Each is the mean log depth after a pseudo-start
 * minus the mean over equally many days before. If they reach the size of the expected lift, noise
 * alone would pass.
 *
 * @param logDepth of the market as a whole, less its controls
 * @param count evenly spread pseudo-starts
 */
export function pseudoStarts(logDepth: readonly (number | null)[], count = 5): number[] {
  const window = Math.max(7, Math.floor(logDepth.length / (count + 1)))
  return Array.from({ length: count }, (_, place) => {
    const first =
      window + Math.round((place * (logDepth.length - 2 * window)) / Math.max(1, count - 1))
    const start = Math.min(Math.max(first, 1), logDepth.length - 1)
    const after = logDepth.slice(start, start + window)
    const before = logDepth.slice(Math.max(0, start - window), start)
    return meanOfPresent(after) - meanOfPresent(before)
  })
}
