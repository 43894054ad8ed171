import { isDeepStrictEqual } from 'node:util'
import type { contract } from '@liquidity-os/contract'
import {
  type ChartCells,
  type ChartMarker,
  type ChartSeries,
  type ChartSpec,
  columnsOf,
  decimalOf,
  named,
} from '@liquidity-os/drawing'

type Projection = contract.TreasuryProjection
type Scenario = Projection['scenarios'][number]
type Views = Scenario['runway']['cash']

/** The charts of a projection. Without cash in any month there is no chart of cash. */
export const projectionCharts = (projection: Projection): ChartSpec[] =>
  [...(hasCash(projection) ? [cashChart] : []), runwayChart, monthsChart].map((chart) =>
    chart(projection),
  )

const hasCash = ({ scenarios, monteCarlo, minimumCashQuote }: Projection): boolean =>
  scenarios.length === 0 ||
  monteCarlo !== null ||
  minimumCashQuote !== '0' ||
  scenarios.some((scenario) =>
    [...cashOf(scenario), ...scenario.months.map(({ cashQuote }) => cashQuote)].some(
      (cash) => cash !== '0',
    ),
  )

const unit = 'quote'
const time = { label: 'Month', unit: 'UTC', scale: 'time' } as const
const empty = 'No data could be read.'
const quote = (atoms: string, { quoteDecimals }: Projection) => decimalOf(atoms, quoteDecimals)

/** Controlled cash at each month end; for older projections all cash. */
const cashOf = ({ months, controlledCashQuote }: Scenario) =>
  controlledCashQuote ?? months.map(({ cashQuote }) => cashQuote)

/** Month-end cash by scenario, with the fan of simulated paths and the minimum. */
function cashChart(projection: Projection): ChartSpec {
  const { scenarios, monteCarlo, minimumCashQuote } = projection
  const hasMinimum = BigInt(minimumCashQuote) > 0n
  return {
    id: 'projection-cash',
    kind: 'xy',
    title: 'Cash by month',
    summary: describeCash(projection),
    x: time,
    y: { label: 'Cash (T0 and T1)', unit, scale: 'linear', zero: true },
    table: {
      columns: cashColumns,
      rows: scenarios.flatMap((scenario) => cashRows(projection, scenario)),
    },
    series: [
      ...(monteCarlo && scenarios.length > 0 ? fanSeries(monteCarlo.scenarioId) : []),
      ...scenarios.map(cashSeries),
      ...scenarios.slice(0, hasMinimum ? 1 : 0).map(minimumSeries),
    ],
    empty,
  }
}

const cashSeries = ({ scenarioId: scenario }: Scenario): ChartSeries => ({
  id: `cash ${scenario}`,
  label: scenario,
  mark: 'line',
  role: 'observed',
  x: 'month',
  y: ['cash'],
  where: { scenario },
})

const minimumSeries = ({ scenarioId: scenario }: Scenario): ChartSeries => ({
  id: 'minimum',
  label: 'Minimum cash',
  mark: 'line',
  role: 'limit',
  x: 'month',
  y: ['minimum'],
  where: { scenario },
})

function fanSeries(scenario: string): ChartSeries[] {
  const about = { role: 'estimate', x: 'month', where: { scenario }, stack: 'paths' } as const
  return [
    { ...about, id: 'p90', label: 'p5–p95 of paths', mark: 'band', y: ['p05', 'p95'] },
    { ...about, id: 'p50', label: 'p25–p75 of paths', mark: 'band', y: ['p25', 'p75'] },
  ]
}

const cashColumns = columnsOf({
  scenario: 'Scenario',
  month: ['Month', 'UTC'],
  cash: ['Cash', unit],
  whole: ['Cash with asserted holdings', unit],
  p05: ['Paths, p5', unit],
  p25: ['Paths, p25', unit],
  p50: ['Paths, median', unit],
  p75: ['Paths, p75', unit],
  p95: ['Paths, p95', unit],
  wholeP05: ['Paths with asserted holdings, p5', unit],
  wholeP50: ['Paths with asserted holdings, median', unit],
  wholeP95: ['Paths with asserted holdings, p95', unit],
  minimum: ['Minimum cash', unit],
})

function cashRows(projection: Projection, scenario: Scenario): ChartCells[] {
  const { monteCarlo, minimumCashQuote } = projection
  const { scenarioId, months } = scenario
  const paths = scenarioId === monteCarlo?.scenarioId ? monteCarlo : null
  const fans = (paths?.controlled ?? paths)?.cashQuote ?? []
  const cash = cashOf(scenario)
  return months.map(({ month, cashQuote }, index) => {
    const [fan, whole] = [fans[index], paths?.cashQuote[index]]
    const drawn = fan ? [fan.p05, fan.p25, fan.p50, fan.p75, fan.p95] : Array(5).fill(null)
    const all = whole ? [whole.p05, whole.p50, whole.p95] : Array(3).fill(null)
    const values = [cash[index] ?? null, cashQuote, ...drawn, ...all, minimumCashQuote]
    return [
      ...[scenarioId, month],
      ...values.map((atoms) => (atoms === null ? null : quote(atoms, projection))),
    ]
  })
}

function describeCash({ scenarios, monteCarlo }: Projection): string {
  const troughs = scenarios.map(
    ({ scenarioId, trough, controlledTrough = trough }) =>
      `${scenarioId} has its minimum in ${controlledTrough.month}`,
  )
  const drawn = monteCarlo ? `; the area covers 90 % of ${monteCarlo.paths} paths` : ''
  const hasControlled = scenarios.some(
    ({ months, controlledCashQuote }) =>
      controlledCashQuote?.some((cash, index) => cash !== months[index]?.cashQuote) ?? false,
  )
  const asserted = hasControlled ? ' Lines and area count proven and attested holdings.' : ''
  return `Cash at the end of each month: ${troughs.join(', ') || 'no data could be read'}${drawn}.${asserted}`
}

/** Runway by level and scenario: with COMMITTED inflow only, and with expected inflow. */
function runwayChart({ scenarios }: Projection): ChartSpec {
  const bar = { mark: 'bar', role: 'estimate', x: 'name' } as const
  return {
    id: 'projection-runway',
    kind: 'bars',
    title: 'Runway by scenario',
    summary: `Runway of ${scenarios.length} scenarios by assets that may be sold to pay, for proven and attested holdings. A second row includes asserted holdings if they change the runway.`,
    x: named,
    y: { label: 'Time until a committed payment is unmet', unit: 'months', scale: 'linear' },
    table: { columns: runwayColumns, rows: scenarios.flatMap(runwayRows) },
    series: [
      { ...bar, id: 'gross', label: 'Gross: committed inflow only', y: ['gross'] },
      { ...bar, id: 'net', label: 'Net: with expected inflow', y: ['net'] },
    ],
    markers: horizonMarkers(scenarios),
    note: 'note',
    empty,
  }
}

function horizonMarkers(scenarios: readonly Scenario[]): ChartMarker[] {
  const horizon = Math.max(0, ...scenarios.map(({ months }) => months.length))
  return horizon === 0 ? [] : [{ at: `${horizon}`, label: 'Horizon', tone: 'neutral' }]
}

const runwayColumns = columnsOf({
  name: 'Runway',
  scenario: 'Scenario',
  level: 'Level',
  gross: ['Gross', 'months'],
  net: ['Net', 'months'],
  note: 'Summary',
})

const levels = [
  ['cash', 'cash'],
  ['liquid', 'liquid'],
  ['withOwnToken', 'with own token'],
] as const

/**
 * Controlled holdings give the headline; self-reported holdings extend it. Older projections have
 * only the total.
 */
function runwayRows({ scenarioId, runway, controlledRunway }: Scenario): string[][] {
  return levels.flatMap(([level, name]) => {
    const [controlled, whole] = [controlledRunway?.[level], runway[level]]
    if (!whole) return []
    const asserted = runwayRow(scenarioId, `${name}, with asserted`, whole)
    if (!controlled) return [asserted]
    const headline = runwayRow(scenarioId, name, controlled)
    return isDeepStrictEqual(controlled, whole) ? [headline] : [headline, asserted]
  })
}

function runwayRow(scenarioId: string, level: string, { gross, net }: Views): string[] {
  const [grossMonths = '', netMonths = ''] = [gross, net].map(({ monthsX3 }) =>
    decimalOf(`${monthsX3}`, 3),
  )
  // Rounded down to 0.1 months.
  const print = ({ monthsX3, beyondHorizon }: Views['net']) =>
    `${beyondHorizon ? 'over ' : ''}${Math.floor(monthsX3 / 100) / 10}`
  const note = `${print(gross)} gross, ${print(net)} net`
  return [`${scenarioId}, ${level}`, scenarioId, level, grossMonths, netMonths, note]
}

/** Monthly inflow, payments and shortfall, for the scenario with the shortest liquid runway. */
function monthsChart(projection: Projection): ChartSpec {
  const [worst] = projection.scenarios.toSorted(
    (a, b) => a.runway.liquid.net.monthsX3 - b.runway.liquid.net.monthsX3,
  )
  const months = worst?.months ?? []
  return {
    id: 'projection-months',
    kind: 'bars',
    title: 'Inflows, payments and unmet amounts',
    summary: worst
      ? `${worst.scenarioId}, with the shortest liquid runway, over ${months.length} months.`
      : empty,
    x: time,
    y: { label: 'Amount', unit, scale: 'linear' },
    table: {
      columns: monthColumns,
      rows: months.map(({ month, inflowQuote, dueQuote, arrearsQuote, paidQuote, unmetQuote }) => {
        const out = [`-${paidQuote}`, `-${unmetQuote}`]
        const amounts = [inflowQuote, ...out, dueQuote, arrearsQuote]
        return [month, ...amounts.map((atoms) => quote(atoms, projection))]
      }),
    },
    series: monthSeries,
    notes: worst ? [`Scenario: ${worst.scenarioId}`] : [],
    empty,
  }
}

const flow = { mark: 'bar', role: 'estimate', x: 'month', stack: 'flow' } as const
const monthSeries: readonly ChartSeries[] = [
  { ...flow, id: 'inflow', label: 'Inflow', y: ['inflow'] },
  { ...flow, id: 'paid', label: 'Paid', y: ['paid'] },
  { ...flow, id: 'unmet', label: 'Unmet', y: ['unmet'] },
]
const monthColumns = columnsOf({
  month: ['Month', 'UTC'],
  inflow: ['Inflow', unit],
  paid: ['Paid', unit],
  unmet: ['Unmet', unit],
  due: ['Due', unit],
  arrears: ['Arrears', unit],
})
