import { quantile } from '../chaos/print.ts'
import type { Report, Survived } from './run.ts'

/** Violations that are printed; there are none where all is well. */
const shown = 20

const count = (value: number) => Math.round(value).toLocaleString('en')
const duration = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`
const known = (list: readonly unknown[] | null) => (list === null ? 'unknown' : count(list.length))

/** The report as a person reads it. */
export function print(report: Report): string {
  const { settings, seconds, history, settled, survived, rest, violations } = report
  const times = history.acknowledged.map(({ milliseconds }) => milliseconds)
  const repeated = history.acknowledged.filter(({ attempts }) => attempts > 1).length
  const failures = [...report.failures].map(([what, times]) => `${what} ${count(times)}`).join(', ')
  const lines = [
    `${count(times.length)} changes acknowledged in ${duration(seconds * 1000)} by ${settings.clients} clients; p50 ${count(quantile(times, 0.5))} ms, p99 ${count(quantile(times, 0.99))} ms`,
    `${count(repeated)} needed more than one attempt (${failures || 'none failed'}); psql was acknowledged ${count(report.peerWritten)}`,
    `after the last request every event was delivered in ${duration(rest.deliveries * 1000)}, every job ended in ${duration(rest.jobs * 1000)}, every leaf signed in ${duration(rest.leaves * 1000)}`,
    `${known(settled.records)} venues, ${count(settled.replays.length)} keys sent again, ${known(settled.events)} events, ${known(settled.jobs)} jobs, ${count(report.reads)} reads at another node`,
    `violations ${violations.length}`,
    ...violations.slice(0, shown),
  ]
  return `each fault for ${settings.seconds} s; longest time without an acknowledged change until all was whole again

${table(survived)}

${lines.join('\n')}
repeat: npm run ha -- --seconds ${settings.seconds} --clients ${settings.clients} --seed ${settings.seed} --faults ${survived.map(({ name }) => name).join(',')}
`
}

function table(survived: readonly Survived[]): string {
  const rows = [
    ['fault', 'service', 'psql', 'nodes back', 'whole after', 'primary'],
    ...survived.map(({ name, silence, peerSilence, nodes, whole, primaries: [before, after] }) => [
      ...[name, duration(silence), duration(peerSilence), duration(nodes), duration(whole)],
      before === after ? 'stays' : `${before} → ${after}`,
    ]),
  ]
  return rows.map((row) => `  ${row.map((cell) => cell.padEnd(15)).join(' ')}`.trimEnd()).join('\n')
}
