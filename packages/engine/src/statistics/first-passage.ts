import { toPips } from '../numerics/half-even.ts'
import type { Pairing } from './pairs.ts'
import { trialsOfPaths, wilsonOfPaths } from './wilson.ts'

/** Share of paths with the event before a time. */
export interface PassagePoint {
  readonly seconds: number
  readonly sharePips: number
  readonly lowPips: number
  readonly highPips: number
}

/** How often something happened, and how soon. */
export interface FirstPassage {
  readonly paths: number
  readonly hits: number
  readonly probabilityPips: number
  readonly ci95Pips: readonly [low: number, high: number]
  /** Median over the paths with the event, in seconds. */
  readonly medianSeconds: number | null
  readonly curve: readonly PassagePoint[]
}

/**
 * Probability and time of a first event over simulated paths of one length. Every path runs to its
 * end, so no path is censored before the horizon.
 *
 * Every point of the curve uses the effective number of independent paths at the end, its best
 * estimate. An estimate per point would rise with the first hit, and the upper bound of a growing
 * share would fall.
 *
 * @param seconds first time per path, in path order; null without the event
 * @param horizonSeconds length of a path
 * @param points points of the curve, default 50
 */
export function firstPassage(
  seconds: readonly (number | null)[],
  horizonSeconds: number,
  pairing: Pairing,
  points = 50,
): FirstPassage {
  const times = seconds.filter((time) => time !== null).sort((a, b) => a - b)
  const hitsBy = (end: number) => seconds.map((time) => time !== null && time <= end)
  const trials = trialsOfPaths(hitsBy(Infinity), pairing)
  const shareBy = (end: number) => wilsonOfPaths(hitsBy(end), pairing, trials)
  const total = shareBy(Infinity)
  const curve = Array.from({ length: points }, (_, i) => {
    const at = Math.round((horizonSeconds * (i + 1)) / points)
    const { share, low, high } = shareBy(at)
    return { seconds: at, sharePips: toPips(share), lowPips: toPips(low), highPips: toPips(high) }
  })
  return {
    paths: seconds.length,
    hits: times.length,
    probabilityPips: toPips(total.share),
    ci95Pips: [toPips(total.low), toPips(total.high)],
    medianSeconds: times[(times.length - 1) >> 1] ?? null,
    curve,
  }
}
