import type { Report, Settings } from './run.ts'

/** Violations that are printed; the others are counted. */
const maxShown = 20

const figure = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 0 })

/** The first line of a run, printed before anything can fail. */
export const announce = (settings: Settings) =>
  `upgrade, seed ${settings.seed}; repeat: ${repetitionOf(settings)}\n`

/** The report as a person reads it. */
export function print(report: Report): string {
  const { settings, schemas, violations, printed } = report
  const lines = [
    `upgrade: ${figure(report.requests)} requests in ${figure(report.seconds)} s, ${figure(report.changes)} changes`,
    `  before: commit ${settings.before}, schema ${schemas.before ?? 'unknown'}`,
    `  after: commit ${settings.after}, schema ${schemas.after ?? 'not reached'}`,
    '',
    'answers by node, operation and status:',
    ...answerLines(report),
    '',
    `violations: ${violations.length}`,
    ...violations.slice(0, maxShown).map((violation) => `  ${violation}`),
    ...(violations.length > maxShown ? [`  ${violations.length - maxShown} more`] : []),
    ...(violations.length > 0 ? printedLines(printed) : []),
    `seed: ${settings.seed}`,
    `repeat: ${repetitionOf(settings)}`,
  ]
  return `${lines.join('\n')}\n`
}

const repetitionOf = ({ before, seconds, rate, seed }: Settings) =>
  `npm run upgrade -- --before ${before} --seconds ${seconds} --rate ${rate} --seed ${seed}`

function answerLines({ answers }: Report): string[] {
  const sorted = [...answers].toSorted(([a], [b]) => (a < b ? -1 : 1))
  if (sorted.length === 0) return ['  none']
  return sorted.map(([outcome, count]) => `  ${outcome}: ${figure(count)}`)
}

/** The statement or error behind a violation is in the log of the node. */
const printedLines = (printed: Report['printed']) =>
  Object.entries(printed).flatMap(([name, text]) => [
    `end of the output of the ${name} node:`,
    ...(text.trim() || 'nothing').split('\n').map((line) => `  ${line}`),
  ])
