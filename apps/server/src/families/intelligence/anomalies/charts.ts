import {
  type ChartCells,
  type ChartGap,
  type ChartSeries,
  type ChartSpec,
  columnsOf,
  decimalOf,
  named,
  printValue,
} from '@liquidity-os/drawing'
import type { AnomalyPayload } from './subject.ts'

/** The charts of an anomaly that is not withheld. */
export const anomalyCharts = (anomaly: AnomalyPayload): ChartSpec[] =>
  anomaly.kind === 'SIMULATED_REALIZED_DIVERGENCE'
    ? [timelineChart(anomaly), divergenceChart(anomaly)]
    : [timelineChart(anomaly)]

type Unit = NonNullable<AnomalyPayload['feature']>['unit']

/** Whole quote tokens, or %. */
const amountOf = (value: string | bigint, unit: Unit, { subject: { pair } }: AnomalyPayload) =>
  decimalOf(value, unit === 'PIPS' ? 4 : pair.quoteDecimals)
const unitOf = (unit: Unit) => (unit === 'PIPS' ? '%' : 'quote tokens')

/** A contract code as words: `ONE_SIDED_FLOW` becomes "One sided flow". */
const wordsOf = (code: string) =>
  code
    .toLowerCase()
    .replaceAll('_', ' ')
    .replace(/^./, (letter) => letter.toUpperCase())

/** Glossary terms of the compared figures. */
const metricTitles: Readonly<Record<string, string>> = {
  NET_VS_HOLD: 'P&L vs initial capital',
  FEES: 'LP fees',
  DEPTH_2_PERCENT: '2 % depth',
}

/** The newest samples over time with the band of the baseline, and the flagged and critical ones. */
function timelineChart(anomaly: AnomalyPayload): ChartSpec {
  const { course, feature, kind, openedAt } = anomaly
  const unit = feature?.unit ?? 'QUOTE_ATOMS'
  const [first] = course
  const gaps = gapsOf(anomaly)
  const band = bandOf(anomaly)
  const samples = course.map(({ at, value, isFlagged }) => [
    ...[at, amountOf(value, unit, anomaly), stateOf(anomaly, at, isFlagged), ...band],
  ])
  const missing = gaps.map(({ from }) => [from, null, 'No sample', ...band])
  return {
    id: 'anomaly-timeline',
    kind: 'xy',
    title: `${wordsOf(kind)} over time`,
    summary: summaryOf(anomaly),
    x: { label: 'Time', unit: 'UTC', scale: 'time' },
    y: { label: 'Value', unit: unitOf(unit), scale: 'linear' },
    table: {
      columns: timelineColumns(unitOf(unit)),
      rows: [...samples, ...missing].toSorted(([a], [b]) => Date.parse(a!) - Date.parse(b!)),
    },
    series: band[0] === null ? sampleSeries : [...bandSeries, ...sampleSeries],
    markers:
      openedAt === null || first === undefined || openedAt < first.at
        ? []
        : [{ at: openedAt, label: 'Opened', tone: 'neutral' }],
    gaps,
    empty: 'No stored samples for this anomaly.',
  }
}

const samples = { role: 'observed', x: 'at', y: ['value'] } as const
const sampleSeries: readonly ChartSeries[] = [
  { ...samples, id: 'samples', label: 'Samples', mark: 'line' },
  { ...samples, id: 'flagged', label: 'Flagged', mark: 'point', where: { state: 'Flagged' } },
  { ...samples, id: 'critical', label: 'Critical', mark: 'point', where: { state: 'Critical' } },
]
const baseline = { role: 'estimate', x: 'at' } as const
const bandSeries: readonly ChartSeries[] = [
  {
    ...baseline,
    id: 'band',
    label: 'Baseline, robust z-score 3.5',
    mark: 'band',
    y: ['low', 'high'],
  },
  { ...baseline, id: 'median', label: 'Baseline median', mark: 'line', y: ['median'] },
]

const timelineColumns = (unit: string) =>
  columnsOf({
    at: ['Time', 'UTC'],
    value: ['Value', unit],
    state: 'State',
    low: ['Baseline, low', unit],
    median: ['Baseline, median', unit],
    high: ['Baseline, high', unit],
  })

function summaryOf({ course, explanation, outcome, reasons }: AnomalyPayload): string {
  if (outcome === null) return `Result withheld: ${reasons.join(', ')}.`
  const flagged = course.filter(({ isFlagged }) => isFlagged).length
  return `${course.length} samples, ${flagged} flagged. ${explanation}`
}

function stateOf({ criticalAt }: AnomalyPayload, at: string, isFlagged: boolean): string | null {
  if (!isFlagged) return null
  return criticalAt.some(({ from, to }) => at >= from && at <= to) ? 'Critical' : 'Flagged'
}

/** Samples beyond this robust z-score, in thousandths, are unusual. */
const cutMilli = 3500n

/**
 * Low end, median and high end of the baseline. A divergence has none, because it is compared with
 * paths at one moment.
 */
function bandOf(anomaly: AnomalyPayload): ChartCells {
  const { feature, kind } = anomaly
  if (!feature || kind === 'SIMULATED_REALIZED_DIVERGENCE') return [null, null, null]
  const median = BigInt(feature.median)
  const cut = (BigInt(feature.scale4) * cutMilli) / 10_000_000n
  return [median - cut, median, median + cut].map((value) => amountOf(value, feature.unit, anomaly))
}

/** Stretches of more than one and a half intervals between two samples. */
function gapsOf({ course, cadenceSeconds }: AnomalyPayload): ChartGap[] {
  const steps = course.slice(1).map(({ at }, index) => ({
    from: course[index]!.at,
    to: at,
    length: Date.parse(at) - Date.parse(course[index]!.at),
  }))
  const usual = Math.min(Infinity, ...steps.map(({ length }) => length))
  const max = Math.max(cadenceSeconds * 1000, usual) * 1.5
  return steps.flatMap(({ from, to, length }) => {
    if (length <= max) return []
    const begin = new Date(Date.parse(from) + 1000).toISOString()
    return [{ from: begin, to, reason: 'no samples' }]
  })
}

/** Each realized figure of the arm and the middle 95 % of its paths; each figure has its own axis. */
function divergenceChart(anomaly: AnomalyPayload): ChartSpec {
  const metrics = [...new Set(anomaly.contributors.map(({ kind }) => kind))]
  const rows = metrics.flatMap((metric) => divergenceRow(metric, anomaly) ?? [])
  return {
    id: 'anomaly-divergence',
    kind: 'intervals',
    title: 'Realized results vs simulated paths',
    summary: anomaly.explanation,
    x: named,
    panels: rows.map(([metric, unit]) => ({
      id: metric!,
      title: metricTitles[metric!] ?? wordsOf(metric!),
      y: { label: '', unit: unit!, scale: 'linear', zero: false },
    })),
    table: { columns: divergenceColumns, rows },
    series: rows.flatMap(([metric]) => divergenceSeries(metric!)),
    note: 'note',
    notes: ['Outside: beyond the middle 95 % of paths in both flow models.'],
    empty: 'No comparison.',
  }
}

function divergenceSeries(panel: string): ChartSeries[] {
  const about = { x: 'outcome', where: { metric: panel }, panel } as const
  const paths = { ...about, mark: 'interval', role: 'estimate' } as const
  const realized = { ...about, mark: 'point', role: 'observed' } as const
  return [
    {
      ...paths,
      id: `${panel} paths`,
      label: 'Middle 95 % of paths, with median',
      y: ['low', 'median', 'high'],
    },
    { ...realized, id: `${panel} lower`, label: 'Realized, lower', y: ['lower'] },
    { ...realized, id: `${panel} upper`, label: 'Realized, higher', y: ['upper'] },
  ]
}

const divergenceColumns = columnsOf({
  metric: 'Figure',
  unit: 'Unit',
  low: 'Paths, p2.5',
  median: 'Paths, median',
  high: 'Paths, p97.5',
  lower: 'Realized, lower',
  upper: 'Realized, higher',
  outcome: 'Realized vs paths',
  note: 'Score',
})

/** Null without simulated paths. */
function divergenceRow(metric: string, anomaly: AnomalyPayload): ChartCells[] | null {
  const own = anomaly.contributors.filter(({ kind }) => kind === metric)
  const unit: Unit = metric === 'BASE_SHARE' ? 'PIPS' : 'QUOTE_ATOMS'
  const find = (wanted: string) => own.find(({ ref }) => ref === wanted)?.amount
  const [low, median, high] = ['p02.5', 'p50', 'p97.5'].map((p) => find(`SIMULATED ${p}`))
  if (low === undefined || median === undefined || high === undefined) return null
  const realized = own
    .filter(({ ref }) => ref.startsWith('REALIZED'))
    .map(({ amount }) => BigInt(amount))
    .toSorted((a, b) => (a < b ? -1 : 1))
  const isOut = realized.every((value) => value < BigInt(low) || value > BigInt(high))
  const [lower, upper = lower] = realized
  const values = [low, median, high, lower, upper].map((value) =>
    value === undefined ? null : amountOf(value, unit, anomaly),
  )
  const score = printValue(Number(find('Z_MILLI') ?? 0) / 1000)
  return [[metric, unitOf(unit), ...values, isOut ? 'Outside' : 'Inside', `score ${score}`]]
}
