import { toPips } from '../numerics/half-even.ts'
import type { Pairing } from './pairs.ts'
import { trialsOfPaths, wilsonOfPaths } from './wilson.ts'

/** Share of the paths in which something has happened by a time. */
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
  /** Among the paths in which it happened. */
  readonly medianSeconds: number | null
  readonly curve: readonly PassagePoint[]
}

/**
 * Probability and time of a first event over simulated paths of one length. Every path is seen to its end,
 * so nothing is censored before the horizon.
 *
 * Every point of the curve takes the paths for as many independent ones as the end of it does, where there is
 * most to tell that from. Told point by point the number would rise with the first hit, and the upper bound of
 * a share that only grows would fall.
 *
 * @param seconds        first time per path, in path order; null where it never happened
 * @param horizonSeconds length of a path
 * @param points         places of the curve, default 50
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
