import {
  type ChartCells,
  type ChartClass,
  type ChartSpec,
  classedSeries,
  columnsOf,
  decimalOf,
  named,
  usedClasses,
} from '@liquidity-os/drawing'
import { type StoredMid, storedMidX36 } from '../../../market/mid-price.ts'
import {
  type Coverage,
  coverageOf,
  type DrawnObservation,
  type DrawnVenue,
  type Stretch,
  secondsOf,
} from './drawn-venue.ts'

/** The charts of a venue: proven coverage, price and depth over time. */
export const venueCharts = (venue: DrawnVenue): ChartSpec[] =>
  [coverageChart, priceChart, depthChart].map((chart) => chart(venue))

const time = { label: 'Time', unit: 'UTC', scale: 'time' } as const
const [quoteUnit, priceUnit] = ['quote', 'quote per base']
const shownBandPips = 20_000
const empty = 'This venue has no observations yet.'
const timeOf = (seconds: number) => new Date(seconds * 1000).toISOString()
const quote = (atoms: string | null, { pair }: DrawnVenue) =>
  atoms === null ? null : decimalOf(atoms, pair.quoteDecimals)
function price(mid: StoredMid, { pair }: DrawnVenue): string | null {
  const priceX36 = storedMidX36(mid)
  return priceX36 === null ? null : decimalOf(priceX36, 36 - pair.baseDecimals + pair.quoteDecimals)
}

/** Observations that still count: not removed by a reorganization. */
const countingIn = ({ observations }: DrawnVenue) =>
  observations.filter(({ isOvertaken }) => !isOvertaken)

/** Spans without an observation. */
const gapsIn = (venue: DrawnVenue) =>
  coverageOf(venue).flatMap(({ from, to, observation }) =>
    observation === null ? [{ from: timeOf(from), to: timeOf(to), reason: 'not observed' }] : [],
  )

function depthsOf({ metrics }: DrawnObservation): [buy: string | null, sell: string | null] {
  const depthOf = (wanted: 'BUY' | 'SELL') =>
    metrics.depth.find(({ bandPips, side }) => bandPips === shownBandPips && side === wanted)
      ?.quote ?? null
  return [depthOf('BUY'), depthOf('SELL')]
}

/** Observed and proven time. */
function coverageChart(venue: DrawnVenue): ChartSpec {
  const stretches = coverageOf(venue)
  return {
    id: 'venue-coverage',
    kind: 'timeline',
    title: 'Observation coverage',
    summary: describeCoverage(venue, stretches),
    x: named,
    y: time,
    table: { columns: coverageColumns, rows: stretches.map((one) => coverageRow(venue, one)) },
    series: [classedSeries('span', 'Coverage', ['row', 'from', 'to'], 'coverage')],
    classes: usedClasses(
      coverageClasses,
      stretches.map(({ coverage }) => coverage),
    ),
    empty,
  }
}

const coverageClasses: readonly (ChartClass & { readonly value: Coverage })[] = [
  { value: 'PROVED', label: 'Proved', tone: 'good' },
  { value: 'GAP', label: 'Not read, or no end state', tone: 'warn', isHatched: true },
  { value: 'MISMATCH', label: 'Events and chain state differ', tone: 'bad' },
  { value: 'OVERTAKEN', label: 'Replaced after a reorganization', tone: 'neutral' },
]
const coverageColumns = columnsOf({
  coverage: 'Coverage',
  from: ['From', 'UTC'],
  to: ['To', 'UTC'],
  fromBlock: 'From block',
  toBlock: 'To block',
  events: 'Events',
  mismatch: 'Differing field',
  price: ['Price at the end', priceUnit],
  buy: ['Depth within 2 %, buying', quoteUnit],
  sell: ['Depth within 2 %, selling', quoteUnit],
  row: 'Row',
})

function coverageRow(venue: DrawnVenue, { coverage, from, to, observation }: Stretch): ChartCells {
  const row = coverage === 'OVERTAKEN' ? 'Replaced' : 'Observed'
  const times = [coverage, timeOf(from), timeOf(to)]
  if (observation === null) return [...times, ...Array(7).fill(null), row]
  const { range, continuity, metrics } = observation
  const { firstDivergence, eventsReplayed } = continuity.fidelity
  const [buy, sell] = depthsOf(observation)
  return [
    ...[...times, `${range.from.number}`, `${range.to.number}`, `${eventsReplayed}`],
    continuity.firstMismatch?.field ?? firstDivergence?.field ?? null,
    ...[price(metrics, venue), quote(buy, venue), quote(sell, venue), row],
  ]
}

function describeCoverage({ name, observations }: DrawnVenue, stretches: readonly Stretch[]) {
  const count = (coverage: Coverage) =>
    stretches.filter((stretch) => stretch.coverage === coverage).length
  const overtaken = count('OVERTAKEN')
  const parts = [
    `${count('PROVED')} intervals proved, ${count('GAP')} gaps, ${count('MISMATCH')} mismatches`,
    ...(overtaken > 0 ? [`${overtaken} overtaken`] : []),
  ]
  return `${name}: ${observations.length} observations; ${parts.join(', ')}.`
}

/** Sampled prices, interrupted at gaps. */
function priceChart(venue: DrawnVenue): ChartSpec {
  const observed = countingIn(venue).flatMap(({ samples, range, metrics }) => [
    ...samples.map((sample) => [timeOf(sample.at), price(sample, venue)] as const),
    [timeOf(secondsOf(range.to.timestamp)), price(metrics, venue)] as const,
  ])
  const gaps = gapsIn(venue)
  const rows = [...observed, ...gaps.map(({ from }) => [`${from}`, null] as const)]
  const last = observed.at(-1)
  return {
    id: 'venue-price',
    kind: 'xy',
    title: 'Observed price',
    summary: last ? `${observed.length} prices, ${last[1] ?? 'no price'} at ${last[0]}.` : empty,
    x: time,
    y: { label: 'Price', unit: priceUnit, scale: 'linear' },
    table: {
      columns: columnsOf({ at: ['Time', 'UTC'], price: ['Price', priceUnit] }),
      // A gap starts after the price at the end of the observation.
      rows: rows.toSorted(([a], [b]) => Date.parse(a) - Date.parse(b)),
    },
    series: [
      { id: 'price', label: 'Price', mark: 'line', role: 'observed', x: 'at', y: ['price'] },
    ],
    gaps,
    empty: 'No observed price.',
  }
}

/** Depth on both sides at the end of observations, if measured. */
function depthChart(venue: DrawnVenue): ChartSpec {
  const rows = countingIn(venue).map((observation) => [
    timeOf(secondsOf(observation.range.to.timestamp)),
    ...depthsOf(observation).map((atoms) => quote(atoms, venue)),
  ])
  const [at, buy, sell] = rows.at(-1) ?? []
  const point = { mark: 'point', role: 'observed', x: 'at' } as const
  return {
    id: 'venue-depth',
    kind: 'xy',
    title: 'Depth within 2 %',
    summary: at ? `At ${at}: buying ${buy ?? 'unknown'}, selling ${sell ?? 'unknown'}.` : empty,
    x: time,
    y: { label: 'Depth', unit: quoteUnit, scale: 'linear', zero: true },
    table: {
      columns: columnsOf({
        at: ['Time', 'UTC'],
        buy: ['Buying', quoteUnit],
        sell: ['Selling', quoteUnit],
      }),
      rows,
    },
    series: [
      { ...point, id: 'buy', label: 'Buying', y: ['buy'] },
      { ...point, id: 'sell', label: 'Selling', y: ['sell'] },
    ],
    gaps: gapsIn(venue),
    empty: 'No observed depth.',
  }
}
