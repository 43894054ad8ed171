import type { Finding } from './findings.ts'
import type { Report, Settings } from './run.ts'

/** Findings and broken links that are printed; the others are counted. */
const maxShown = 30
const maxRequestQuoted = 1_000
const count = (value: number) => value.toLocaleString('en')

/** The first line of a run, printed before anything can fail. */
export const announce = (settings: Settings) =>
  `fuzz, seed ${settings.seed}; repeat: ${repetitionOf(settings)}\n`

/** The report as a person reads it. */
export function print(report: Report): string {
  const { settings, statuses, slowest, findings, leftOut, errors } = report
  const wrong = findings.reduce((sum, { times }) => sum + times, 0)
  const lines = [
    ...requestLines(report),
    ['statuses', statusesOf(statuses) || 'none'],
    ['slowest', `${slowest.operation}, ${Math.round(slowest.milliseconds)} ms`],
    ...historyLines(report),
    ['findings', `${findings.length} kinds, ${count(wrong)} requests`],
    ...listed(findings.map(lineOf)),
    ...(leftOut.length > 0 ? [['left out', `${leftOut.join(', ')}: no answer`]] : []),
    ['errors', String(errors.length)],
    ...listed(errors),
    ['seed', String(settings.seed)],
    ['repeat', repetitionOf(settings)],
  ]
  const body = lines.map(([name = '', text = '']) => `  ${name.padEnd(11)} ${text}`)
  return `fuzz of ${statuses.size} operations\n${body.join('\n')}\n`
}

function requestLines({ prepared, sent, replays, seconds, statuses }: Report): string[][] {
  const rate = seconds > 0 ? Math.round((prepared + sent) / seconds) : 0
  const succeeded = [...statuses.values()].filter((counts) =>
    [...counts.keys()].some((status) => status < 300),
  )
  return [
    [
      'requests',
      `${count(sent - replays)} drawn and ${count(replays)} repeated under their keys, after ${count(prepared)} to prepare; ${rate} per second`,
    ],
    ['operations', `${statuses.size} answered, ${succeeded.length} with success at least once`],
  ]
}

function historyLines({ history }: Report): string[][] {
  if (history === null) return [['history', 'not verified']]
  const { records, events, faults } = history
  return [
    [
      'history',
      `${count(records)} record versions and ${count(events)} events, ${faults.length} broken links`,
    ],
    ...listed(faults.map((fault) => JSON.stringify(fault))),
  ]
}

function listed(texts: readonly string[]): string[][] {
  const more = texts.length > maxShown ? [`${texts.length - maxShown} more`] : []
  return [...texts.slice(0, maxShown), ...more].map((text) => ['', text])
}

function lineOf({ operation, kind, times, example }: Finding): string {
  const { number, request, answer, detail } = example
  const at = number === null ? 'while preparing' : `request ${number}`
  const parts = [
    `${operation}: ${kind}, ${count(times)} times`,
    ...(detail ? [detail] : []),
    `example: ${at} ${JSON.stringify(request).slice(0, maxRequestQuoted)}`,
    ...(answer ? [`answer: ${answer}`] : []),
  ]
  return parts.join('; ')
}

function statusesOf(statuses: Report['statuses']): string {
  const sums = new Map<number, number>()
  for (const counts of statuses.values()) {
    for (const [status, times] of counts) sums.set(status, (sums.get(status) ?? 0) + times)
  }
  const sorted = [...sums].sort(([a], [b]) => a - b)
  return sorted.map(([status, times]) => `${status} ${count(times)}`).join(', ')
}

/** The command that repeats the run. */
function repetitionOf({ requests, seed, scenes, only }: Settings): string {
  const options = [`--requests ${requests} --scenes ${scenes} --seed ${seed}`]
  if (only.length > 0) options.push(`--operations ${only.join(',')}`)
  return `npm run fuzz -- ${options.join(' ')}`
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
