import type { Report, Settings, Survived } from './run.ts'

/** Violations that are printed; the others are counted. */
const maxShown = 20

const count = (value: number) => Math.round(value).toLocaleString('en')
const duration = (milliseconds: number) =>
  milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`
/** A time in seconds that is not a number if its event never came. */
const restOf = (seconds: number) => (Number.isNaN(seconds) ? 'never' : duration(seconds * 1000))
const known = (list: readonly unknown[] | null) => (list === null ? 'unknown' : count(list.length))

/** @param share in [0, 1]; the value at or below which that share of them lies */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** Counts as text: `load 503: 12, load no answer: 3`. */
export const countsText = (counts: ReadonlyMap<string, number>) =>
  [...counts].map(([name, times]) => `${name}: ${count(times)}`).join(', ')

/** The first line of a run, printed before anything can fail. */
export const announce = (settings: Settings) =>
  `chaos, seed ${settings.seed}, ${settings.database}; repeat: ${repetitionOf(settings)}\n`

/** The report as a person reads it. */
export function print(report: Report): string {
  const { settings, survived, violations } = report
  const lines = [
    ...loadLines(report),
    ['faults', `${survived.length} recovered: ${countsOf(survived)}`],
    ...recoveryLines(survived),
    ['answers', countsText(report.answers) || 'none'],
    ...checkLines(report),
    ['violations', count(violations.length)],
    ...violations.slice(0, maxShown).map((violation) => ['', violation]),
    ...(violations.length > maxShown ? [['', `${violations.length - maxShown} more`]] : []),
    ['seed', String(settings.seed)],
    ['repeat', repetitionOf(settings)],
  ]
  const body = lines.map(([name = '', text = '']) => `  ${name.padEnd(11)} ${text}`)
  const place =
    settings.database === 'postgres'
      ? 'PostgreSQL, two nodes and a worker'
      : 'the embedded database, one node'
  return `chaos on ${place}\n${body.join('\n')}\n`
}

function loadLines({ settings, seconds, history, failures }: Report): string[][] {
  const changes = history.acknowledged
  const rate = seconds > 0 ? changes.length / seconds : 0
  const repeated = changes.filter(({ attempts }) => attempts > 1).length
  const lines = [
    [
      'load',
      `${count(changes.length)} changes acknowledged in ${duration(seconds * 1000)}, ${count(rate)} per second, by ${settings.clients} clients`,
    ],
    [
      '',
      `${count(repeated)} needed more than one attempt (${countsText(failures) || 'none failed'})`,
    ],
  ]
  if (changes.length === 0) return lines
  const times = changes.map(({ milliseconds }) => milliseconds)
  return [
    ...lines,
    [
      '',
      `p50 ${duration(quantile(times, 0.5))}, p99 ${duration(quantile(times, 0.99))}, slowest ${duration(quantile(times, 1))}`,
    ],
  ]
}

function recoveryLines(survived: readonly Survived[]): string[][] {
  const [slowest] = survived.toSorted((a, b) => b.recoveryMilliseconds - a.recoveryMilliseconds)
  if (!slowest) return []
  const times = survived.map(({ recoveryMilliseconds }) => recoveryMilliseconds)
  const text = `p50 ${duration(quantile(times, 0.5))}, slowest ${duration(slowest.recoveryMilliseconds)} (${slowest.name})`
  return [['recovery', text]]
}

function checkLines({ checked, reads }: Report): string[][] {
  if (!checked) return [['checks', 'not complete']]
  const { seconds, settled } = checked
  return [
    [
      'rest',
      `after the last request: all events delivered in ${restOf(seconds.deliveries)}, all jobs ended in ${restOf(seconds.jobs)}, all leaves signed in ${restOf(seconds.leaves)}`,
    ],
    [
      'checked',
      `${known(settled.records)} venues, ${known(settled.studies)} studies, ${count(settled.replays.length)} keys sent again`,
    ],
    [
      '',
      `${known(settled.events)} events, ${count(settled.delivered.length)} deliveries; ${known(settled.jobs)} jobs; ${count(reads)} reads at another node`,
    ],
  ]
}

function countsOf(survived: readonly Survived[]): string {
  const counts = Map.groupBy(survived, ({ name }) => name)
  return [...counts].map(([name, list]) => `${name} ${list.length}`).join(', ') || 'none'
}

/** The command that repeats the run. */
function repetitionOf({ database, seconds, clients, seed, isPatient, only }: Settings): string {
  const options = [
    `--database ${database} --seconds ${seconds} --clients ${clients} --seed ${seed}`,
  ]
  if (only.length > 0) options.push(`--faults ${only.join(',')}`)
  if (isPatient) options.push('--patient')
  return `npm run chaos -- ${options.join(' ')}`
}
