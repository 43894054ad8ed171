import type { contract } from '@liquidity-os/contract'
import {
  type ChartCells,
  type ChartMarker,
  type ChartSeries,
  type ChartSpec,
  columnsOf,
  decimalOf,
} from '@liquidity-os/drawing'

type Impact = contract.UnlockImpact

/** The charts of an unlock impact. */
export const unlockCharts = (impact: Impact): ChartSpec[] => [
  unlocksChart(impact),
  mitigationsChart(impact),
]

const percent = (pips: number) => decimalOf(`${pips}`, 4)
const limitOf = ({ request }: Impact) => percent(request.limitPips ?? 50_000)
const unitOf = ({ tokenDecimals }: Impact) => (tokenDecimals === null ? 'atoms' : 'tokens')
const empty = 'No known volume or venue.'

/** Cumulative unlocks, and the expected price impact with its limit. */
function unlocksChart(impact: Impact): ChartSpec {
  const { days, peaks, daysBeyondLimit, tokenDecimals } = impact
  const limit = limitOf(impact)
  const unit = unitOf(impact)
  let sum = 0n
  return {
    id: 'unlock-impact',
    kind: 'xy',
    title: 'Unlocks and price impact',
    summary: peaks
      ? `Over ${days.length} days, ${daysBeyondLimit} of them beyond the limit of ${limit} %. The base case peaks on ${peaks.base.date}.`
      : empty,
    x: { label: 'Day', unit: 'UTC', scale: 'time' },
    panels: [
      {
        id: 'unlocks',
        title: 'Unlocked since window start',
        y: { label: 'Quantity', unit, scale: 'linear', zero: true },
      },
      { id: 'impact', title: 'Price decline', y: decline },
    ],
    table: {
      columns: unlockColumns(unit),
      rows: days.map(({ date, unlocked, impactPips: { low, base, high } }) => {
        sum += BigInt(unlocked)
        const quantities = [unlocked, sum].map((atoms) => decimalOf(atoms, tokenDecimals ?? 0))
        return [date, ...quantities, ...[low, base, high].map(percent), limit]
      }),
    },
    series: unlockSeries,
    markers: cliffMarkers(impact),
    empty,
  }
}

const decline = { label: 'Decline', unit: '%', scale: 'linear', zero: true } as const
const onImpact = { x: 'date', panel: 'impact' } as const
const unlockSeries: readonly ChartSeries[] = [
  {
    id: 'unlocked',
    label: 'Unlocked',
    mark: 'step',
    role: 'assumption',
    x: 'date',
    y: ['sum'],
    panel: 'unlocks',
  },
  {
    ...onImpact,
    id: 'range',
    label: 'Low to high case',
    mark: 'band',
    role: 'estimate',
    y: ['low', 'high'],
  },
  { ...onImpact, id: 'base', label: 'Base case', mark: 'line', role: 'estimate', y: ['base'] },
  { ...onImpact, id: 'limit', label: 'Limit', mark: 'line', role: 'limit', y: ['limit'] },
]

const unlockColumns = (unit: string) =>
  columnsOf({
    date: ['Day', 'UTC'],
    unlocked: ['Unlocked', unit],
    sum: ['Unlocked since window start', unit],
    low: ['Decline, low case', '%'],
    base: ['Decline, base case', '%'],
    high: ['Decline, high case', '%'],
    limit: ['Limit', '%'],
  })

/** More cliffs would hide the lines. */
const maxCliffs = 24

function cliffMarkers({ cliffs, days }: Impact): ChartMarker[] {
  const shown = cliffs.filter(({ date }) => days.some((one) => one.date === date))
  if (shown.length > maxCliffs) return []
  return shown.map(({ date }, index) => ({
    at: date,
    label: index === 0 ? 'Cliff' : '',
    tone: 'bad',
    panel: 'unlocks',
  }))
}

const mitigationNames = {
  LINEARISE: 'Sold evenly',
  OTC_CARVE_OUT: 'Part placed OTC',
  ADD_DEPTH: 'With more depth',
  AC_PROGRAM: 'Sold by a program',
} as const

interface Curve {
  readonly id: string
  readonly name: string
  readonly pips: readonly number[]
}

function curvesOf({ days, mitigations }: Impact): Curve[] {
  const expected = days.map(({ impactPips }) => impactPips.base)
  const curves = mitigations.map(({ kind, days: length, curve }, index) => {
    const during = length === null || kind === 'ADD_DEPTH' ? '' : `, ${length} days`
    return { id: `${index + 1}`, name: `${mitigationNames[kind]}${during}`, pips: curve }
  })
  const all = [{ id: '0', name: 'Expected', pips: expected }, ...curves]
  return all.filter(({ pips }) => pips.length > 0)
}

/** Expected daily price impact, without and with each mitigation. */
function mitigationsChart(impact: Impact): ChartSpec {
  const { mitigations } = impact
  const limit = limitOf(impact)
  const curves = curvesOf(impact)
  const longest = Math.max(0, ...curves.map(({ pips }) => pips.length))
  return {
    id: 'unlock-mitigations',
    kind: 'xy',
    title: 'Mitigations vs the price limit',
    summary: `Price decline on each day, expected and under ${mitigations.length} mitigations. The dashed line is the limit of ${limit} %.`,
    x: { label: 'Day', unit: '', scale: 'linear' },
    y: { ...decline, label: 'Price decline' },
    table: {
      columns: mitigationColumns(unitOf(impact)),
      rows: [
        ...mitigationRows(impact),
        ...curves.flatMap(({ id, name, pips }) =>
          pips.map((one, day) => [id, name, `${day + 1}`, percent(one), ...Array(5).fill(null)]),
        ),
        ...(longest === 0 ? [] : ['1', `${longest}`]).map((day) => [
          ...['limit', 'Limit', day, limit, ...Array(5).fill(null)],
        ]),
      ],
    },
    series: [
      ...curves.map(({ id, name }) => curveSeries(id, name)),
      { ...curveSeries('limit', 'Limit'), role: 'limit' },
    ],
    empty,
  }
}

const curveSeries = (curve: string, label: string): ChartSeries => ({
  id: `curve ${curve}`,
  label,
  mark: 'line',
  role: 'observed',
  x: 'day',
  y: ['decline'],
  where: { curve },
})

const mitigationColumns = (unit: string) =>
  columnsOf({
    curve: 'Curve',
    name: 'Mitigation',
    day: 'Day',
    decline: ['Price decline', '%'],
    quantity: ['Quantity', unit],
    days: ['Length', 'days'],
    before: ['Peak before', '%'],
    after: ['Peak after', '%'],
    cost: ['Cost', 'quote atoms'],
  })

/** One row without a day for each mitigation: its terms and its effect. */
const mitigationRows = ({ mitigations, tokenDecimals }: Impact): ChartCells[] =>
  mitigations.map(({ kind, quantity, days, beforePeakPips, peakImpactPips, costQuote }, index) => [
    ...['effect', `${index + 1}: ${mitigationNames[kind]}`, null, null],
    decimalOf(quantity, tokenDecimals ?? 0),
    days === null ? null : `${days}`,
    percent(beforePeakPips),
    peakImpactPips === null ? null : percent(peakImpactPips),
    costQuote,
  ])
