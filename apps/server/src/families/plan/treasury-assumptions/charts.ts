import {
  type ChartCells,
  type ChartClass,
  type ChartSpec,
  cellSeries,
  columnsOf,
  named,
} from '@liquidity-os/drawing'
import { assetWords } from '../../../market/treasury/asset-words.ts'
import {
  amountWords,
  type DrawnAssumptions,
  type Element,
  elementsOf,
  type Fate,
  type Line,
  movedWords,
  ownMoves,
  type Scenario,
  signedPercent,
} from './element-changes.ts'
import { lineAmounts } from './line-amounts.ts'
import { priceKey } from './normal-form.ts'
import { scheduleWords } from './schedule-words.ts'

/** The charts of a version. Both mark the changes since the previous version. */
export const assumptionCharts = (drawn: DrawnAssumptions): ChartSpec[] => [
  linesChart(drawn),
  scenariosChart(drawn),
]

type Price = Scenario['prices'][number]

const changeColumn = { change: ['Change', 'fate'] } as const

const fates: readonly (ChartClass & { readonly value: Fate })[] = [
  { value: 'ADDED', label: '+ new since the previous version', tone: 'accent' },
  { value: 'CHANGED', label: '~ changed, with previous value', tone: 'warn' },
  { value: 'REMOVED', label: '− removed', tone: 'neutral', isHatched: true },
]
const classesOf = (elements: readonly Element<unknown>[]) =>
  fates.filter(({ value }) => elements.some(({ fate }) => fate === value))

/** Class and text of the change of an element: the class is empty if it is unchanged. */
function changeCells({ fate }: Element<unknown>, moved: string): [string, string] {
  if (fate === 'KEPT') return ['', '']
  return [fate, { ADDED: '+ new', CHANGED: `~ ${moved}`, REMOVED: '− removed' }[fate]]
}

/** Assumed inflows and outflows by line, with changes since the previous version. */
function linesChart(drawn: DrawnAssumptions): ChartSpec {
  const { assumptions, changes } = drawn
  const elements = elementsOf(changes, 'lines', assumptions.lines, ({ lineId }) => lineId)
  const own = ownMoves(changes)
  const quoteKey = own.find(({ path }) => path === 'quoteKey')?.from ?? assumptions.quoteKey
  const { label, startMonth, horizonMonths, minimumCashQuote } = assumptions
  const minimum = amountWords(drawn, assumptions.quoteKey, minimumCashQuote)
  return {
    id: 'assumptions-lines',
    kind: 'heat',
    title: 'Assumed cash flows',
    summary: describeLines(drawn, elements),
    x: named,
    table: { columns: lineColumns, rows: elements.map((element) => lineRow(drawn, element)) },
    series: cellSeries('name', {
      flow: 'Cash flow',
      certainty: 'Certainty',
      total: 'Over the horizon',
      ...changeColumn,
    }),
    classes: classesOf(elements),
    notes: [
      `${label}: ${horizonMonths} months from ${startMonth}, minimum cash ${minimum}.`,
      ...(own.length > 0 ? [`${movedWords(drawn, own, String(quoteKey))}.`] : []),
    ],
    empty: 'No assumed cash flows.',
  }
}

const lineColumns = columnsOf({
  lineId: 'Line',
  name: 'Label',
  flow: 'Cash flow',
  certainty: 'Certainty',
  total: 'Over the horizon',
  change: 'Change',
  category: 'Category',
  assetKey: 'Asset',
  amount: ['Amount', 'atoms'],
  sum: ['Over the horizon', 'atoms'],
  fate: 'Since the previous version',
})

/** Total of a line over the horizon, with growth, before any scenario. */
const totalOf = ({ assumptions }: DrawnAssumptions, line: Line): bigint =>
  lineAmounts(line, assumptions).reduce((sum, atoms) => sum + atoms, 0n)

function lineRow(drawn: DrawnAssumptions, element: Element<Line>): ChartCells {
  const { value, moved } = element
  const { lineId, label, category, assetKey, amount, certainty, probabilityPips } = value
  const sign = value.direction === 'INFLOW' ? '+' : '−'
  const growth =
    value.growthAnnualPips === 0 ? '' : `, ${signedPercent(value.growthAnnualPips)} per year`
  const flow = `${sign}${amountWords(drawn, assetKey, amount)}, ${scheduleWords(value.schedule)}${growth}`
  const chance = probabilityPips === undefined ? '' : ` ${probabilityPips / 10_000} %`
  const total = totalOf(drawn, value)
  const movedKey = moved.find(({ path }) => path === 'assetKey')?.from ?? assetKey
  const [fate, change] = changeCells(element, movedWords(drawn, moved, String(movedKey)))
  return [
    ...[lineId, label, flow, `${certainty.toLowerCase()}${chance}, ${category}`],
    ...[`${sign}${amountWords(drawn, assetKey, total)}`, change, category, assetKey, amount],
    ...[`${total}`, fate],
  ]
}

function describeLines(drawn: DrawnAssumptions, elements: readonly Element<Line>[]): string {
  const { lines, startMonth, horizonMonths } = drawn.assumptions
  const count = (fate: Fate) => elements.filter((element) => element.fate === fate).length
  const moved = `${count('ADDED')} new, ${count('CHANGED')} changed, ${count('REMOVED')} removed since the previous version`
  return `${lines.length} lines over ${horizonMonths} months from ${startMonth}; ${moved}.`
}

/** Scenarios of the projection, with the changes since the previous version. */
function scenariosChart(drawn: DrawnAssumptions): ChartSpec {
  const { assumptions, changes } = drawn
  const elements = elementsOf(changes, 'scenarios', assumptions.scenarios, (one) => one.scenarioId)
  return {
    id: 'assumptions-scenarios',
    kind: 'heat',
    title: 'Projection scenarios',
    summary: elements
      .map(({ value }) => `${value.label}: ${priceWords(value.prices).join(', ')}.`)
      .join(' '),
    x: named,
    table: {
      columns: scenarioColumns,
      rows: elements.map((element) => scenarioRow(drawn, element)),
    },
    series: cellSeries('name', {
      inflows: 'Inflows',
      outflows: 'Outflows',
      delay: 'Inflow delay',
      shown: 'Prices',
      ...changeColumn,
    }),
    classes: classesOf(elements),
    empty: 'No scenarios.',
  }
}

const scenarioColumns = columnsOf({
  scenarioId: 'Scenario',
  name: 'Label',
  inflows: 'Inflows',
  outflows: 'Outflows',
  delay: 'Inflow delay',
  shown: 'Prices in the chart',
  change: 'Change',
  prices: 'Prices',
  fate: 'Since the previous version',
})

/** Prices of a scenario in the chart; the table has all. */
const maxPrices = 12

function scenarioRow(drawn: DrawnAssumptions, element: Element<Scenario>): ChartCells {
  const { value, moved } = element
  const { scenarioId, label, inflowMultiplierPips, outflowMultiplierPips } = value
  const prices = priceWords(value.prices)
  const more = prices.length - maxPrices
  const shown = [...prices.slice(0, maxPrices), ...(more > 0 ? [`${more} more in the table`] : [])]
  const delay = value.inflowDelayMonths === 0 ? 'none' : `${value.inflowDelayMonths} months`
  const [fate, change] = changeCells(element, movedWords(drawn, moved))
  return [
    ...[scenarioId, label, `${inflowMultiplierPips / 10_000} %`],
    ...[`${outflowMultiplierPips / 10_000} %`, delay, shown.join('; '), change, prices.join('; ')],
    fate,
  ]
}

/** Short descriptions of price changes; a fixed text if prices are constant. */
function priceWords(prices: readonly Price[]): string[] {
  const moving = prices.filter(({ path }) => path.kind !== 'HOLD')
  return moving.length === 0
    ? ['all constant']
    : moving.map((price) => {
        const of = 'tier' in price ? price.tier : assetWords(priceKey(price))
        return `${of} ${pathWords(price.path)}`
      })
}

function pathWords(path: Price['path']): string {
  switch (path.kind) {
    case 'HOLD':
      return 'holds'
    case 'STEP':
      return `${signedPercent(path.movePips)} from ${path.month}`
    case 'LINEAR':
      return `${signedPercent(path.movePips)} by the end, linear`
    case 'PATH': {
      const last = path.movesPips.at(-1) ?? 0
      const min = Math.min(...path.movesPips)
      return `monthly, ${signedPercent(min)} at worst, ${signedPercent(last)} at the end`
    }
  }
}
