import { detectors } from '../src/detection/detectors.ts'
import { type FeatureSample, robustMad } from '../src/detection/robust-mad.ts'
import { exp } from '../src/numerics/exp.ts'
import { type DrawStream, pathStream } from '../src/random/streams.ts'

/** False alarms on quiet markets and incidents that were not found. */
export interface DetectorQuality {
  venueMonths: number
  evaluations: number
  falseWarnings: number
  incidents: number
  missedIncidents: number
}

const hour = 3600
const month = 30 * 24
const week = 7 * 24

/**
 * Synthetic venue-months of hourly depth, a stationary AR(1) in the logarithm with a half-life of six and a
 * half hours and a standard deviation of 11 %: every hour is judged against the week before. One incident
 * per venue, nine tenths of the depth gone, must be found within three cadences.
 */
export function measureDetector(terms: { venues: number; firstVenue: number }): DetectorQuality {
  const quality = {
    venueMonths: 0,
    evaluations: 0,
    falseWarnings: 0,
    incidents: 0,
    missedIncidents: 0,
  }
  for (let venue = terms.firstVenue; venue < terms.firstVenue + terms.venues; venue++) {
    const source = pathStream(new Uint8Array(32), venue, 'bootstrap', false)
    const samples = quietDepth(source, week + month)
    for (let i = week; i < samples.length; i++) {
      const severity = judge(samples, i)
      if (severity === 'WARNING' || severity === 'CRITICAL') quality.falseWarnings += 1
      quality.evaluations += 1
    }
    const at = week + (venue % (month - 8))
    const struck = samples.map((s, i) => (i < at ? s : { ...s, value: s.value / 10n }))
    const isFound = [0, 1, 2].some((later) => judge(struck, at + later) !== null)
    quality.incidents += 1
    quality.missedIncidents += isFound ? 0 : 1
    quality.venueMonths += 1
  }
  return quality
}

function quietDepth(source: DrawStream, count: number): FeatureSample[] {
  let level = 0
  return Array.from({ length: count }, (_, i) => {
    level = 0.9 * level + 0.05 * source.normal()
    return { at: i * hour, value: BigInt(Math.round(1e9 * exp(level))) }
  })
}

function judge(samples: readonly FeatureSample[], index: number) {
  const known = samples.slice(Math.max(0, index - week), index + 1)
  const series = { cadenceSeconds: hour, samples: known }
  const spec = detectors.LIQUIDITY_DISAPPEARANCE
  // The slice ends with the sample judged.
  return robustMad(series, { spec, at: known.at(-1)!.at }).severity
}
