import { quantile } from '../chaos/print.ts'
import type { Report } from './run.ts'
import { type Slope, slopeOf } from './slope.ts'

/** What is measured at first is a service that warms up: code is compiled, caches and pools are filled. */
const warmShare = 1 / 3
const shownTables = 12
const kilobyte = 1024

const figure = (value: number) =>
  value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) < 100 ? 1 : 0 })
const row = (cells: readonly string[]) =>
  `  ${cells.map((cell, place) => (place === 0 ? cell.padEnd(38) : cell.padStart(13))).join(' ')}`

/** The report as a person reads it. */
export function print(report: Report): string {
  const { settings, seconds, statuses, times, changes, delivered } = report
  const { minutes, rate, seed, sampleSeconds } = settings
  const series = seriesOf(report)
  const growing = series.filter(({ slope }) => slope.isGrowth).map(({ name }) => name)
  const failed = [...statuses].filter(([told]) => !/ 2\d\d$/.test(told))
  return `soak: ${figure(times.length)} requests in ${figure(seconds / 60)} minutes, ${rate} a second, of ${changes.toLocaleString('en')} changes; p50 ${figure(quantile(times, 0.5))} ms, p99 ${figure(quantile(times, 0.99))} ms, slowest ${figure(quantile(times, 1))} ms
  not answered with success: ${failed.map(([told, count]) => `${told}: ${count}`).join(', ') || 'none'}; events that the first organization was told: ${delivered.toLocaleString('en')}

after the first third of the time:
${row(['', 'mean', 'per hour', '±'])}
${series.map(({ name, slope: { mean, perHour, uncertainty, isGrowth } }) => `${row([name, figure(mean), figure(perHour), figure(uncertainty)])}${isGrowth ? '  grows' : ''}`).join('\n')}

tables, with their indexes:
${row(['', 'kB at last', 'kB per hour', 'bytes a change'])}
${tablesOf(report)
  .slice(0, shownTables)
  .map(({ name, last, perHour, perChange }) =>
    row([name, figure(last / kilobyte), figure(perHour / kilobyte), figure(perChange)]),
  )
  .join('\n')}

grows: ${growing.join('; ') || 'nothing but tables'}
repeat: npm run soak -- --minutes ${minutes} --rate ${rate} --seed ${seed} --sample ${sampleSeconds}
`
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
