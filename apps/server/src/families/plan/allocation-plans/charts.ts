import {
  type ChartSeries,
  type ChartSpec,
  columnsOf,
  decimalOf,
  named,
  printValue,
} from '@liquidity-os/drawing'
import type { AllocationPlan } from './allocation-input.ts'

/** The charts of a plan. */
export const allocationCharts = (plan: AllocationPlan): ChartSpec[] =>
  [depthChart, frontierChart, pricesChart, flowChart].map((chart) => chart(plan))

type Target = AllocationPlan['achieved'][number]['target']

const unit = 'quote'
const quote = (atoms: string | bigint, { request: { pair } }: AllocationPlan) =>
  decimalOf(atoms, pair.quoteDecimals)
/** Whole units from 1,000, else three digits. */
function print(amount: string): string {
  const value = Number(amount)
  return printValue(Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3)))
}

/** Short label of a target. */
function targetName(plan: AllocationPlan, target: Target): string {
  const side = target.side === 'BUY' ? 'Buy' : 'Sell'
  return 'bandPips' in target
    ? `${side}, within ${target.bandPips / 10_000} %`
    : `${side} ${print(quote(target.sizeQuote, plan))} at ${target.maxSlippagePips / 10_000} %`
}

/** Existing depth, added depth and target, per target. */
function depthChart(plan: AllocationPlan): ChartSpec {
  const rows = plan.achieved.map(({ target, beforeQuote, exactQuote }) => {
    const wanted = quote('bandPips' in target ? target.minQuote : target.sizeQuote, plan)
    const added = BigInt(exactQuote) - BigInt(beforeQuote)
    const amounts = [beforeQuote, added > 0n ? added : 0n, exactQuote]
    const [before = '', more = '', after = ''] = amounts.map((atoms) => quote(atoms, plan))
    const note = `${print(after)} of ${print(wanted)}`
    return [targetName(plan, target), before, more, after, wanted, note] as const
  })
  const bar = { mark: 'bar', x: 'target', stack: 'depth' } as const
  return {
    id: 'allocation-depth',
    kind: 'bars',
    title: 'Depth before and after vs targets',
    summary:
      rows
        .map(
          ([name, before, , after, wanted]) =>
            `${name}: ${print(before)} before, ${print(after)} with the plan, target ${print(wanted)}.`,
        )
        .join(' ') || 'No depth quoted.',
    x: named,
    y: { label: 'Depth', unit, scale: 'linear' },
    table: { columns: depthColumns, rows },
    series: [
      { ...bar, id: 'before', label: 'Before', role: 'observed', y: ['before'] },
      { ...bar, id: 'added', label: 'Added by the plan', role: 'estimate', y: ['added'] },
      { id: 'target', label: 'Target', mark: 'tick', role: 'limit', x: 'target', y: ['wanted'] },
    ],
    note: 'note',
    empty: 'No depth quoted.',
  }
}

const depthColumns = columnsOf({
  target: 'Target',
  before: ['Before', unit],
  added: ['Added', unit],
  after: ['After', unit],
  wanted: ['Target depth', unit],
  note: 'Summary',
})

/** Attainment of all targets by capital, with the position of the plan. */
function frontierChart(plan: AllocationPlan): ChartSpec {
  const { frontier, achieved } = plan
  const capital = quote(plan.capitalQuote, plan)
  const pips = achieved.reduce((low, one) => Math.min(low, one.attainmentPips), 1_000_000)
  const met = decimalOf(`${pips}`, 4)
  const about = { role: 'estimate', x: 'capital', y: ['attainment'] } as const
  return {
    id: 'allocation-frontier',
    kind: 'xy',
    title: 'Target attainment by capital',
    summary: `Minimum share of the targets that each capital can meet, in ${frontier.length} steps. The plan uses ${print(capital)} and meets ${print(met)} %.`,
    x: { label: 'Capital', unit, scale: 'linear', zero: true },
    y: { label: 'Minimum attainment', unit: '%', scale: 'linear', zero: true },
    table: {
      columns: frontierColumns,
      rows: [
        ...frontier.map(({ capitalQuote, minAttainmentPips }) => {
          const share = minAttainmentPips === null ? null : decimalOf(`${minAttainmentPips}`, 4)
          return ['Attainable', quote(capitalQuote, plan), share]
        }),
        ...(achieved.length === 0 ? [] : [['Plan', capital, met]]),
      ],
    },
    series: [
      { ...about, id: 'attainable', label: 'Attainable', mark: 'line', where: attainable },
      { ...about, id: 'plan', label: 'Plan', mark: 'point', role: 'observed', where: ofPlan },
    ],
    markers:
      achieved.length === 0
        ? []
        : [{ at: capital, label: `Plan: ${print(capital)}`, tone: 'warn' }],
    empty: 'No capital steps.',
  }
}

const [attainable, ofPlan] = [{ kind: 'Attainable' }, { kind: 'Plan' }]
const frontierColumns = columnsOf({
  kind: 'Row',
  capital: ['Capital', unit],
  attainment: ['Minimum attainment', '%'],
})

/** Change in capital per 100 quote of a target or limit. */
function pricesChart(plan: AllocationPlan): ChartSpec {
  const rows = plan.shadowPrices
    .filter(({ stage }) => stage === 'CAPITAL')
    .toSorted((a, b) => Number(b.quotePerUnitX18) - Number(a.quotePerUnitX18))
    .map(({ constraint, quotePerUnitX18 }) => {
      const change = decimalOf(quotePerUnitX18, 16)
      const kind = /argets\./.test(constraint) ? 'TARGET' : 'LIMIT'
      return [constraintName(plan, constraint), change, kind, print(change), constraint] as const
    })
  return {
    id: 'allocation-prices',
    kind: 'bars',
    title: 'Shadow price of each constraint',
    summary:
      rows
        .map(([name, , kind, change]) =>
          kind === 'TARGET'
            ? `${name}: the next 100 quote require ${change} of capital.`
            : `${name}: 100 more quote would save ${change} of capital.`,
        )
        .join(' ') || 'No binding constraints.',
    x: named,
    y: { label: 'Capital for the next 100 quote', unit, scale: 'linear' },
    table: { columns: priceColumns, rows },
    series: [priceSeries],
    classes: [
      { value: 'TARGET', label: 'Target: capital required for more', tone: 'warn' },
      { value: 'LIMIT', label: 'Limit: capital saved if relaxed', tone: 'accent', isHatched: true },
    ],
    note: 'note',
    empty: 'No binding constraints.',
  }
}

const priceSeries: ChartSeries = {
  id: 'price',
  label: 'Shadow price',
  mark: 'bar',
  role: 'estimate',
  x: 'name',
  y: ['change'],
  class: 'kind',
}
const priceColumns = columnsOf({
  name: 'Constraint',
  change: ['Capital for the next 100 quote', unit],
  kind: 'Kind',
  note: 'Rounded',
  constraint: 'Field',
})

const limitNames: Readonly<Record<string, string>> = {
  'budget.base': 'Base budget',
  'budget.quote': 'Quote budget',
  'limits.perOptionPips': 'Share per option',
  'limits.perVenuePips': 'Share per venue',
  'limits.perChainPips': 'Chain share',
  'limits.turnoverQuote': 'Turnover',
  'limits.minPositionQuote': 'Minimum position',
  'risk.maxCvarQuote': 'CVaR',
}

/** Display name of a constraint; by default its field name. */
function constraintName(plan: AllocationPlan, constraint: string): string {
  const { targets, sizeTargets = [] } = plan.request
  const [list, at] = constraint.split('.')
  const places = list === 'targets' ? targets : list === 'sizeTargets' ? sizeTargets : []
  const target = places[Number(at)]
  return target ? targetName(plan, target) : (limitNames[constraint] ?? constraint)
}

/** Label of a venue: the end of its ID, because IDs of one day share a prefix. */
const venueName = (id: string) =>
  id.startsWith('venue_') ? `Venue …${id.slice(-8)}` : `Venue ${id}`

/** Flow of the allocated capital from the treasury to venues and options. */
function flowChart(plan: AllocationPlan): ChartSpec {
  const { allocation } = plan
  const sumOf = (parts: AllocationPlan['allocation']) =>
    parts.reduce((sum, { valueQuote }) => sum + BigInt(valueQuote), 0n)
  const treasury = `Treasury: ${print(quote(sumOf(allocation), plan))} ${unit}`
  const edge = (from: string, to: string, parts: AllocationPlan['allocation'], id: string) => {
    const amount = quote(sumOf(parts), plan)
    return [from, to, amount, `${print(amount)} ${unit}`, id]
  }
  const venues = [...Map.groupBy(allocation, ({ venueId }) => venueId)]
  const options = [...Map.groupBy(allocation, ({ optionId }) => optionId)]
  return {
    id: 'allocation-flow',
    kind: 'path',
    title: 'Allocation of the capital',
    summary:
      options
        .map(([optionId, own]) => {
          const [first] = own
          return `${print(quote(sumOf(own), plan))} to ${optionId} of ${first?.venueId}.`
        })
        .join(' ') || 'No allocation.',
    x: named,
    table: {
      columns: flowColumns,
      rows: [
        ...venues.map(([id, own]) => edge(treasury, venueName(id), own, id)),
        ...options.map(([option, own]) =>
          edge(venueName(own[0]!.venueId), option, own, own[0]!.venueId),
        ),
      ],
    },
    series: [flowSeries],
    note: 'note',
    empty: 'No allocation.',
  }
}

const flowSeries: ChartSeries = {
  id: 'flow',
  label: 'Allocation',
  mark: 'edge',
  role: 'estimate',
  x: 'from',
  y: ['to', 'amount'],
}
const flowColumns = columnsOf({
  from: 'From',
  to: 'To',
  amount: ['Amount', unit],
  note: 'Rounded',
  venueId: 'venueId',
})
