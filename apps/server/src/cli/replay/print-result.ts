import { type Difference, type RecordingResult, statusOf } from './result.ts'

/** The result of one recording for people, a dozen lines at most; ends with a line feed. */
export function printResult(
  result: RecordingResult,
  speed: { events: number; ms: number },
): string {
  const title = [result.name, result.market, result.fee === null ? null : `fee ${result.fee}`]
  const lines = [title.filter((part) => part !== null).join('  ')]
  const width = Math.max(...Object.keys(result.kinds).map((kind) => kind.length), 9)
  const row = (name: string, value: string) => `  ${name.padEnd(width)}  ${value}`
  for (const [kind, { total, exact, refused, different }] of Object.entries(result.kinds)) {
    const checked = total - refused
    const parts = [`${count(exact)} of ${count(checked)} exact`]
    if (refused > 0) parts.push(`${count(refused)} refused`)
    if (different > 0) parts.push(`${count(different)} different`)
    if (kind === 'swaps') parts.push(...describeModes(result.modes))
    lines.push(row(kind, parts.join(', ')))
  }
  const refusals = Object.entries(result.refusals)
  if (refusals.length > 0) {
    lines.push(row('refused', refusals.map(([code, n]) => `${code} ${count(n)}`).join(', ')))
  }
  const { endState, firstDifference } = result
  if (endState !== null) lines.push(row('end state', endState.hash), ...describeEnd(endState, row))
  const perSecond = speed.ms > 0 ? Math.round((speed.events * 1000) / speed.ms) : speed.events
  lines.push(row('speed', `${count(perSecond)} events/s`))
  for (const note of result.notes) lines.push(row('note', note))
  if (firstDifference !== null) {
    lines.push(row('different', placeOf(firstDifference)))
    for (const field of firstDifference.fields) lines.push(row('', describeField(field)))
    const { ambiguousWith: other } = firstDifference
    if (other !== undefined) {
      lines.push(row('ambiguous', `alternative: ${placeOf(other)}`))
      for (const field of other.fields) lines.push(row('', describeField(field)))
    }
  }
  lines.push(row('result', STATUS_NAMES[statusOf(result)]))
  return `${lines.join('\n')}\n`
}

function describeEnd(
  endState: NonNullable<RecordingResult['endState']>,
  row: (name: string, value: string) => string,
): string[] {
  if (endState.reached === null) return []
  if (endState.reached)
    return [row('', `equals the recorded state in ${count(endState.compared)} fields`)]
  const shown = endState.fields.slice(0, 5).map((field) => row('', describeField(field)))
  const rest = endState.fields.length - shown.length
  return [
    row(
      '',
      `differs from the recorded state in ${count(endState.fields.length)} of ${count(endState.compared)} fields`,
    ),
    ...shown,
    ...(rest > 0 ? [row('', `and ${count(rest)} more`)] : []),
  ]
}

function placeOf({ subject, file, line }: Difference): string {
  return `${subject}: ${file}${line === null ? '' : `, line ${line}`}`
}

function describeField(field: { field: string; recorded: string; computed: string }): string {
  return `${field.field}: recorded ${field.recorded}, computed ${field.computed}`
}

const STATUS_NAMES = {
  EXACT: 'exact',
  DIFFERENT: 'DIFFERENT',
  REFUSED: 'no events could be checked',
} as const

const MODE_NAMES: Readonly<Record<string, string>> = {
  EXACT_INPUT: 'exact input',
  EXACT_OUTPUT: 'exact output',
  PRICE_LIMIT: 'stopped by a price limit',
  PRICE_LIMIT_WITH_INPUT: 'stopped by a price limit at the logged input',
  EXACT_IN: 'exact input',
  EXACT_OUT: 'exact output',
}

function describeModes(modes: Readonly<Record<string, number>>): string[] {
  const parts = Object.entries(modes).map(([mode, n]) => `${count(n)} ${MODE_NAMES[mode] ?? mode}`)
  return parts.length === 0 ? [] : [`(${parts.join(', ')})`]
}

function count(n: number): string {
  return n.toLocaleString('en-US')
}
