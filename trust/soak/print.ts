import { quantile } from '../chaos/print.ts'
import type { Report, Settings } from './run.ts'
import { type Slope, slopeOf } from './slope.ts'

/** At first the service warms up: it compiles code and fills caches and pools. */
const warmShare = 1 / 3
const maxTables = 12
/** Violations that are printed; the others are counted. */
const maxShown = 20
/** In a shorter run the service still warms up, and slopes of ±1,500 MB an hour were noise. */
const minSlopeSeconds = 600
const minSlopeSamples = 10
const kilobyte = 1024

const figure = (value: number) =>
  value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) < 100 ? 1 : 0 })
const row = (cells: readonly string[]) =>
  `  ${cells.map((cell, place) => (place === 0 ? cell.padEnd(38) : cell.padStart(13))).join(' ')}`

/** The first line of a run, printed before anything can fail. */
export const announce = (settings: Settings) =>
  `soak, seed ${settings.seed}; repeat: ${repetitionOf(settings)}\n`

/** The report as a person reads it. */
export function print(report: Report): string {
  const { settings, seconds, times, changes, delivered, violations } = report
  const figures = [0.5, 0.99, 1].map((share) => `${figure(quantile(times, share))} ms`)
  const speed =
    times.length > 0 ? `; p50 ${figures[0]}, p99 ${figures[1]}, slowest ${figures[2]}` : ''
  const lines = [
    `soak: ${figure(times.length)} requests in ${figure(seconds / 60)} minutes, ${settings.rate} a second, ${changes.toLocaleString('en')} changes${speed}`,
    `  events delivered to the first organization: ${delivered.toLocaleString('en')}`,
    '',
    'answers:',
    ...statusLines(report),
    '',
    ...slopeLines(report),
    `violations: ${violations.length}`,
    ...violations.slice(0, maxShown).map((violation) => `  ${violation}`),
    ...(violations.length > maxShown ? [`  ${violations.length - maxShown} more`] : []),
    `seed: ${settings.seed}`,
    `repeat: ${repetitionOf(settings)}`,
  ]
  return `${lines.join('\n')}\n`
}

const repetitionOf = ({ minutes, rate, seed, sampleSeconds }: Settings) =>
  `npm run soak -- --minutes ${minutes} --rate ${rate} --seed ${seed} --sample ${sampleSeconds}`

/** Every answer by operation and status. */
function statusLines({ statuses }: Report): string[] {
  const sorted = [...statuses].toSorted(([a], [b]) => (a < b ? -1 : 1))
  if (sorted.length === 0) return ['  none']
  return sorted.map(([outcome, count]) => `  ${outcome}: ${count.toLocaleString('en')}`)
}

/** The slopes, or why the run has none that say anything. */
function slopeLines(report: Report): string[] {
  const { samples, seconds } = report
  const warm = samples.filter((sample) => sample.seconds >= seconds * warmShare)
  if (seconds < minSlopeSeconds || warm.length < minSlopeSamples) {
    return [
      `slopes: none. ${figure(seconds / 60)} minutes with ${warm.length} measurements after the first third say nothing about growth; run ${minSlopeSeconds / 60} minutes or more.`,
    ]
  }
  const series = seriesOf(report)
  const growing = series.filter(({ slope }) => slope.isGrowth).map(({ name }) => name)
  return [
    'after the first third of the time:',
    row(['', 'mean', 'per hour', '±']),
    ...series.map(
      ({ name, slope: { mean, perHour, uncertainty, isGrowth } }) =>
        `${row([name, figure(mean), figure(perHour), figure(uncertainty)])}${isGrowth ? '  grows' : ''}`,
    ),
    '',
    'tables, with their indexes:',
    row(['', 'kB at the end', 'kB per hour', 'bytes a change']),
    ...tablesOf(report)
      .slice(0, maxTables)
      .map(({ name, last, perHour, perChange }) =>
        row([name, figure(last / kilobyte), figure(perHour / kilobyte), figure(perChange)]),
      ),
    '',
    `grows: ${growing.join('; ') || 'only tables'}`,
  ]
}

/** How each of the watched values changed once the service was warm. */
function seriesOf({ samples, seconds }: Report): { name: string; slope: Slope }[] {
  const warm = samples.filter((sample) => sample.seconds >= seconds * warmShare)
  const names = [...(samples[0]?.values.keys() ?? [])]
  return names.map((name) => ({
    name,
    slope: slopeOf(
      warm.map(({ seconds, values }) => ({ seconds, value: values.get(name) ?? Number.NaN })),
    ),
  }))
}

/** What tables took, those first that grew most. */
function tablesOf({ samples, seconds, changes }: Report) {
  const [first, last] = [samples[0]?.tables, samples.at(-1)?.tables]
  return [...(last ?? [])]
    .map(([name, bytes]) => {
      const grown = bytes - (first?.get(name) ?? 0)
      const perHour = (grown / seconds) * 3_600
      return { name, last: bytes, perHour, perChange: grown / changes }
    })
    .filter(({ perHour }) => perHour > 0)
    .toSorted((a, b) => b.perHour - a.perHour)
}
