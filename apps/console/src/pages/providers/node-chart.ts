import type { MarketChart } from '../market-charts.ts'
import type { NodeHealth } from './node-texts.ts'

/** Calls per minute of a UTC day by result. Minutes without calls are zero. */
export function callsChart({ minutes, calls }: NodeHealth): MarketChart {
  const total = calls.answered + calls.refused + calls.failed
  const count = (value: number) => value.toLocaleString('en-US')
  const table = {
    columns: [
      { key: 'time', label: 'Time', unit: 'UTC' },
      { key: 'answered', label: 'Answered', unit: '' },
      { key: 'refused', label: 'Refused', unit: '' },
      { key: 'failed', label: 'Failed', unit: '' },
      { key: 'p95', label: '95 % of calls within', unit: 'ms' },
    ],
    rows: withZeros(minutes).map(({ at, calls: all, refused, failed, p95Ms }) => [
      at,
      `${all - refused - failed}`,
      `${refused}`,
      `${failed}`,
      p95Ms === null ? null : `${p95Ms}`,
    ]),
  }
  const series = (['answered', 'refused', 'failed'] as const).map((id) => ({
    id,
    label: { answered: 'Answered', refused: 'Refused', failed: 'Failed' }[id],
    mark: 'area' as const,
    role: id === 'answered' ? ('observed' as const) : ('limit' as const),
    x: 'time',
    y: [id],
    stack: 'calls',
  }))
  return {
    table,
    spec: {
      id: 'node-calls',
      kind: 'xy',
      title: 'Calls per minute',
      summary: `${count(total)} calls, ${count(calls.refused)} refused and ${count(calls.failed)} without a response.`,
      x: { label: 'Time', unit: 'UTC', scale: 'time' },
      y: { label: 'Calls', unit: 'per minute', scale: 'linear' },
      table,
      series,
      empty: 'No calls on this day.',
    },
  }
}

const minuteMilliseconds = 60_000

/** Adds a zero before and after each stretch of minutes, so that areas do not span silent hours. */
function withZeros(minutes: NodeHealth['minutes']): NodeHealth['minutes'] {
  const known = new Set(minutes.map(({ at }) => Date.parse(at)))
  const silent = new Set(
    [...known]
      .flatMap((time) => [time - minuteMilliseconds, time + minuteMilliseconds])
      .filter((time) => !known.has(time)),
  )
  const zeros = [...silent].map((time) => ({
    at: new Date(time).toISOString(),
    calls: 0,
    refused: 0,
    failed: 0,
    p50Ms: null,
    p95Ms: null,
    bytes: 0,
  }))
  return [...minutes, ...zeros].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}
