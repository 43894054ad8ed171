import {
  simulatedMarketOf,
  simulatedText,
  testNetworksIn,
} from '@liquidity-os/contract/test-networks'
import type { ChartGap, ChartSeries, ChartSpec } from '@liquidity-os/drawing'
import { decimalOf } from '@liquidity-os/drawing/numbers'
import { depthBands } from '../api/market-range.ts'
import type { MarketHistory } from '../api/markets.ts'
import { priceDecimals, shortFigure } from '../fields/figures.ts'
import { durationOf } from '../fields/numbers.ts'
import type { MarketTokens } from './market-figures.tsx'

/** A chart, and its table with the signs that readers expect. */
export interface MarketChart {
  readonly spec: ChartSpec
  readonly table: ChartSpec['table']
}

/** Price, depth and volume of a market over time. */
export const marketCharts = (history: MarketHistory, tokens: MarketTokens): MarketChart[] =>
  [priceChart, depthChart, volumeChart].map((chart) => chart(history, tokens))

const timeAxis = { label: 'Time', unit: 'UTC', scale: 'time' } as const
const timeColumn = { key: 'time', label: 'Time', unit: 'UTC' } as const
const timeOf = (seconds: number) => new Date(seconds * 1000).toISOString()
const decimal = (atoms: string | null | undefined, decimals: number) =>
  atoms == null ? null : decimalOf(atoms, decimals)
const figure = (atoms: string, decimals: number) => shortFigure(BigInt(atoms), decimals)
const noData = 'No observed data in this range.'

/** Members that all charts of a history share. */
const common = (history: MarketHistory) => ({
  x: timeAxis,
  gaps: gapsOf(history),
  notes: [`Interval: ${durationOf(history.resolutionSeconds)}.`, ...simulatedNotes(history)],
  empty: noData,
})

const simulatedNotes = (history: MarketHistory) => {
  const simulated = simulatedMarketOf(testNetworksIn(JSON.stringify(history.base)))
  return simulated === null ? [] : [simulatedText(simulated)]
}

function priceChart(history: MarketHistory, { base, quote }: MarketTokens): MarketChart {
  const unit = `${quote.symbol} per ${base.symbol}`
  const decimals = priceDecimals(base, quote)
  const { price } = history
  const known = price.close.flatMap((close) => close ?? [])
  const [first, last] = [known[0], known.at(-1)]
  const table = {
    columns: [
      timeColumn,
      ...(['Close', 'Open', 'High', 'Low'] as const).map((label) => ({
        key: label.toLowerCase(),
        label,
        unit,
      })),
    ],
    rows: history.at.map((at, index) => [
      timeOf(at),
      ...[price.close, price.open, price.high, price.low].map((column) =>
        decimal(column[index], decimals),
      ),
    ]),
  }
  return {
    table,
    spec: {
      ...common(history),
      id: 'market-price',
      kind: 'xy',
      title: 'Price',
      summary:
        first === undefined || last === undefined
          ? noData
          : `Price from ${figure(first, decimals)} to ${figure(last, decimals)} ${unit}. ${countAlerts(history)}`,
      y: { label: 'Price', unit, scale: 'linear' },
      table,
      series: [
        { id: 'close', label: 'Price', mark: 'line', role: 'observed', x: 'time', y: ['close'] },
      ],
      markers: history.markers.slice(0, maxMarkers).map(({ at, title }) => ({
        at: timeOf(at),
        label: shortTitle(title),
        tone: 'warn',
      })),
    },
  }
}

const maxMarkers = 20
const maxTitle = 32
const shortTitle = (title: string) =>
  title.length > maxTitle ? `${title.slice(0, maxTitle - 1)}…` : title
const countAlerts = ({ markers: { length } }: MarketHistory) =>
  length === 0 ? 'No alerts opened.' : `${length} ${length === 1 ? 'alert' : 'alerts'} opened.`

const sides = [
  { key: 'buy', label: 'Buy', sign: '' },
  { key: 'sell', label: 'Sell', sign: '-' },
] as const
const percent = (pips: number) => pips / 10_000

/** Depth within 1, 2, 5 and 10 % of the price: the buy side above zero, the sell side below. */
function depthChart(history: MarketHistory, { quote }: MarketTokens): MarketChart {
  const columns = sides.flatMap(({ key, label, sign }) =>
    depthBands.map((band) => ({
      key: `${key}${band}`,
      label: `${label} ${percent(band)} %`,
      unit: quote.symbol,
      sign,
      values: history.depth[`${band}`]?.[key] ?? [],
    })),
  )
  const rowsOf = (isDrawn: boolean) =>
    history.at.map((at, index) => [
      timeOf(at),
      ...columns.map(({ values, sign }) => {
        const value = decimal(values[index], quote.decimals)
        return isDrawn && value !== null && value !== '0' ? `${sign}${value}` : value
      }),
    ])
  const named = columns.map(({ key, label, unit }) => ({ key, label, unit }))
  const zero = { key: 'zero', label: 'Zero', unit: '' }
  const latest = (key: 'buy' | 'sell') =>
    history.depth['20000']?.[key].findLast((value) => value !== null)
  const [buy, sell] = [latest('buy'), latest('sell')]
  return {
    table: { columns: [timeColumn, ...named], rows: rowsOf(false) },
    spec: {
      ...common(history),
      id: 'market-depth',
      kind: 'xy',
      title: 'Depth',
      summary:
        buy == null || sell == null
          ? noData
          : `2 % depth at the end: ${figure(buy, quote.decimals)} ${quote.symbol} buy, ${figure(sell, quote.decimals)} ${quote.symbol} sell.`,
      y: { label: 'Depth (sell side below zero)', unit: quote.symbol, scale: 'linear', zero: true },
      table: {
        columns: [timeColumn, ...named, zero],
        rows: rowsOf(true).map((row) => [...row, '0']),
      },
      series: columns.map(
        ({ key, label }): ChartSeries => ({
          id: key,
          label,
          mark: 'band',
          role: 'observed',
          x: 'time',
          y: ['zero', key],
          stack: key.startsWith('buy') ? 'buy' : 'sell',
        }),
      ),
    },
  }
}

function volumeChart(history: MarketHistory, { quote }: MarketTokens): MarketChart {
  const amount = (atoms: string | null | undefined) => decimal(atoms, quote.decimals)
  const known = history.volumeQuote.flatMap((volume) => volume ?? [])
  const total = known.reduce((sum, volume) => sum + BigInt(volume), 0n)
  const columns = [
    timeColumn,
    { key: 'volume', label: 'Volume', unit: quote.symbol },
    { key: 'fees', label: 'LP fees', unit: quote.symbol },
    { key: 'trades', label: 'Trades', unit: '' },
    { key: 'tvl', label: 'TVL', unit: quote.symbol },
    { key: 'observed', label: 'Observed', unit: '%' },
  ]
  const rows = history.at.map((at, index) => [
    timeOf(at),
    amount(history.volumeQuote[index]),
    amount(history.feesQuote[index]),
    history.trades[index]?.toString() ?? null,
    amount(history.tvlQuote[index]),
    decimalOf(`${history.coveredPips[index] ?? 0}`, 4),
  ])
  // Gaps are hatched over their whole length, so a bucket without data has no bar.
  const drawn = rows.map((row) => [...row, row[1] === null ? null : (row[0] ?? null)])
  return {
    table: { columns, rows },
    spec: {
      ...common(history),
      id: 'market-volume',
      kind: 'bars',
      title: 'Volume',
      summary:
        known.length === 0
          ? noData
          : `Observed volume: ${shortFigure(total, quote.decimals)} ${quote.symbol}.`,
      y: { label: 'Volume', unit: quote.symbol, scale: 'linear' },
      table: { columns: [...columns, { key: 'bar', label: 'Bar', unit: 'UTC' }], rows: drawn },
      series: [
        { id: 'volume', label: 'Volume', mark: 'bar', role: 'observed', x: 'bar', y: ['volume'] },
      ],
    },
  }
}

/** Age up to which the newest data is expected to be missing, in seconds. */
const indexDelay = 900

/** Runs of buckets without a price. The newest buckets are not indexed yet, which is no gap. */
export function gapsOf({ at, price, gaps, resolutionSeconds, to }: MarketHistory): ChartGap[] {
  const end = Date.parse(to) / 1000
  const runs: { from: number; to: number }[] = []
  for (const [index, start] of at.entries()) {
    if (price.close[index] !== null) continue
    const last = runs.at(-1)
    if (last?.to === start) last.to = start + resolutionSeconds
    else runs.push({ from: start, to: start + resolutionSeconds })
  }
  return runs
    .filter((run) => run.to < end || end - run.from > indexDelay)
    .map((run) => {
      const isPending = gaps.some(
        (gap) => gap.code === 'POINTS_PENDING' && gap.from < run.to && gap.to > run.from,
      )
      return {
        from: timeOf(run.from),
        to: timeOf(Math.min(run.to, end)),
        reason: isPending ? 'indexed, aggregation pending' : 'not observed',
      }
    })
}
