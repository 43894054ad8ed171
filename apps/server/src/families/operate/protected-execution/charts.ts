import {
  type ChartCells,
  type ChartClass,
  type ChartSeries,
  type ChartSpec,
  columnsOf,
  decimalOf,
  named,
  printValue,
} from '@liquidity-os/drawing'
import {
  type DrawnPlan,
  decimalsOf,
  meanPriceOf,
  nameOf,
  priceOf,
  shortHash,
} from './drawn-plan.ts'

/** The charts of a plan. */
export const executionCharts = (drawn: DrawnPlan): ChartSpec[] =>
  [ladderChart, staircaseChart, lanesChart, sandwichChart].map((chart) => chart(drawn))

type Plan = DrawnPlan['plan']
type Leg = Plan['legs'][number]

const price = 'quote per base'
const sold = 'sold tokens'
const digits = (value: number) => `${Number(value.toPrecision(12))}`
const print = (value: string | number) => printValue(Number(value))
const soldOf = (atoms: string, plan: Plan) => decimalOf(atoms, decimalsOf(plan).sell)
const legName = ({ kind, sourceId, maker }: Leg) => nameOf(kind, sourceId, maker)
/** The best price for the vault first. */
const compare = ({ side }: Plan, a: number, b: number) => (side === 'SELL' ? b - a : a - b)

interface Source {
  readonly name: string
  readonly sourceId: string
  readonly price: number
  /** Null if a pool accepts any amount. */
  readonly offered: string | null
  readonly used: string
  readonly reason: string
}

/** All prices of the set, best for the vault first, with the amount that the plan takes. */
function ladderChart(drawn: DrawnPlan): ChartSpec {
  const { plan } = drawn
  const sources = sourcesOf(drawn)
  const about = { mark: 'point', x: 'source', y: ['price'] } as const
  return {
    id: 'execution-price-ladder',
    kind: 'intervals',
    title: `Price ladder of ${plan.side === 'SELL' ? 'a sale' : 'a purchase'}`,
    summary: `${plan.legs.length} of ${sources.length} sources are used. ${sources
      .map(({ name, price: at, used }) => `${name}: ${print(at)}, takes ${print(used)}.`)
      .join(' ')}`,
    x: named,
    y: { label: 'Price', unit: price, scale: 'linear', zero: false },
    table: { columns: sourceColumns, rows: sources.map(sourceRow) },
    series: [
      { ...about, id: 'used', label: 'Used', role: 'observed', where: { state: 'used' } },
      { ...about, id: 'unused', label: 'Not used', role: 'estimate', where: { state: 'not used' } },
    ],
    note: 'note',
    empty: 'No source has a price.',
  }
}

const sourceColumns = columnsOf({
  source: 'Source',
  sourceId: 'Source ID',
  price: ['Price', price],
  offered: ['Offered', sold],
  used: ['Used', sold],
  state: 'State',
  reason: 'Reason',
  note: 'Summary',
})

/** The rank keeps quotes of one maker apart. */
function sourceRow(
  { name, sourceId, price: at, offered, used, reason }: Source,
  index: number,
): ChartCells {
  const isUsed = Number(used) > 0
  const size = offered === null ? 'any size' : print(offered)
  const note = isUsed ? `${print(used)} of ${size}, ${reason}` : `0 of ${size}, ${reason}`
  const state = isUsed ? 'used' : 'not used'
  return [`${index + 1} ${name}`, sourceId, digits(at), offered, used, state, reason, note]
}

function sourcesOf({ plan, set }: DrawnPlan): Source[] {
  const reasons = new Map(plan.rejected.map(({ sourceId, reason }) => [sourceId, reason]))
  const find = (sourceId: string) => plan.legs.find((leg) => leg.sourceId === sourceId)
  const usedOf = (sourceId: string) => soldOf(find(sourceId)?.sellAmount ?? '0', plan)
  const reasonOf = (sourceId: string) =>
    find(sourceId)?.route ?? reasons.get(sourceId) ?? 'NOT_USED'
  const about = (sourceId: string) => ({
    sourceId,
    used: usedOf(sourceId),
    reason: reasonOf(sourceId),
  })
  const quotes = (set?.quotes ?? []).map((quote): Source => {
    const { quoteHash, maker, unitPriceX36, sellAmount } = quote
    const name = nameOf('quote', quoteHash, maker)
    const offered = soldOf(sellAmount, plan)
    return { ...about(quoteHash), name, price: priceOf(unitPriceX36, plan), offered }
  })
  const pools = (set?.pools ?? []).map(({ venue: { id }, midX36 }): Source => {
    const name = nameOf('pool', id, null)
    return { ...about(id), name, price: priceOf(midX36, plan), offered: null }
  })
  const known = new Set([...quotes, ...pools].map(({ sourceId }) => sourceId))
  const others = plan.legs.flatMap((leg): Source[] => {
    const mean = meanPriceOf(leg, plan)
    if (known.has(leg.sourceId) || mean === null) return []
    const own = about(leg.sourceId)
    const offered = leg.kind === 'POOL' ? null : own.used
    return [{ ...own, name: legName(leg), price: mean, offered }]
  })
  return [...quotes, ...pools, ...others].toSorted((a, b) => compare(plan, a.price, b.price))
}

interface Step {
  readonly leg: Leg
  readonly name: string
  readonly mean: number
  readonly marginal: number
  /** Sold amount before this leg, and with it. */
  readonly from: number
  readonly to: number
}

function stepsOf(plan: Plan): Step[] {
  let sum = 0
  return plan.legs
    .flatMap((leg) => {
      const mean = meanPriceOf(leg, plan)
      if (mean === null) return []
      const marginal = leg.marginalPriceX36 === null ? mean : priceOf(leg.marginalPriceX36, plan)
      return [{ leg, mean, marginal, name: `${leg.legIndex} ${legName(leg)}` }]
    })
    .toSorted((a, b) => compare(plan, a.mean, b.mean))
    .map((step) => {
      const from = sum
      sum += Number(soldOf(step.leg.sellAmount, plan))
      return { ...step, from, to: sum }
    })
}

/** The marginal price of every leg over the sold amount, best first, with its mean price. */
function staircaseChart({ plan }: DrawnPlan): ChartSpec {
  const steps = stepsOf(plan)
  return {
    id: 'execution-staircase',
    kind: 'xy',
    title: 'Marginal price by leg',
    summary:
      steps
        .map(
          ({ name, marginal, from, to }) => `${name}: ${print(to - from)} at ${print(marginal)}.`,
        )
        .join(' ') || 'No leg has a price.',
    x: { label: 'Sold', unit: 'tokens', scale: 'linear', zero: true },
    y: { label: 'Price', unit: price, scale: 'linear' },
    table: {
      columns: stepColumns,
      rows: steps.flatMap(({ leg, name, mean, marginal, from, to }) =>
        [from, to].map(
          (at): ChartCells => [
            ...[`${leg.legIndex}`, name, digits(at), digits(marginal), digits(mean)],
            soldOf(leg.sellAmount, plan),
          ],
        ),
      ),
    },
    series: steps.flatMap(stepSeries),
    empty: 'No leg has a price.',
  }
}

function stepSeries({ leg, name, marginal }: Step): ChartSeries[] {
  const about = { mark: 'line', x: 'at', where: { leg: `${leg.legIndex}` } } as const
  const label = `${name}: ${print(marginal)}`
  return [
    { ...about, id: `${leg.legIndex}`, label, role: 'observed', y: ['marginal'] },
    { ...about, id: `${leg.legIndex} mean`, label: 'Mean of a leg', role: 'limit', y: ['mean'] },
  ]
}

const stepColumns = columnsOf({
  leg: 'Leg',
  source: 'Source',
  at: ['Sold so far', sold],
  marginal: ['Marginal price', price],
  mean: ['Mean price', price],
  sold: ['Sold', sold],
})

/** Latest transitions in the chart; the table has all. */
const maxTransitions = 6

const stateClasses: readonly ChartClass[] = [
  { value: 'PLANNED', label: 'Planned', tone: 'neutral', isHatched: true },
  { value: 'OPEN', label: 'In progress', tone: 'accent' },
  { value: 'RECONCILED', label: 'Reconciled', tone: 'good' },
  { value: 'ENDED', label: 'Ended without execution', tone: 'bad' },
]
const ended = ['REVERTED', 'REPLACED', 'CANCELLED', 'EXPIRED']
const classOf = (state: string) =>
  state === 'PLANNED' || state === 'RECONCILED' ? state : ended.includes(state) ? 'ENDED' : 'OPEN'

/** The transitions of each leg, each linked to the previous one by its hash. */
function lanesChart({ plan, beads }: DrawnPlan): ChartSpec {
  const lanes = plan.legs.map((leg) => {
    const own = beads.filter(({ legIndex }) => legIndex === leg.legIndex)
    return { leg, states: [{ to: 'PLANNED', hash: '' }, ...own] }
  })
  const count = Math.max(1, ...lanes.map(({ states }) => Math.min(states.length, maxTransitions)))
  return {
    id: 'execution-leg-lanes',
    kind: 'heat',
    title: 'Status of each leg',
    summary: lanes
      .map(({ leg, states }) => `Leg ${leg.legIndex}: ${states.map(({ to }) => to).join(', ')}.`)
      .join(' '),
    x: named,
    table: {
      columns: laneColumns,
      rows: lanes.flatMap(({ leg, states }) =>
        states.map(({ to, hash }, index): ChartCells => {
          const place = index - Math.max(0, states.length - maxTransitions) + 1
          const route = `${leg.route}${leg.call === null ? ', no call' : ''}`
          const words = `${to} ${hash === '' ? 'plan' : shortHash(hash)}`
          return [
            ...[`${leg.legIndex} ${legName(leg)}, ${route}`, `${index}`, `${place}`],
            ...[classOf(to), words, to, hash],
          ]
        }),
      ),
    },
    series: Array.from({ length: count }, (_, index) => laneSeries(`${index + 1}`)),
    classes: stateClasses,
    notes: [
      'Each transition contains the hash of the previous one.',
      ...(lanes.some(({ states }) => states.length > maxTransitions)
        ? [`Last ${maxTransitions} transitions of each leg.`]
        : []),
    ],
    empty: 'No legs.',
  }
}

const laneSeries = (place: string): ChartSeries => ({
  id: place,
  label: place,
  mark: 'cell',
  role: 'observed',
  x: 'leg',
  y: ['class', 'words'],
  where: { place },
})
const laneColumns = columnsOf({
  leg: 'Leg',
  sequence: 'Sequence',
  place: 'Column',
  class: 'Class',
  words: 'Summary',
  state: 'State',
  hash: 'transitionHash',
})

/** Upper bound of sandwich loss and the largest attack found, per leg and by route. */
function sandwichChart({ plan }: DrawnPlan): ChartSpec {
  const rows = plan.legs
    .toSorted((a, b) => (a.route < b.route ? -1 : a.route > b.route ? 1 : 0))
    .map((leg) => sandwichRow(leg, plan))
  return {
    id: 'execution-sandwich',
    kind: 'bars',
    title: 'Sandwich exposure by route',
    summary: rows
      .map(
        ([, , bound, , leg, route]) =>
          `Leg ${leg} by ${route}: at most ${print(bound!)} of the quote.`,
      )
      .join(' '),
    x: named,
    y: { label: 'Loss', unit: 'quote', scale: 'linear' },
    table: { columns: sandwichColumns, rows },
    series: sandwichSeries,
    note: 'note',
    empty: 'No legs.',
  }
}

const sandwichSeries: readonly ChartSeries[] = [
  {
    id: 'found',
    label: 'Best attack found',
    mark: 'bar',
    role: 'estimate',
    x: 'name',
    y: ['found'],
  },
  { id: 'bound', label: 'Upper bound', mark: 'tick', role: 'limit', x: 'name', y: ['bound'] },
]
const sandwichColumns = columnsOf({
  name: 'Leg and route',
  found: ['Best attack found', 'quote'],
  bound: ['Upper bound', 'quote'],
  note: 'Summary',
  leg: 'Leg',
  route: 'Route',
  boundSell: ['Upper bound', 'sold atoms'],
  foundSell: ['Best attack found', 'sold atoms'],
  frontRun: ['Front-run', 'sold atoms'],
})

function sandwichRow(leg: Leg, plan: Plan): ChartCells {
  const { boundSell = '0', foundSell = '0', frontRunSell = '0' } = leg.sandwich ?? {}
  const bound = decimalOf(leg.sandwichBoundQuote, plan.pair.quoteDecimals)
  // The found loss is in sold atoms; in quote it is the same share of its bound.
  const share = boundSell === '0' ? 0 : Number(foundSell) / Number(boundSell)
  const found = digits(Number(bound) * share)
  const note =
    leg.sandwich === null
      ? 'signed price, cannot move'
      : `${print(found)} of at most ${print(bound)}`
  return [
    ...[`${leg.legIndex} ${legName(leg)}, ${leg.route}`, found, bound, note],
    ...[`${leg.legIndex}`, leg.route, boundSell, foundSell, frontRunSell],
  ]
}
