import {
  type ChartCells,
  type ChartClass,
  type ChartSeries,
  type ChartSpec,
  columnsOf,
  decimalOf,
  named,
  printValue,
} from '@liquidity-os/drawing'
import { coverageOf } from '@liquidity-os/engine/mandates'
import type { DrawnMandate } from './drawn-mandate.ts'
import type { Evaluation } from './evaluate-windows.ts'
import { type HourState, hourStates, uptimeKpiOf } from './hour-states.ts'
import { dayText, isoOf, type KpiTerms } from './mandate-terms.ts'

const isLoan = ({ metric }: KpiTerms) => metric === 'LOAN_COVERAGE_PIPS'

/** The charts of a mandate; the loan only if a KPI covers it. */
export const mandateCharts = (mandate: DrawnMandate): ChartSpec[] => [
  intervalsChart(mandate),
  hoursChart(mandate),
  ...(mandate.terms.kpis.some(isLoan) ? [loanChart(mandate)] : []),
]

interface Row {
  readonly kpi: KpiTerms
  readonly evaluation: Evaluation
}

const isShare = ({ metric }: KpiTerms) => metric.endsWith('_PIPS')
const unitOf = (kpi: KpiTerms) => (isShare(kpi) ? '%' : 'atoms')
const amountOf = (kpi: KpiTerms, text: string | null) =>
  text === null ? null : decimalOf(text, isShare(kpi) ? 4 : 0)

/** Lower and upper bound per KPI with its threshold. The distance of the bounds is missing data. */
function intervalsChart({ terms, evaluations, title }: DrawnMandate): ChartSpec {
  const rows = evaluations.flatMap((evaluation): Row[] => {
    const kpi = terms.kpis.find(({ kpiId }) => kpiId === evaluation.kpiId)
    return kpi ? [{ kpi, evaluation }] : []
  })
  const empty = 'The period has not begun.'
  return {
    id: 'mandate-intervals',
    kind: 'intervals',
    title: `${title}: KPI results vs thresholds`,
    summary: rows.map(({ evaluation }) => describeEvaluation(evaluation)).join(' ') || empty,
    x: named,
    panels: rows.map((row, index) => ({
      id: `${index}`,
      title: headOf(row),
      y: { label: '', unit: unitOf(row.kpi), scale: 'linear', zero: true },
    })),
    table: { columns: intervalColumns, rows: rows.map(intervalRow) },
    series: rows.flatMap((_, index) => intervalSeries(`${index}`)),
    note: 'note',
    notes: rows.length === 0 ? [] : ['The bounds differ because of data gaps.'],
    empty,
  }
}

function intervalSeries(panel: string): ChartSeries[] {
  const about = { x: 'verdict', where: { panel }, panel } as const
  return [
    {
      ...about,
      id: `${panel} bounds`,
      label: 'Lower to upper bound',
      mark: 'interval',
      role: 'observed',
      y: ['low', 'high'],
    },
    {
      ...about,
      id: `${panel} threshold`,
      label: 'Threshold',
      mark: 'tick',
      role: 'limit',
      y: ['threshold'],
    },
  ]
}

const intervalColumns = columnsOf({
  panel: 'Panel',
  kpi: 'KPI',
  from: ['From', 'UTC'],
  to: ['To', 'UTC'],
  pessimistic: 'Lower bound',
  optimistic: 'Upper bound',
  low: 'Lower end',
  high: 'Upper end',
  threshold: 'Threshold',
  unit: 'Unit',
  comparator: 'Comparison',
  verdict: 'Verdict',
  coverage: ['Coverage', '%'],
  note: 'Summary',
})

function intervalRow({ kpi, evaluation }: Row, index: number): ChartCells {
  const { kpiId, window, pessimistic, optimistic, threshold, comparator, verdict } = evaluation
  const ends = [amountOf(kpi, pessimistic), amountOf(kpi, optimistic)]
  const [low = null, high = null] = ends.toSorted((a, b) => Number(a) - Number(b))
  const limit = decimalOf(threshold, isShare(kpi) ? 4 : 0)
  const coverage = decimalOf(`${evaluation.coveragePips}`, 4)
  const sign = kpi.comparator === 'GTE' ? '≥' : '≤'
  const known = ends.includes(null) ? 'no data' : `${(Number(coverage)).toFixed(1)} % known`
  return [
    ...[`${index}`, kpiId, window.from, window.to, ...ends, low, high, limit, unitOf(kpi)],
    ...[comparator, verdict, coverage, `${sign} ${printValue(Number(limit))}, ${known}`],
  ]
}

/** KPI, window and subject. */
function headOf({ kpi, evaluation: { window } }: Row): string {
  const { kpiId, metric, venueKey, side } = kpi
  const running = window.isRunning ? ', running' : ''
  const span = `${window.from.slice(0, 10)} to ${window.to.slice(0, 10)}${running}`
  return `${kpiId}, ${span}: ${metric.toLowerCase().replaceAll('_', ' ')}, ${venueKey}, ${side.toLowerCase()}`
}

const describeEvaluation = ({
  kpiId,
  verdict,
  pessimistic,
  optimistic,
  threshold,
  comparator,
}: Evaluation) =>
  pessimistic === null
    ? `${kpiId}: ${verdict}, no data.`
    : `${kpiId}: ${verdict}, ${pessimistic} to ${optimistic}, threshold ${comparator} ${threshold}.`

const hourClasses: readonly (ChartClass & { readonly value: HourState })[] = [
  { value: 'MET', label: 'Met', tone: 'good' },
  { value: 'BREACHED', label: 'Breached', tone: 'bad' },
  { value: 'GAP', label: 'Data gap', tone: 'neutral', isHatched: true },
  { value: 'EXCLUDED', label: 'Excluded', tone: 'neutral' },
]
const sides = ['bid', 'ask'] as const
const hours = Array.from({ length: 24 }, (_, hour) => `${hour}`)

/** Hourly uptime of the last days per side. A gap has less data than the KPI requires. */
function hoursChart(mandate: DrawnMandate): ChartSpec {
  const kpi = uptimeKpiOf(mandate.terms)
  const cells = kpi ? hourStates(mandate, mandate.recent) : []
  const count = (state: HourState) =>
    cells.filter(({ bid, ask }) => bid === state || ask === state).length
  const none = 'The mandate has no uptime KPI.'
  return {
    id: 'mandate-hours',
    kind: 'heat',
    title: 'Uptime by hour',
    summary: kpi
      ? `Of ${cells.length - count('AHEAD')} hours, ${count('BREACHED')} breached on a side and ${count('GAP')} with a data gap. KPI: ${kpi.kpiId}, ${kpi.venueKey === 'ALL' ? 'all venues' : kpi.venueKey}.`
      : none,
    x: named,
    panels: sides.map((id) => ({
      id,
      title: id === 'bid' ? 'Bids by hour, UTC' : 'Asks by hour, UTC',
    })),
    table: {
      columns: hourColumns,
      rows: cells.map(({ day, hour, bid, ask }) => [
        ...[dayText(day), `${hour}`, bid, ask, bid === 'AHEAD' ? 'no' : 'yes'],
      ]),
    },
    series: kpi ? sides.flatMap((side) => hours.map((hour) => hourSeries(side, hour))) : [],
    classes: kpi ? hourClasses : [],
    notes: count('AHEAD') > 0 ? ['Future hours have no cell.'] : [],
    empty: none,
  }
}

const hourSeries = (side: (typeof sides)[number], hour: string): ChartSeries => ({
  id: `${side} ${hour}`,
  label: hour,
  mark: 'cell',
  role: 'observed',
  x: 'day',
  y: [side],
  where: { hour, elapsed: 'yes' },
  panel: side,
})
const hourColumns = columnsOf({
  day: ['Day', 'UTC'],
  hour: ['Hour', 'UTC'],
  bid: 'Bid',
  ask: 'Ask',
  elapsed: 'Elapsed',
})

/** Loan coverage by the market maker's holdings, on chain and attested. */
function loanChart({ loan, terms }: DrawnMandate): ChartSpec {
  const threshold = terms.kpis.find(isLoan)?.threshold ?? 0n
  const required = decimalOf(threshold, 4)
  const rows = loan.map((reading): string[] => {
    const { chain, both } = coverageOf(reading)
    return [isoOf(reading.at), ...[chain, both].map((pips) => decimalOf(`${pips}`, 4)), required]
  })
  const last = rows.at(-1)
  const hasAttested = rows.some(([, chain, both]) => chain !== both)
  const line = { mark: 'line', x: 'at' } as const
  const empty = 'No readings of the loan in this month.'
  return {
    id: 'mandate-loan',
    kind: 'xy',
    title: 'Loan coverage',
    summary: last
      ? `${rows.length} readings. At ${last[0]} the chain shows ${last[1]} % of the loan, or ${last[2]} % with attested holdings.`
      : empty,
    x: { label: 'Reading', unit: 'UTC', scale: 'time' },
    y: { label: 'Share of the loan', unit: '%', scale: 'linear', zero: true },
    table: { columns: loanColumns, rows },
    series: [
      { ...line, id: 'chain', label: 'On chain', role: 'observed', y: ['chain'] },
      ...(hasAttested ? [{ ...line, ...attested }] : []),
      { ...line, id: 'required', label: 'Required', role: 'limit', y: ['required'] },
    ],
    empty,
  }
}

const attested = {
  id: 'both',
  label: 'With attested holdings',
  role: 'assumption',
  y: ['both'],
} as const
const loanColumns = columnsOf({
  at: ['Reading', 'UTC'],
  chain: ['On chain', '%'],
  both: ['With attested holdings', '%'],
  required: ['Required', '%'],
})
