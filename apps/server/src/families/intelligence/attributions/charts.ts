import type { contract } from '@liquidity-os/contract'
import {
  type ChartCells,
  type ChartMarker,
  type ChartSeries,
  type ChartSpec,
  columnsOf,
  decimalOf,
  named,
  printValue,
} from '@liquidity-os/drawing'
import { hourSeconds } from '../../../units.ts'

type Attribution = contract.ExecutionAttribution

/** The charts of an attribution. */
export const attributionCharts = (attribution: Attribution): ChartSpec[] =>
  [costChart, fillsChart, squareRootChart, markoutsChart].map((chart) => chart(attribution))

const percent = (pips: number) => decimalOf(`${pips}`, 4)
const digits = (value: number) => `${Number(value.toPrecision(12))}`

const partNames = {
  delay: 'Delay',
  timing: 'Timing',
  spread: 'Half-spread',
  impact: 'Impact',
  impactPlusMev: 'Impact and sandwich',
  fees: 'Pool fees',
  mev: 'Sandwich',
  residual: 'Residual',
  gas: 'Gas',
  opportunity: 'Opportunity',
  shortfall: 'Shortfall',
} as const
type Part = keyof typeof partNames

/** From the decision price to the all-in price, as shares of the base value. */
function costChart({ components, componentsPips, request }: Attribution): ChartSpec {
  const isSplit = components !== null && components.impact !== null && components.mev !== null
  // The members of a record are its names.
  const parts = (Object.keys(partNames) as Part[]).filter((part) =>
    part === 'impactPlusMev' ? !isSplit : isSplit || (part !== 'impact' && part !== 'mev'),
  )
  const rows = parts.map((part): ChartCells => {
    const pips = componentsPips?.[part] ?? null
    const atoms = components?.[part] ?? null
    const share = pips === null ? null : percent(pips)
    const amount = atoms === null ? null : decimalOf(atoms, request.pair.quoteDecimals)
    const change = part === 'shortfall' ? [null, share] : [share, null]
    const kind = pips === null || pips > 0 ? 'COST' : 'GAIN'
    const words = [share, amount].map((one) => (one === null ? null : printValue(Number(one))))
    const note =
      share === null ? 'unknown' : `${words[0]} %${amount === null ? '' : `, ${words[1]} quote`}`
    return [partNames[part], ...change, amount, kind, note]
  })
  return {
    id: 'attribution.waterfall',
    kind: 'waterfall',
    title: 'From the decision price to the all-in price',
    summary: 'Components of the shortfall as a share and in quote, cumulative.',
    x: named,
    y: { label: 'Share of the base value at the decision', unit: '%', scale: 'linear' },
    table: { columns: costColumns, rows: components && componentsPips ? rows : [] },
    series: costSeries,
    classes: [
      { value: 'COST', label: 'Cost', tone: 'bad', isHatched: true },
      { value: 'GAIN', label: 'Gain', tone: 'accent' },
    ],
    note: 'note',
    empty: 'No cost could be computed.',
  }
}

const ofPart = { role: 'observed', x: 'part' } as const
const costSeries: readonly ChartSeries[] = [
  { ...ofPart, id: 'part', label: 'Component', mark: 'bar', y: ['share'], class: 'kind' },
  { ...ofPart, id: 'shortfall', label: 'Shortfall', mark: 'total', y: ['total'] },
]
const costColumns = columnsOf({
  part: 'Component',
  share: ['Share', '%'],
  total: ['Shortfall', '%'],
  amount: ['Amount', 'quote tokens'],
  kind: 'Kind',
  note: 'Summary',
})

interface Fill {
  readonly txHash: string
  readonly block: number
  readonly before: string
  readonly atFill: string
  readonly after: string
  readonly paid: string
}

/** A price X18 between atoms as quote tokens per base token. */
const priceOf = (priceX18: string, { request: { pair } }: Attribution) =>
  decimalOf(priceX18, 18 + pair.quoteDecimals - pair.baseDecimals)

/** Fills with a price. */
const pricedFills = (attribution: Attribution): Fill[] =>
  attribution.fills.flatMap((fill) => {
    const { txHash, block, base, quote, beforePriceX18, metPriceX18, afterPriceX18 } = fill
    if (beforePriceX18 === null || metPriceX18 === null || afterPriceX18 === null) return []
    if (base === '0') return []
    const { baseDecimals, quoteDecimals } = attribution.request.pair
    const paid = Number(decimalOf(quote, quoteDecimals)) / Number(decimalOf(base, baseDecimals))
    const [before = '', atFill = '', after = ''] = [beforePriceX18, metPriceX18, afterPriceX18].map(
      (price) => priceOf(price, attribution),
    )
    return [{ txHash, block: block.number, before, atFill, after, paid: digits(paid) }]
  })

/** Fills in sequence on the mid price: without and with the attacker, after the fill, and paid. */
function fillsChart(attribution: Attribution): ChartSpec {
  const fills = pricedFills(attribution)
  const arrival = attribution.arrival.priceX18
  const start = arrival === null ? fills[0]?.before : priceOf(arrival, attribution)
  const none = Array(6).fill(null)
  return {
    id: 'attribution.fills',
    kind: 'xy',
    title: 'Fills and mid price',
    summary:
      'For each fill: mid before it with and without the attacker, mid after it, and price paid.',
    x: {
      label: 'Fills in chain order; mid after a fill half a step later',
      unit: '',
      scale: 'linear',
    },
    y: { label: 'Price', unit: 'quote tokens per base token', scale: 'linear' },
    table: {
      columns: fillColumns,
      rows: [
        ...(fills.length === 0 || start === undefined ? [] : [['Arrival', '0', start, ...none]]),
        ...fills.flatMap(({ txHash, block, before, atFill, after, paid }, index) => {
          const pushed = before === atFill ? 'no' : 'yes'
          return [
            ['Fill', `${index + 1}`, atFill, before, after, paid, pushed, `${block}`, txHash],
            ['After', `${index + 1.5}`, after, ...none],
          ]
        }),
      ],
    },
    series: fillSeries,
    markers: blockMarkers(fills),
    empty: 'No fill could be analyzed.',
  }
}

const onFill = { x: 'place', where: { kind: 'Fill' } } as const
const fillSeries: readonly ChartSeries[] = [
  { id: 'mid', label: 'Mid price', mark: 'line', role: 'observed', x: 'place', y: ['mid'] },
  {
    id: 'attacker',
    label: 'Price impact of the attacker',
    mark: 'interval',
    role: 'observed',
    x: 'place',
    y: ['before', 'mid'],
    where: { pushed: 'yes' },
  },
  {
    ...onFill,
    id: 'before',
    label: 'Mid without the attacker',
    mark: 'point',
    role: 'estimate',
    y: ['before'],
  },
  { ...onFill, id: 'paid', label: 'Price paid', mark: 'point', role: 'observed', y: ['paid'] },
]

const price = 'quote tokens per base token'
const fillColumns = columnsOf({
  kind: 'Moment',
  place: 'Fill',
  mid: ['Mid', price],
  before: ['Mid without the attacker', price],
  after: ['Mid after', price],
  paid: ['Paid', price],
  pushed: 'Front-run',
  block: 'Block',
  txHash: 'txHash',
})

/** A line before every block. */
const blockMarkers = (fills: readonly Fill[]): ChartMarker[] =>
  fills.flatMap(({ block }, index) =>
    fills[index - 1]?.block === block
      ? []
      : [{ at: `${index + 0.75}`, label: `Block ${block}`, tone: 'neutral' }],
  )

const places = 40

/** Impact of the order next to the square-root law, for sizes up to twice the order. */
function squareRootChart({ benchmark, filledBase }: Attribution): ChartSpec {
  const isKnown = benchmark !== null && benchmark.actualPips !== null
  const share = isKnown ? (Number(filledBase) / Number(benchmark.dailyVolumeBase)) * 100 : 0
  const curve = Array.from({ length: isKnown ? places + 1 : 0 }, (_, index) => {
    const size = (2 * share * index) / places
    const pips = (benchmark?.dailyVolatilityPips ?? 0) * Math.sqrt(size / 100)
    return ['Law', digits(size), digits(pips / 10_000), null]
  })
  const figures = isKnown ? [benchmark.expectedPips, benchmark.actualPips ?? 0].map(percent) : []
  const [expected = '', actual = ''] = figures
  return {
    id: 'attribution.square-root',
    kind: 'xy',
    title: 'Impact vs the square-root law',
    summary: 'The curve σ·√(Q/V) over the order size, and the measured impact.',
    x: { label: 'Order size', unit: '% of daily volume', scale: 'linear', zero: true },
    y: { label: 'Impact', unit: '%', scale: 'linear', zero: true },
    table: {
      columns: lawColumns,
      rows: isKnown ? [...curve, ['Order', digits(share), expected, actual]] : [],
    },
    series: lawSeries,
    notes: isKnown
      ? [`Expected ${printValue(Number(expected))} %, measured ${printValue(Number(actual))} %.`]
      : [],
    empty: 'No measured day before the order, or no impact.',
  }
}

const onOrder = { x: 'size', where: { kind: 'Order' } } as const
const lawSeries: readonly ChartSeries[] = [
  { id: 'law', label: 'Square-root law', mark: 'line', role: 'estimate', x: 'size', y: ['law'] },
  { ...onOrder, id: 'expected', label: 'Expected', mark: 'point', role: 'estimate', y: ['law'] },
  { ...onOrder, id: 'measured', label: 'Measured', mark: 'point', role: 'observed', y: ['actual'] },
]
const lawColumns = columnsOf({
  kind: 'Row',
  size: ['Order size', '% of daily volume'],
  law: ['Expected impact', '%'],
  actual: ['Measured impact', '%'],
})

/** Curves with separate styles; the others share one. */
const maxCurves = 6

interface Curve {
  readonly fill: string
  readonly points: readonly { readonly seconds: number; readonly pips: number }[]
}

/** Mid price move after each fill: at once, and at each markout. */
const curvesOf = ({ fills }: Attribution): Curve[] =>
  fills.flatMap(({ marks }, index) => {
    const known = marks.flatMap(({ seconds, permanentPips, temporaryPips }) =>
      permanentPips === null || temporaryPips === null
        ? []
        : [{ seconds, pips: permanentPips, atOnce: permanentPips + temporaryPips }],
    )
    const [first] = known
    if (!first) return []
    return [{ fill: `Fill ${index + 1}`, points: [{ seconds: 0, pips: first.atOnce }, ...known] }]
  })

const timeUnits = [
  { unit: 's', seconds: 1 },
  { unit: 'min', seconds: 60 },
  { unit: 'h', seconds: hourSeconds },
] as const

/** Remaining share of the effect of a fill on the mid price: at once, and at the markouts. */
function markoutsChart(attribution: Attribution): ChartSpec {
  const curves = curvesOf(attribution)
  const last = Math.max(0, ...curves.flatMap(({ points }) => points.map(({ seconds }) => seconds)))
  const time = timeUnits.findLast(({ seconds }) => seconds * 2 <= last) ?? timeUnits[0]
  return {
    id: 'attribution.markouts',
    kind: 'xy',
    title: 'Markouts after each fill',
    summary: 'Mid price move against the trader since before each fill, at once and later.',
    x: { label: 'Time since the fill', unit: time.unit, scale: 'linear', zero: true },
    y: { label: 'Mid price move since before the fill', unit: '%', scale: 'linear', zero: true },
    table: {
      columns: columnsOf({
        fill: 'Fill',
        time: ['Time since the fill', time.unit],
        move: ['Mid price move', '%'],
      }),
      rows: curves.flatMap(({ fill, points }) =>
        points.map(({ seconds, pips }) => [fill, digits(seconds / time.seconds), percent(pips)]),
      ),
    },
    series: curves.map(({ fill }, index): ChartSeries => {
      const isOwn = index < maxCurves
      const label = isOwn ? fill : 'Other fills'
      const role = isOwn ? 'observed' : 'stale'
      return { id: fill, label, mark: 'line', role, x: 'time', y: ['move'], where: { fill } }
    }),
    empty: 'No later price is available.',
  }
}
