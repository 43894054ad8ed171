import {
  type ChartCells,
  type ChartClass,
  type ChartSeries,
  type ChartSpec,
  cellSeries,
  columnsOf,
  decimalOf,
  named,
  usedClasses,
} from '@liquidity-os/drawing'
import { answerWords, controlLines } from '../../../reports/token/control-lines.ts'
import {
  amountText,
  minuteOf,
  nameOfPool,
  namesIn,
  type Pool,
} from '../../../reports/token/token-words.ts'
import { describeChange } from './describe-change.ts'
import type { DrawnProject, Reading } from './drawn.ts'

/** The charts of a followed token. */
export const projectCharts = (project: DrawnProject): ChartSpec[] => [
  changesChart(project),
  holdingsChart(project),
  ...project.readings.slice(-1).map(controlChart),
]

/** Differences between the last two readings, material ones first. */
function changesChart({ readings }: DrawnProject): ChartSpec {
  const [before, newest] = [readings.at(-2), readings.at(-1)]
  const described = (newest?.changes ?? [])
    .map((change) => describeChange(change, newest as Reading, before))
    .toSorted((a, b) => Number(b.material) - Number(a.material))
  const material = described.filter((one) => one.material)
  const summary = headline(newest, before, described.length, material.length)
  // Without a change, the summary is the whole chart. A table row makes it visible.
  const isEmpty = described.length === 0
  const rows = described.map(
    (one): ChartCells => [
      ...[one.what, one.before, one.after, one.material ? 'MATERIAL' : '', one.share],
    ],
  )
  return {
    id: 'project-changes',
    kind: 'heat',
    title: 'Changes since the previous reading',
    summary,
    x: named,
    table: {
      columns: changeColumns,
      rows: isEmpty ? [[summary, null, null, '', null]] : rows,
    },
    series: isEmpty ? [] : changeSeries,
    classes: isEmpty ? [] : [{ value: 'MATERIAL', label: 'Material', tone: 'warn' }],
    notes: isEmpty ? [] : [summary],
    empty: summary,
  }
}

const changeSeries = cellSeries('figure', {
  before: 'Before',
  after: 'After',
  change: ['Change', 'material'],
})
const changeColumns = columnsOf({
  figure: 'Figure',
  before: 'Before',
  after: 'After',
  material: 'Importance',
  change: 'Change',
})

function headline(
  newest: Reading | undefined,
  before: Reading | undefined,
  count: number,
  material: number,
): string {
  if (!newest) return 'No readings yet.'
  if (!before) return 'First reading. No comparison is available.'
  const span = `Reading ${newest.version} vs ${before.version}, ${minuteOf(newest.analysis.display.asOf)} vs ${minuteOf(before.analysis.display.asOf)} UTC`
  return `${span}: ${count === 0 ? 'no changes' : `${count} changed, ${material} of them material`}.`
}

/** Pools in the chart; the record has all. */
const maxPools = 8

/** Quote balance of each pool over the readings, on an axis from zero. */
function holdingsChart({ readings }: DrawnProject): ChartSpec {
  const newest = readings.at(-1)
  const all = newest?.analysis.pools ?? []
  const pools = all.slice(0, maxPools)
  const more = all.length - pools.length
  const symbolOf = (pool: Pool) => (newest ? namesIn(newest.analysis, pool).quote : '')
  return {
    id: 'project-holdings',
    kind: 'xy',
    title: 'Pool holdings over time',
    summary:
      pools.length === 0
        ? 'No pool found.'
        : `${pools.map((pool) => `${nameOfPool(pool)} holds ${heldText(pool, symbolOf(pool))}`).join('; ')}. Holdings do not show the result of a trade.`,
    x: { label: 'Reading', unit: 'UTC', scale: 'time' },
    panels: pools.map((pool, index) => ({
      id: `${index}`,
      title: holdingTitle(pool, symbolOf(pool), balancesOf(readings, pool)),
      y: { label: 'Held', unit: unitOf(pool, symbolOf(pool)), scale: 'linear', zero: true },
    })),
    table: {
      columns: holdingColumns,
      rows: pools.flatMap((pool, index) =>
        balancesOf(readings, pool).map(({ at, atoms }) => [
          ...[nameOfPool(pool), pool.quote.assetKey, at, atoms, `${index}`],
          atoms === null ? null : decimalOf(atoms, pool.quote.decimals ?? 0),
          unitOf(pool, symbolOf(pool)),
        ]),
      ),
    },
    series: pools.map((_, index) => heldSeries(`${index}`)),
    notes: [
      readings.length === 1 ? 'One reading.' : `${readings.length} readings.`,
      ...(more > 0 ? [`${more} more pools in the record.`] : []),
    ],
    empty: 'No pool found.',
  }
}

const heldSeries = (panel: string): ChartSeries => ({
  id: `held ${panel}`,
  label: 'Held',
  mark: 'line',
  role: 'observed',
  x: 'at',
  y: ['held'],
  where: { panel },
  panel,
})
const holdingColumns = columnsOf({
  pool: 'Pool',
  quote: 'Quote asset',
  at: ['Reading', 'UTC'],
  atoms: ['Held', 'atoms'],
  panel: 'Panel',
  held: 'Held amount',
  unit: 'Unit',
})

interface Balance {
  readonly at: string
  /** Quote atoms; null if unreadable. */
  readonly atoms: string | null
}

const balancesOf = (readings: DrawnProject['readings'], { address }: Pool): Balance[] =>
  readings.flatMap(({ analysis }) => {
    const pool = analysis.pools.find((one) => one.address === address)
    return pool ? [{ at: analysis.display.asOf, atoms: pool.heldQuote.value }] : []
  })

const unitOf = ({ quote: { decimals } }: Pool, symbol: string) =>
  decimals === null ? `atoms of ${symbol}` : symbol

const heldText = ({ heldQuote, quote }: Pool, symbol: string) =>
  heldQuote.value === null ? 'not read' : amountText(heldQuote.value, quote.decimals, symbol)

/** Pool, balance, and change since the first shown reading. */
function holdingTitle(pool: Pool, symbol: string, balances: readonly Balance[]): string {
  const since = changeSince(balances)
  return `${nameOfPool(pool)}: ${heldText(pool, symbol)}${since === '' ? '' : `, ${since}`}`
}

/** Change from the oldest to the newest known value, in %, rounded toward zero. */
function changeSince(balances: readonly Balance[]): string {
  const known = balances.flatMap(({ atoms }) => (atoms === null ? [] : [BigInt(atoms)]))
  const [first, last] = [known[0], known.at(-1)]
  if (first === undefined || last === undefined || known.length < 2) return ''
  if (first === 0n) return 'from zero'
  const tenths = ((last - first) * 1_000n) / first
  if (tenths === 0n) return last === first ? 'unchanged' : 'changed by less than 0.1 %'
  const size = tenths < 0n ? -tenths : tenths
  return `${tenths < 0n ? '−' : '+'}${size / 10n}.${size % 10n} % since the first shown`
}

/** Control findings of a token; unproven findings are marked as hints. */
function controlChart({ analysis }: Reading): ChartSpec {
  const lines = controlLines(analysis.control)
  const [block] = analysis.blocks
  return {
    id: 'token-control',
    kind: 'heat',
    title: 'Control of the token',
    summary: lines.map(({ question, answer }) => `${question} ${answer}.`).join(' '),
    x: named,
    table: {
      columns: controlColumns,
      rows: lines.map(({ question, answer, light }) => [
        ...[question, answer, answerWords[light], light],
      ]),
    },
    series: cellSeries('figure', { answer: 'Answer', status: ['Status', 'light'] }),
    classes: usedClasses(
      controlClasses,
      lines.map(({ light }) => light),
    ),
    notes: block ? [`Read at block ${block.number}, ${minuteOf(block.timestamp)} UTC.`] : [],
  }
}

const controlClasses: readonly ChartClass[] = [
  { value: 'plain', label: 'No finding', tone: 'good' },
  { value: 'look', label: 'Check this', tone: 'warn' },
  { value: 'unread', label: 'Not read', tone: 'neutral', isHatched: true },
]
const controlColumns = columnsOf({
  figure: 'Question',
  answer: 'Answer',
  status: 'Status',
  light: 'State',
})
