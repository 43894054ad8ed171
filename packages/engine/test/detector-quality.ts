import { detectors, type Severity } from '../src/detection/detectors.ts'
import { type FeatureSample, robustMad } from '../src/detection/robust-mad.ts'
import { exp } from '../src/numerics/exp.ts'
import { type DrawStream, pathStream } from '../src/random/streams.ts'

export const severities = ['INFO', 'WARNING', 'CRITICAL'] as const

/** Number of detections at or above each severity. */
export type SeverityCounts = Record<Severity, number>

export const makeCounts = (): SeverityCounts => ({ INFO: 0, WARNING: 0, CRITICAL: 0 })

/** Counts a verdict under its own severity and the milder ones. */
export function countSeverity(counts: SeverityCounts, severity: Severity | null): void {
  if (severity === null) return
  for (const one of severities.slice(0, severities.indexOf(severity) + 1)) counts[one] += 1
}

/** False alarms on quiet markets, and which incidents were found, by how much of the depth was gone. */
export interface DetectorQuality {
  venueMonths: number
  evaluations: number
  false: SeverityCounts
  incidents: { gonePips: number; incidents: number; found: SeverityCounts }[]
}

const hour = 3600
const month = 30 * 24
const week = 7 * 24
/** Withdrawn shares of the depth; each size is one incident per venue-month. */
const gone = [200_000, 300_000, 400_000, 500_000, 600_000, 700_000, 800_000, 900_000]

/**
 * Synthetic venue-months of hourly depth. The logarithm is a stationary AR(1) with a half-life of
 * six and a half hours and a standard deviation of 11 %. Every hour is evaluated against the week
 * before. An incident must be found within three cadences.
 */
export function measureDetector(terms: { venues: number; firstVenue: number }): DetectorQuality {
  const quality: DetectorQuality = {
    venueMonths: 0,
    evaluations: 0,
    false: makeCounts(),
    incidents: gone.map((gonePips) => ({ gonePips, incidents: 0, found: makeCounts() })),
  }
  for (let venue = terms.firstVenue; venue < terms.firstVenue + terms.venues; venue++) {
    const source = pathStream(new Uint8Array(32), venue, 'bootstrap', false)
    const samples = quietDepth(source, week + month)
    for (let i = week; i < samples.length; i++) {
      countSeverity(quality.false, judge(samples, i))
      quality.evaluations += 1
    }
    const at = week + (venue % (month - 8))
    for (const incident of quality.incidents) {
      const left = BigInt(1_000_000 - incident.gonePips)
      const struck = samples.map((s, i) =>
        i < at ? s : { ...s, value: (s.value * left) / 1_000_000n },
      )
      const verdicts = [0, 1, 2].map((later) => judge(struck, at + later))
      countSeverity(incident.found, severities.findLast((one) => verdicts.includes(one)) ?? null)
      incident.incidents += 1
    }
    quality.venueMonths += 1
  }
  return quality
}

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`

/** Hit rate by incident size, and false alarms, as a table for the methodology page. */
export function qualityTable({ evaluations, false: wrong, incidents }: DetectorQuality): string {
  const rate = (count: number) => `${count} of ${evaluations.toLocaleString('en')}`
  return [
    '| depth gone | INFO or worse | WARNING or worse | CRITICAL |',
    '| --- | --- | --- | --- |',
    `| none: false alarms | ${severities.map((one) => rate(wrong[one])).join(' | ')} |`,
    ...incidents.map(
      ({ gonePips, incidents: count, found }) =>
        `| ${gonePips / 10_000} % | ${severities.map((one) => percent(found[one], count)).join(' | ')} |`,
    ),
  ].join('\n')
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
  // The slice ends with the evaluated sample.
  return robustMad(series, { spec, at: known.at(-1)!.at }).severity
}
