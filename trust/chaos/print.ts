import type { Report, Settings, Survived } from './run.ts'

/** Violations that are printed; there are none where all is well. */
const shown = 20

const count = (value: number) => Math.round(value).toLocaleString('en')
const duration = (milliseconds: number) =>
  milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`

/** @param share in [0, 1]; the value at or below which that share of them lies */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** The report as a person reads it. */
export function print(report: Report): string {
  const { settings, seconds, history, settled, survived, violations } = report
  const { database } = settings
  const changes = history.acknowledged
  const times = changes.map(({ milliseconds }) => milliseconds)
  const recoveries = survived.map(({ recoveryMilliseconds }) => recoveryMilliseconds)
  const repeated = changes.filter(({ attempts }) => attempts > 1).length
  const failures = [...report.failures].map(([what, times]) => `${what} ${count(times)}`).join(', ')
  const lines = [
    [
      'load',
      `${count(changes.length)} changes acknowledged in ${duration(seconds * 1000)}, ${count(changes.length / seconds)} a second, by ${settings.clients} clients`,
    ],
    [
      '',
      `p50 ${duration(quantile(times, 0.5))}, p99 ${duration(quantile(times, 0.99))}, slowest ${duration(quantile(times, 1))}`,
    ],
    ['', `${count(repeated)} needed more than one attempt (${failures || 'none failed'})`],
    ['faults', `${survived.length} survived: ${countsOf(survived)}`],
    [
      'recovery',
      `p50 ${duration(quantile(recoveries, 0.5))}, slowest ${duration(Math.max(...recoveries))} (${slowestOf(survived)})`,
    ],
    [
      'rest',
      `after the last request: every event delivered in ${duration(report.rest.deliveries * 1000)}, every job ended in ${duration(report.rest.jobs * 1000)}, every leaf signed in ${duration(report.rest.leaves * 1000)}`,
    ],
    [
      'held',
      `${count(settled.records.length)} records are what was acknowledged, ${count(settled.replays.length)} keys give the same bytes`,
    ],
    [
      '',
      `${count(settled.events.length)} events, told ${count(settled.delivered.length)} times; ${count(settled.jobs.length)} jobs ended; ${count(report.reads)} reads at another node`,
    ],
    ['violations', String(violations.length)],
    ...violations.slice(0, shown).map((violation) => ['', violation]),
    ['repeat', repetitionOf(settings)],
  ]
  const body = lines.map(([name = '', text = '']) => `  ${name.padEnd(11)} ${text}`)
  return `chaos on ${database === 'postgres' ? 'PostgreSQL, two nodes and a worker' : 'the embedded database, one node'}\n${body.join('\n')}\n`
}

function countsOf(survived: readonly Survived[]): string {
  const counts = Map.groupBy(survived, ({ name }) => name)
  return [...counts].map(([name, list]) => `${name} ${list.length}`).join(', ')
}

function slowestOf(survived: readonly Survived[]): string {
  return (
    survived.toSorted((a, b) => b.recoveryMilliseconds - a.recoveryMilliseconds)[0]?.name ?? 'none'
  )
}

/** The command that does the same again. */
function repetitionOf({ database, seconds, clients, seed, isPatient, only }: Settings): string {
  const options = [
    `--database ${database} --seconds ${seconds} --clients ${clients} --seed ${seed}`,
  ]
  if (only.length > 0) options.push(`--faults ${only.join(',')}`)
  if (isPatient) options.push('--patient')
  return `npm run chaos -- ${options.join(' ')}`
}
