import type { Finding, Report } from './run.ts'

/** Findings that are printed; there are none where all is well. */
const shown = 30
const count = (value: number) => value.toLocaleString('en')

/** The report as a person reads it. */
export function print({
  settings,
  seconds,
  statuses,
  slowest,
  replays,
  findings,
  history,
}: Report): string {
  const requests = [...statuses.values()].flatMap((counts) => [...counts.values()])
  const total = requests.reduce((sum, one) => sum + one, 0)
  const succeeded = [...statuses.values()].filter((counts) =>
    [...counts.keys()].some((one) => one < 300),
  )
  const lines = [
    [
      'requests',
      `${count(total)} drawn and ${count(replays)} repeated under their keys, ${Math.round(total / seconds)} a second, seed ${settings.seed}`,
    ],
    [
      'operations',
      `${statuses.size} asked, ${succeeded.length} of them answered with success at least once`,
    ],
    ['statuses', statusesOf(statuses)],
    ['slowest', `${slowest.operation}, ${Math.round(slowest.milliseconds)} ms`],
    [
      'history',
      `${count(history.records)} record versions and ${count(history.events)} events, ${history.faults.length} broken links`,
    ],
    ...history.faults.slice(0, shown).map((fault) => ['', JSON.stringify(fault)]),
    ['findings', String(findings.length)],
    ...findings.slice(0, shown).flatMap(linesOf),
  ]
  const body = lines.map(([name = '', text = '']) => `  ${name.padEnd(11)} ${text}`)
  return `fuzz of ${statuses.size} operations\n${body.join('\n')}\n`
}

function linesOf({ number, operation, faults, request }: Finding): string[][] {
  return [
    ['', `${number}: ${operation}: ${faults.join('; ')}`],
    ['', `  ${JSON.stringify(request).slice(0, 2000)}`],
  ]
}

function statusesOf(statuses: Report['statuses']): string {
  const sums = new Map<number, number>()
  for (const counts of statuses.values()) {
    for (const [status, times] of counts) sums.set(status, (sums.get(status) ?? 0) + times)
  }
  const sorted = [...sums].sort(([a], [b]) => a - b)
  return sorted.map(([status, times]) => `${status} ${count(times)}`).join(', ')
}

/** Operations × statuses, a line each. */
export function printTable(statuses: Report['statuses']): string {
  const lines = [...statuses]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([operation, counts]) => {
      const cells = [...counts]
        .sort(([a], [b]) => a - b)
        .map(([status, times]) => `${status} × ${times}`)
      return `  ${operation.padEnd(44)} ${cells.join('  ')}`
    })
  return `${lines.join('\n')}\n`
}
