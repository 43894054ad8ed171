import type { contract } from '@liquidity-os/contract'
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
import { dayMilliseconds, hourSeconds } from '../../../units.ts'

/** A plan with its timeline. */
export interface DrawnLaunch {
  readonly plan: contract.LaunchPlan
  readonly timeline: contract.LaunchTimeline
}

type Timeline = contract.LaunchTimeline
type Step = Timeline['events'][number]
type Mechanism = contract.LaunchPlan['computed']['mechanisms'][number]

/** Charts of a plan: timeline, circulating supply, and price effect per mechanism. */
export const launchCharts = ({ plan, timeline }: DrawnLaunch): ChartSpec[] => [
  timelineChart(timeline),
  supplyChart(plan),
  pricesChart(plan),
]

/** Steps in topological order, with their states and the lights of their gates. */
function timelineChart(timeline: Timeline): ChartSpec {
  const { events, launchAt, evaluatedAt } = timeline
  const times = events.flatMap(({ plannedAt, latestFinish }) => [plannedAt, latestFinish])
  const kinds = new Set(events.map(kindOf))
  const isAround = times.some((at) => at < evaluatedAt) && times.some((at) => at > evaluatedAt)
  return {
    id: 'launch-timeline',
    kind: 'timeline',
    title: 'Launch timeline',
    summary: describeTimeline(timeline),
    x: named,
    y: { label: 'Time', unit: 'UTC', scale: 'time' },
    table: { columns: stepColumns, rows: events.map(stepRow) },
    series: stepSeries,
    classes: stepClasses.filter(({ value }) => kinds.has(value)),
    markers: [
      { at: launchAt, label: 'Launch', tone: 'accent' },
      ...(isAround ? [{ at: evaluatedAt, label: 'Now', tone: 'neutral' as const }] : []),
    ],
    note: 'note',
    notes: [`${phaseOf(timeline)}.`],
    empty: 'No steps planned.',
  }
}

const onStep = { x: 'title', role: 'assumption' } as const
const stepSeries: readonly ChartSeries[] = [
  { ...onStep, id: 'step', label: 'Step', mark: 'span', y: ['begin', 'end'], class: 'kind' },
  { ...onStep, id: 'planned', label: 'Planned start', mark: 'tick', role: 'limit', y: ['planned'] },
]
const stepClasses: readonly ChartClass[] = [
  { value: 'CRITICAL', label: 'Critical', tone: 'bad' },
  { value: 'CRITICAL BLOCKED', label: 'Critical and blocked', tone: 'bad', isHatched: true },
  { value: 'SLACK', label: 'Slack', tone: 'accent' },
  { value: 'SLACK BLOCKED', label: 'Slack and blocked', tone: 'accent', isHatched: true },
  { value: 'DONE', label: 'Done', tone: 'neutral' },
]
const stepColumns = columnsOf({
  title: 'Step',
  begin: ['Start', 'UTC'],
  end: ['End', 'UTC'],
  planned: ['Planned start', 'UTC'],
  kind: 'Path',
  note: 'Summary',
  key: 'Key',
  state: 'State',
  earliest: ['Earliest start', 'UTC'],
  latest: ['Latest finish', 'UTC'],
  slack: ['Slack', 'seconds'],
  blockedBy: 'Depends on',
  gate: 'Gate',
  detail: 'Gate status',
})

function kindOf({ state, critical: isCritical }: Step): string {
  if (state === 'DONE') return 'DONE'
  return `${isCritical ? 'CRITICAL' : 'SLACK'}${state === 'BLOCKED' ? ' BLOCKED' : ''}`
}

function stepRow(step: Step): ChartCells {
  const { title, key, state, plannedAt, earliestStart, latestFinish, slackSeconds } = step
  return [
    ...[title, ...spanOf(step), plannedAt, kindOf(step), noteOf(step)],
    ...[key, state, earliestStart, latestFinish, `${slackSeconds}`, step.blockedBy.join(' ')],
    ...[step.gate?.kind ?? null, step.gateResult?.detail ?? null],
  ]
}

/**
 * Open steps start at their earliest start. Completed steps run from the planned time to
 * completion.
 */
function spanOf({ plannedAt, earliestStart, doneAt, durationSeconds }: Step): [string, string] {
  if (doneAt !== null) return [plannedAt < doneAt ? plannedAt : doneAt, doneAt]
  const end = Date.parse(earliestStart) + durationSeconds * 1000
  return [earliestStart, new Date(end).toISOString()]
}

const gateWords = { SATISFIED: 'gate met', OPEN: 'gate not met', UNKNOWN: 'gate not read' } as const

function noteOf({ state, slackSeconds, critical: isCritical, gate, gateResult }: Step): string {
  const days = Math.round((slackSeconds * 1000) / dayMilliseconds)
  const slack = state === 'DONE' ? '' : isCritical ? ', critical' : `, ${days} d slack`
  const light = gate ? `, ${gateWords[gateResult?.result ?? 'UNKNOWN']}` : ''
  return `${state.toLowerCase()}${slack}${light}`
}

function phaseOf({ phase, launchAt, forecastLaunchAt }: Timeline): string {
  const slip = Math.round((Date.parse(forecastLaunchAt) - Date.parse(launchAt)) / dayMilliseconds)
  const late = slip > 0 ? `, forecast ${slip} days later` : ''
  return `Phase ${phase.toLowerCase()}, launch ${launchAt.slice(0, 10)}${late}`
}

function describeTimeline({ events, criticalPath }: Timeline): string {
  const count = (state: Step['state']) => events.filter((step) => step.state === state).length
  const shut = events.filter(({ gateResult }) => gateResult && gateResult.result !== 'SATISFIED')
  return `${events.length} steps: ${count('DONE')} done, ${count('READY')} ready, ${count('BLOCKED')} blocked, ${count('LATE')} late. ${shut.length} gates are not satisfied. Critical: ${criticalPath.join(', ') || 'nothing'}.`.slice(
    0,
    900,
  )
}

/** Exact allocation of the supply, and the circulating share by month. */
function supplyChart({ request, computed }: contract.LaunchPlan): ChartSpec {
  const { allocations, totalSupply } = request
  const share = (tokens: string) =>
    decimalOf((BigInt(tokens) * 1_000_000n) / BigInt(totalSupply), 4)
  const shares = computed.circulating.map(({ tokens }) => share(tokens))
  const [first = '0', last = '0'] = [shares[0], shares.at(-1)]
  const supply = totalSupply.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  return {
    id: 'launch-supply',
    kind: 'bars',
    title: 'Supply and unlocked share',
    summary: `${allocations.length} allocations of a supply of ${supply} atoms. ${Number(first).toFixed(2)} % of the supply is unlocked at the launch, ${Number(last).toFixed(2)} % five years later.`,
    x: { label: 'Time since the launch', unit: 'months', scale: 'linear' },
    panels: supplyPanels,
    table: {
      columns: supplyColumns,
      rows: [
        ...allocations.map(({ bucket, tokens }) => [
          ...['allocations', bucket, null, share(tokens), null, tokens],
        ]),
        ...computed.circulating.map(({ at, tokens }, month) => [
          ...['unlocked', null, `${month}`, share(tokens), at, tokens],
        ]),
      ],
    },
    series: supplySeries,
    empty: 'No allocations.',
  }
}

const supplyShare = { label: 'Share of the supply', unit: '%', scale: 'linear' } as const
const supplyPanels = [
  {
    id: 'allocations',
    title: 'Allocations',
    x: named,
    y: supplyShare,
  },
  { id: 'unlocked', title: 'Unlocked share', y: supplyShare },
] as const
const onSupply = { role: 'assumption', y: ['share'] } as const
const supplySeries: readonly ChartSeries[] = [
  {
    ...onSupply,
    id: 'allocations',
    label: 'Allocated',
    mark: 'bar',
    x: 'bucket',
    panel: 'allocations',
    where: { panel: 'allocations' },
  },
  {
    ...onSupply,
    id: 'unlocked',
    label: 'Unlocked',
    mark: 'area',
    x: 'month',
    panel: 'unlocked',
    where: { panel: 'unlocked' },
  },
]
const supplyColumns = columnsOf({
  panel: 'Chart',
  bucket: 'Allocation',
  month: ['Since the launch', 'months'],
  share: ['Share of the supply', '%'],
  at: ['Time', 'UTC'],
  tokens: ['Tokens', 'token atoms'],
})

const mechanismNames: Readonly<Record<Mechanism['kind'], string>> = {
  V2_SEED: 'Constant product',
  V3_SEED: 'Ranges',
  LBP: 'Bootstrapping pool',
  CCA: 'Clearing auction',
  DUTCH_DYNAMIC: 'Dutch auction',
  FIXED_PRICE: 'Fixed price',
}

/** Price of every mechanism under equal demand, and without demand. */
function pricesChart({ computed: { mechanisms } }: contract.LaunchPlan): ChartSpec {
  const points = mechanisms.flatMap(({ quiet, outcome }) => [...quiet, ...(outcome?.path ?? [])])
  const last = Math.max(0, ...points.map(({ atSeconds }) => atSeconds))
  const sold = mechanisms.filter(({ outcome }) => outcome !== null).length
  return {
    id: 'launch-prices',
    kind: 'xy',
    title: 'Mechanisms compared on the same demand',
    summary: `${mechanisms.length} mechanisms, ${sold} of them simulated with an assumed demand. The model has no resale during the sale.`,
    x: { label: 'Time since the sale opens', unit: 'hours', scale: 'linear', zero: true },
    y: { label: 'Price', unit: 'quote atoms per token atom', scale: 'linear', zero: true },
    panels: [
      { id: 'with', title: 'With the assumed demand' },
      { id: 'none', title: 'Without demand' },
    ],
    table: {
      columns: priceColumns,
      rows: mechanisms.flatMap((mechanism, index) => priceRows(mechanism, `${index}`, last)),
    },
    series: mechanisms.flatMap(({ kind }, index): ChartSeries[] => {
      const about = { label: mechanismNames[kind], role: 'observed', x: 'hours' } as const
      return (['with', 'none'] as const).map((demand) => ({
        ...about,
        id: `${index} ${demand}`,
        mark: demand === 'with' ? 'step' : 'line',
        y: ['price'],
        where: { index: `${index}`, demand },
        panel: demand,
      }))
    }),
    notes: mechanisms.map(describeOutcome),
    empty: 'No mechanism computed.',
  }
}

const priceColumns = columnsOf({
  index: 'Number',
  mechanism: 'Mechanism',
  demand: 'Demand',
  hours: ['Time since the sale opens', 'hours'],
  price: ['Price', 'quote atoms per token atom'],
  sold: ['Sold', 'token atoms'],
  raised: ['Raised', 'quote atoms'],
  filled: 'Bids filled',
  succeeds: 'Succeeds',
})

/** Points of both curves, and the result. The last price applies to the end of the sale. */
function priceRows({ kind, quiet, outcome }: Mechanism, index: string, last: number): ChartCells[] {
  const none = Array(4).fill(null)
  const curveRows = (demand: string, curve: typeof quiet) => {
    const end = curve.at(-1)
    const points = end && end.atSeconds < last ? [...curve, { ...end, atSeconds: last }] : curve
    return points.map(({ atSeconds, priceX36 }) => [
      ...[index, mechanismNames[kind], demand, `${atSeconds / hourSeconds}`],
      ...[decimalOf(priceX36, 36), ...none],
    ])
  }
  const result: ChartCells[] = outcome
    ? [
        [
          ...[index, mechanismNames[kind], 'result', null],
          outcome.averagePriceX36 === null ? null : decimalOf(outcome.averagePriceX36, 36),
          ...[outcome.sold, outcome.raised, `${outcome.filled}`],
          outcome.isSuccessful ? 'yes' : 'no',
        ],
      ]
    : []
  return [...curveRows('with', outcome?.path ?? []), ...curveRows('none', quiet), ...result]
}

function describeOutcome({ kind, outcome, missing }: Mechanism): string {
  if (!outcome) return `${mechanismNames[kind]}: ${missing ?? 'no assumed demand'}.`
  const [sold, raised] = [outcome.sold, outcome.raised].map((atoms) => printValue(Number(atoms)))
  const back = outcome.isSuccessful ? '' : ', and pays back'
  return `${mechanismNames[kind]}: sells ${sold} atoms for ${raised}, fills ${outcome.filled} of ${outcome.bids} bids${back}.`
}
