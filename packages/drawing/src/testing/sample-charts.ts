import type { ChartKind, ChartSeries, ChartSpec, ChartTable } from '../kit/spec.ts'

/** A table from rows of texts; a column is `key`, or `key|label|unit`. */
export function tableOf(names: readonly string[], rows: ChartTable['rows']): ChartTable {
  const columns = names.map((name) => {
    const [key = '', label = key, unit = ''] = name.split('|')
    return { key, label, unit }
  })
  return { columns, rows }
}

const seriesOf = (
  id: string,
  mark: ChartSeries['mark'],
  x: string,
  ...y: readonly string[]
): ChartSeries => ({ id, label: id, mark, role: 'observed', x, y })

const price = { label: 'Price', unit: 'WETH', scale: 'linear' } as const
const amount = { label: 'Amount', unit: 'WETH', scale: 'linear' } as const
const time = { label: 'Time', unit: 'UTC', scale: 'time' } as const
const names = { label: '', unit: '', scale: 'band' } as const
const hourAt = (hour: number) => new Date(Date.UTC(2026, 10, 28, hour)).toISOString()

const about = (id: string, kind: ChartKind) => ({
  id,
  kind,
  title: `A chart of kind ${kind}`,
  summary: `A ${kind} chart of the test.`,
})

const xy: ChartSpec = {
  ...about('price', 'xy'),
  x: time,
  y: price,
  table: tableOf(
    ['at', 'price|Price|WETH', 'low', 'high', 'target'],
    Array.from({ length: 24 }, (_, hour) => {
      if (hour > 8 && hour < 12) return [hourAt(hour), null, null, null, '0.0034']
      const value = 0.0036 + Math.sin(hour / 3) * 0.0002
      return [hourAt(hour), ...[value, value * 0.97, value * 1.04, 0.0034].map((one) => `${one}`)]
    }),
  ),
  series: [
    { ...seriesOf('95 % interval', 'band', 'at', 'low', 'high'), role: 'estimate' },
    seriesOf('Price', 'line', 'at', 'price'),
    { ...seriesOf('Target', 'line', 'at', 'target'), role: 'limit' },
  ],
  markers: [{ at: hourAt(17), label: 'Alert: depth fell', tone: 'bad' }],
  gaps: [{ from: hourAt(9), to: hourAt(11), reason: 'the provider did not answer' }],
}

const bars: ChartSpec = {
  ...about('share', 'bars'),
  x: names,
  y: { label: 'Share', unit: '%', scale: 'linear' },
  table: tableOf(
    ['venue', 'others', 'own', 'target'],
    [
      ['Uniswap v3 0.05 %', '31', '25', '50'],
      ['Uniswap v2', '13', '0', '10'],
      ['Curve', null, null, null],
    ],
  ),
  series: [
    { ...seriesOf('Other providers', 'bar', 'venue', 'others'), stack: 'share' },
    { ...seriesOf('Own positions', 'bar', 'venue', 'own'), stack: 'share' },
    { ...seriesOf('Target', 'tick', 'venue', 'target'), role: 'limit' },
  ],
}

const waterfall: ChartSpec = {
  ...about('accounts', 'waterfall'),
  x: names,
  y: amount,
  table: tableOf(
    ['step', 'change', 'total', 'low', 'high'],
    [
      ['HODL', null, '12', null, null],
      ['LP fees', '1.66', null, null, null],
      ['Impermanent loss', '-2.91', null, null, null],
      ['Costs', '-0.02', null, null, null],
      ['Net P&L', null, '10.73', '10.4', '11.1'],
    ],
  ),
  series: [
    seriesOf('Change', 'bar', 'step', 'change'),
    seriesOf('Total', 'total', 'step', 'total'),
    seriesOf('Range', 'interval', 'step', 'low', 'high'),
  ],
}

const ladder: ChartSpec = {
  ...about('liquidity', 'ladder'),
  x: price,
  y: { label: 'Liquidity', unit: 'WETH', scale: 'linear' },
  table: tableOf(
    ['low', 'high', 'value', 'own'],
    Array.from({ length: 16 }, (_, bin) => {
      const value = 40 * Math.exp(-(((bin - 7.5) / 4) ** 2))
      return [`${0.9 + bin / 80}`, `${0.9 + (bin + 1) / 80}`, `${value * 0.7}`, `${value * 0.3}`]
    }),
  ),
  series: [
    { ...seriesOf('Other providers', 'bar', 'low', 'value', 'high'), stack: 'bin' },
    { ...seriesOf('Own positions', 'bar', 'low', 'own', 'high'), stack: 'bin' },
  ],
  markers: [{ at: '1', label: 'Price 1.000', tone: 'accent' }],
}

const heat: ChartSpec = {
  ...about('hours', 'heat'),
  x: { label: 'Source', unit: '', scale: 'band' },
  table: tableOf(
    ['holding', 'ledger', 'amount', 'chain', 'balance', 'custody', 'differs'],
    [
      ['Treasury Safe WETH', 'asserted', '53', 'proved', '53', null, null],
      ['Custodian USD', 'asserted', '200,000', null, null, 'signed', 'x'],
    ],
  ),
  series: [
    seriesOf('Ledger', 'cell', 'holding', 'ledger', 'amount'),
    seriesOf('Chain', 'cell', 'holding', 'chain', 'balance'),
    { ...seriesOf('Custodian', 'cell', 'holding', 'custody'), class: 'differs' },
  ],
  classes: [
    { value: 'proved', label: 'Proved by the state root', tone: 'good' },
    { value: 'signed', label: 'Signed by the custodian', tone: 'warn' },
    { value: 'asserted', label: 'In the ledger only', tone: 'neutral', isHatched: true },
  ],
}

const timeline: ChartSpec = {
  ...about('coverage', 'timeline'),
  x: names,
  y: time,
  table: tableOf(
    ['venue', 'from', 'to', 'state'],
    [
      ['Uniswap v3 0.30 %', hourAt(0), hourAt(9), 'proved'],
      ['Uniswap v3 0.30 %', hourAt(9), hourAt(12), 'gap'],
      ['Uniswap v3 0.30 %', hourAt(12), hourAt(23), 'proved'],
      ['Uniswap v2', hourAt(4), hourAt(20), 'proved'],
      ['Uniswap v2', hourAt(22), null, 'gap'],
    ],
  ),
  series: [{ ...seriesOf('Coverage', 'span', 'venue', 'from', 'to'), class: 'state' }],
  classes: [
    { value: 'proved', label: 'Proved', tone: 'good' },
    { value: 'gap', label: 'Data gap', tone: 'bad', isHatched: true },
  ],
}

const intervals: ChartSpec = {
  ...about('differences', 'intervals'),
  x: names,
  y: { label: 'First minus second, 95 % interval', unit: 'WETH', scale: 'linear' },
  table: tableOf(
    ['pair', 'low', 'mean', 'high', 'verdict'],
    [
      ['Wide vs narrow', '1.2', '3.6', '5.1', 'first higher, p < 0.001'],
      ['Wide vs full range', '-0.8', '-0.1', '0.7', 'no significant difference'],
    ],
  ),
  series: [seriesOf('Difference', 'interval', 'pair', 'low', 'mean', 'high')],
  note: 'verdict',
}

const path: ChartSpec = {
  ...about('control', 'path'),
  x: names,
  table: tableOf(
    ['from', 'to', 'how', 'state'],
    [
      ['Token DEMO', 'Timelock 48 h', 'owner', 'proved'],
      ['Timelock 48 h', 'Treasury Safe', 'proposer', 'proved'],
      ['Treasury Safe', '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65', '1 of 3 owners', 'open'],
      ['Treasury Safe', 'Ann', '1 of 3 owners', 'proved'],
      ['Ann', 'Token DEMO', 'holds', 'open'],
    ],
  ),
  series: [{ ...seriesOf('Control', 'edge', 'from', 'to'), class: 'state' }],
  classes: [
    { value: 'proved', label: 'Read on chain', tone: 'good' },
    { value: 'open', label: 'Not identified', tone: 'neutral', isHatched: true },
  ],
  note: 'how',
}

const months = Array.from({ length: 30 }, (_, month) => {
  const at = new Date(Date.UTC(2026, month)).toISOString()
  const [inflow, outflow, spread] = [3 + (month % 4), -5 - (month % 3), month * 0.4]
  const balance = 60 - month * 2
  const amounts = [inflow, outflow, balance, balance - spread, balance + spread, month + 1]
  return [at, ...amounts.map((one) => `${one}`)]
})
const monthTable = tableOf(['at', 'in', 'out', 'balance', 'p5', 'p95', 'size'], months)

/** Upright bars, a second axis, a fan and points on logarithmic axes. */
export const moreCharts: Readonly<Record<string, ChartSpec>> = {
  texts: {
    ...about('changes', 'heat'),
    x: names,
    table: tableOf(
      ['figure', 'plain', 'before', 'after', 'state', 'change'],
      [
        ['Owner', '', 'a single key', 'a Safe with two of three owners', 'changed', 'changed'],
        ['Total supply', '', '1,000,000 DEMO', '1,100,000 DEMO', 'changed', '+10 %'],
        ['Name', '', 'Demo token', 'Demo token', '', ''],
      ],
    ),
    series: [
      seriesOf('Before', 'cell', 'figure', 'plain', 'before'),
      seriesOf('After', 'cell', 'figure', 'plain', 'after'),
      seriesOf('Change', 'cell', 'figure', 'state', 'change'),
    ],
    classes: [{ value: 'changed', label: 'Changed', tone: 'warn' }],
  },
  months: {
    ...about('months', 'bars'),
    x: time,
    y: amount,
    table: monthTable,
    series: [
      { ...seriesOf('Inflow', 'bar', 'at', 'in'), stack: 'flow' },
      { ...seriesOf('Outflow', 'bar', 'at', 'out'), stack: 'flow' },
      seriesOf('Other inflow', 'bar', 'at', 'in'),
    ],
  },
  twoAxes: {
    ...about('two-axes', 'xy'),
    x: time,
    y: amount,
    right: price,
    table: monthTable,
    series: [
      seriesOf('Volume', 'bar', 'at', 'in'),
      { ...seriesOf('Price', 'step', 'at', 'balance'), axis: 'right' },
    ],
  },
  fan: {
    ...about('fan', 'xy'),
    x: time,
    y: amount,
    table: monthTable,
    series: [
      { ...seriesOf('p5 to p95', 'band', 'at', 'p5', 'p95'), role: 'estimate', stack: 'fan' },
      seriesOf('Median', 'line', 'at', 'balance'),
    ],
    markers: [{ at: '2028-06-01T00:00:00Z', label: 'Below the floor', tone: 'bad' }],
  },
  scatter: {
    ...about('scatter', 'xy'),
    x: { label: 'Size', unit: 'WETH', scale: 'log' },
    y: { label: 'Balance', unit: 'WETH', scale: 'log' },
    table: monthTable,
    series: [seriesOf('Size', 'point', 'size', 'balance'), seriesOf('Low', 'point', 'size', 'p5')],
  },
}

/** A chart of each kind, for tests and for the documentation. */
export const sampleCharts: Readonly<Record<ChartKind, ChartSpec>> = {
  xy,
  bars,
  waterfall,
  ladder,
  heat,
  timeline,
  intervals,
  path,
}
