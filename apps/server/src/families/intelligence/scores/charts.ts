import {
  type ChartCells,
  type ChartSeries,
  type ChartSpec,
  decimalOf,
  named,
  printChange,
  printValue,
} from '@liquidity-os/drawing'
import { fundingUnread } from '../../../market/flow-gaps.ts'
import { tradersFundedTogether } from '../../../market/trader-funding.ts'
import type { ScorePayload } from './active-score.ts'

/** The charts of a score. */
export const scoreCharts = (score: ScorePayload): ChartSpec[] =>
  [contributionsChart, courseChart, lastSampleChart].map((chart) => chart(score))

type Component = ScorePayload['components'][number]
const quote = 'quote tokens'
/** Pips as %, with all digits, and with one digit for text. */
const points = (pips: number) => decimalOf(`${pips}`, 4)
const printPoints = (pips: number) => (pips / 10_000).toFixed(1)
const percent = (pips: number | null) => (pips === null ? null : decimalOf(`${pips}`, 4))
const tokens = (atoms: string | null, { request: { pair } }: ScorePayload) =>
  atoms === null ? null : decimalOf(atoms, pair.quoteDecimals)

/** Readable form of a code. */
const wordsOf = (code: string) => {
  const words = code.toLowerCase().replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Contribution of each component to the score, and the score with its interval. */
function contributionsChart(score: ScorePayload): ChartSpec {
  const { caps, confidencePips } = score
  const capped = caps.length === 0 ? [] : [`Capped by: ${caps.map(wordsOf).join(', ')}.`]
  const confidence = `Confidence ${printPoints(confidencePips)} %. Line on the score: 90 % interval.`
  return {
    id: 'score-contributions',
    kind: 'waterfall',
    title: 'Score by component',
    summary: describeScore(score),
    x: named,
    y: { label: 'Score', unit: 'points of 100', scale: 'linear' },
    table: { columns: contributionColumns, rows: contributionRows(score) },
    series: contributionSeries,
    markers: grades.map(([label, at]) => ({ at, label, tone: 'neutral' })),
    note: 'note',
    notes: [...capped, `${confidence} Grades: D from 40, C from 55, B from 70, A from 85.`],
  }
}

const contributionSeries: readonly ChartSeries[] = [
  { id: 'change', label: 'Component', mark: 'bar', role: 'observed', x: 'name', y: ['points'] },
  { id: 'score', label: 'Score', mark: 'total', role: 'estimate', x: 'name', y: ['score'] },
  {
    id: 'interval',
    label: '90 % interval',
    mark: 'interval',
    role: 'estimate',
    x: 'name',
    y: ['low', 'high'],
  },
]

/** Components, then the steps from their sum to the score. */
function contributionRows(score: ScorePayload): ChartCells[] {
  const { components, interval90 } = score
  const shown = score.scorePips ?? score.indicativeScorePips
  const [low = null, high = null] = shown === null ? [] : (interval90 ?? []).map(points)
  const total = [shown === null ? null : points(shown), low, high]
  const unmeasured = [null, null, null, null]
  return [
    ...components.map((one) => componentRow(score, one)),
    ...adjustmentsOf(score).map(([name, pips]) => {
      const change = printChange(Math.round(pips / 1000) / 10)
      return [name, points(pips), null, null, null, ...unmeasured, change]
    }),
    ['Score', null, ...total, ...unmeasured, noteOf(score)],
  ]
}

/** Changes from the sum of the components to the score: an indicative score is scaled to the measured weight, then capped. */
function adjustmentsOf(score: ScorePayload): [name: string, pips: number][] {
  const { components, scorePips, indicativeScorePips } = score
  const shown = scorePips ?? indicativeScorePips
  if (shown === null) return []
  const sum = components.reduce((all, { contributionPips }) => all + contributionPips, 0)
  const measured = components.filter(({ subScorePips }) => subScorePips !== null)
  const weight = measured.reduce((all, { weightPips }) => all + weightPips, 0)
  const whole = scorePips === null && weight > 0 ? Math.round((sum * 1_000_000) / weight) : sum
  // A cap only lowers a score; the half-even rounding of the engine can differ from this one by a millionth.
  const scaled = Math.abs(whole - shown) <= 1 ? shown : whole
  const adjustments: [string, number][] = [
    ['Scaled to the measured weight', scaled - sum],
    ['Cap', shown - scaled],
  ]
  return adjustments.filter(([, pips]) => pips !== 0)
}

/** Minimum points of a grade. */
const grades = [
  ['D', '40'],
  ['C', '55'],
  ['B', '70'],
  ['A', '85'],
] as const

const contributionColumns = [
  { key: 'name', label: 'Component', unit: '' },
  { key: 'points', label: 'Contribution', unit: 'points' },
  { key: 'score', label: 'Score', unit: 'points' },
  { key: 'low', label: 'Lower end of the 90 % interval', unit: 'points' },
  { key: 'high', label: 'Upper end of the 90 % interval', unit: 'points' },
  { key: 'weight', label: 'Weight', unit: 'points' },
  { key: 'subScore', label: 'Sub-score', unit: 'points of 100' },
  { key: 'raw', label: 'Measured', unit: '' },
  { key: 'unit', label: 'Unit', unit: '' },
  { key: 'note', label: 'Summary', unit: '' },
]

function componentRow(score: ScorePayload, one: Component): ChartCells {
  const { code, weightPips, contributionPips, subScorePips, raw, unit } = one
  const earned = `${printPoints(contributionPips)} of ${printPoints(weightPips)}`
  const note =
    raw === null ? 'no data' : `${earned}: ${printRaw(one, raw)}${limitWords(score, code)}`
  const change = subScorePips === null ? null : points(contributionPips)
  const about = [points(weightPips), subScorePips === null ? null : points(subScorePips), raw, unit]
  return [wordsOf(code), change, null, null, null, ...about, note]
}

function printRaw({ code, unit }: Component, raw: string): string {
  const value = Number(raw)
  if (unit === 'SECONDS') return `${printValue(value)} s`
  if (code !== 'DEPTH') return `${printValue(Number((value / 10_000).toFixed(2)))} %`
  return `${printValue(Number((value / 1_000_000).toPrecision(3)))} × the size`
}

/** Limits of the share of independent flow. */
function limitWords({ evidence, ownFlow }: ScorePayload, component: string): string {
  if (component !== 'FLOW_INTEGRITY') return ''
  const own =
    ownFlow && ownFlow.sharePips > 0
      ? `, own flow ${printValue(Math.ceil(ownFlow.sharePips / 1000) / 10)} % left out`
      : ''
  const has = (wanted: string) => evidence.gaps.some(({ code }) => code === wanted)
  if (has(tradersFundedTogether)) return `${own}, traders funded together`
  return has(fundingUnread.code) ? `${own}, funding not read` : own
}

/** The grade with its trade size. */
function gradeOf({ grade, gradedSize, request: { pair } }: ScorePayload): string {
  if (!gradedSize) return `grade ${grade}`
  const size = printValue(Number(decimalOf(gradedSize.tradeSizeQuote, pair.quoteDecimals)))
  return `grade ${grade} at ${size} ${gradedSize.currency}`
}

function noteOf(score: ScorePayload): string {
  const { scorePips, indicativeScorePips, state, reasons } = score
  if (scorePips !== null) return `${printPoints(scorePips)} of 100, ${gradeOf(score)}`
  if (indicativeScorePips === null) return `No score: ${reasons.map(wordsOf).join(', ')}`
  return `${printPoints(indicativeScorePips)} (indicative: ${state.toLowerCase()})`
}

function describeScore(score: ScorePayload): string {
  const { scorePips, indicativeScorePips, state, reasons } = score
  if (scorePips !== null)
    return `Market quality score: ${printPoints(scorePips)} of 100, ${gradeOf(score)}.`
  const why = reasons.map(wordsOf).join(', ')
  return indicativeScorePips === null
    ? `No score (${state}): ${why}.`
    : `Indicative score only: ${printPoints(indicativeScorePips)}. Reason: ${why}.`
}

/** Depth, cost, spread and price deviation over the window. */
function courseChart(score: ScorePayload): ChartSpec {
  const { course } = score
  const sampled = course.filter(({ samples }) => samples > 0).length
  const line = { mark: 'line', role: 'observed', x: 'from' } as const
  return {
    id: 'score-course',
    kind: 'xy',
    title: 'Market over the window',
    summary: `Medians of ${course.length} intervals of the window; ${sampled} have samples.`,
    x: { label: 'Interval start', unit: 'UTC', scale: 'time' },
    panels: coursePanels,
    table: {
      columns: courseColumns,
      rows: course.map((point) => [
        point.from,
        `${point.samples}`,
        tokens(point.depthBuyQuote, score),
        tokens(point.depthSellQuote, score),
        percent(point.slippagePips),
        percent(point.spreadPips),
        percent(point.deviationPips),
      ]),
    },
    series: [
      { ...line, id: 'buy', label: 'Buy', y: ['buy'], panel: 'depth' },
      { ...line, id: 'sell', label: 'Sell', y: ['sell'], panel: 'depth' },
      { ...line, id: 'cost', label: 'Cost', y: ['cost'], panel: 'cost' },
      { ...line, id: 'spread', label: 'Spread', y: ['spread'], panel: 'spread' },
      { ...line, id: 'deviation', label: 'Deviation', y: ['deviation'], panel: 'deviation' },
    ],
    gaps: course.flatMap(({ from, samples }, index) =>
      samples > 0 ? [] : [{ from, to: course[index + 1]?.from ?? from, reason: 'no samples' }],
    ),
    empty: 'No samples.',
  }
}

const coursePanels = [
  {
    id: 'depth',
    title: '2 % depth',
    y: { label: 'Depth', unit: quote, scale: 'linear', zero: true },
  },
  {
    id: 'cost',
    title: 'Cost of the reference size, worse side',
    y: { label: 'Cost', unit: '%', scale: 'linear', zero: true },
  },
  { id: 'spread', title: 'Spread', y: { label: 'Spread', unit: '%', scale: 'linear', zero: true } },
  {
    id: 'deviation',
    title: 'Price deviation between venues',
    y: { label: 'Deviation beyond the fee', unit: '%', scale: 'linear', zero: true },
  },
] as const

const courseColumns = [
  { key: 'from', label: 'Start', unit: 'UTC' },
  { key: 'samples', label: 'Samples', unit: '' },
  { key: 'buy', label: '2 % depth, buy', unit: quote },
  { key: 'sell', label: '2 % depth, sell', unit: quote },
  { key: 'cost', label: 'Cost', unit: '%' },
  { key: 'spread', label: 'Spread', unit: '%' },
  { key: 'deviation', label: 'Deviation beyond the fee', unit: '%' },
]

/** Depth per band and cost per order size at the end of the window. */
function lastSampleChart(score: ScorePayload): ChartSpec {
  return {
    id: 'score-last-sample',
    kind: 'bars',
    title: 'Market at the end of the window',
    summary: `Cost of orders at the end of the window. Depth around the price: at most the median of the last day.${shortLivedText(score)}`,
    x: named,
    panels: samplePanels,
    table: {
      columns: [
        { key: 'panel', label: 'Figure', unit: '' },
        { key: 'at', label: 'At', unit: '' },
        { key: 'buy', label: 'Buy', unit: '' },
        { key: 'sell', label: 'Sell', unit: '' },
      ],
      rows: sampleRows(score),
    },
    series: samplePanels.flatMap(({ id: panel }): ChartSeries[] => {
      const about = { mark: 'bar', role: 'observed', x: 'at', where: { panel }, panel } as const
      return [
        { ...about, id: `${panel} buy`, label: 'Buy', y: ['buy'] },
        { ...about, id: `${panel} sell`, label: 'Sell', y: ['sell'] },
      ]
    }),
    empty: 'No sample.',
  }
}

/** Older scores have no such share. */
function shortLivedText({ shortLivedDepthPips: pips }: ScorePayload): string {
  if (pips === undefined || pips === null) return ''
  return ` Removed within 10 minutes: ${printPoints(pips)} % of depth over time.`
}

const samplePanels = [
  {
    id: 'depth',
    title: 'Depth by distance from the price',
    y: { label: 'Depth', unit: quote, scale: 'linear' },
  },
  { id: 'cost', title: 'Cost by order size', y: { label: 'Cost', unit: '%', scale: 'linear' } },
] as const

function sampleRows(score: ScorePayload): ChartCells[] {
  const bands = [...new Set(score.depth.map(({ bandPips }) => bandPips))]
  const depthOf = (bandPips: number, wanted: 'BUY' | 'SELL') => {
    const rung = score.depth.find((one) => one.bandPips === bandPips && one.side === wanted)
    return tokens(rung?.quote ?? null, score)
  }
  const costs = score.passportClaims?.usableDepthByTradeSize ?? []
  return [
    ...bands.map((band) => [
      ...['depth', `${percent(band)} %`, depthOf(band, 'BUY'), depthOf(band, 'SELL')],
    ]),
    ...costs.map(({ tradeSizeQuote, buySlippagePips, sellSlippagePips }) => {
      const size = printValue(Number(tokens(tradeSizeQuote, score)))
      return ['cost', `${size} ${quote}`, percent(buySlippagePips), percent(sellSlippagePips)]
    }),
  ]
}
