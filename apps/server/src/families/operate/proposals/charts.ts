import type { contract } from '@liquidity-os/contract'
import {
  type ChartCells,
  type ChartClass,
  type ChartSeries,
  type ChartSpec,
  cellSeries,
  columnsOf,
  named,
  usedClasses,
} from '@liquidity-os/drawing'
import { decimalText } from '../../../reports/cell-text.ts'

type Proposal = contract.ProposalWorkspace
type Comparison = contract.ProposalComparison
type Metric = Comparison['proposals'][number]['metrics'][number]
type Effect = NonNullable<contract.ProposalSimulation['effects']>[number]

/** Chart input: a proposal or a comparison. */
export type DrawnProposal = { readonly proposal: Proposal } | { readonly comparison: Comparison }

/** Charts of a proposal (effects, approvals) or of a comparison. */
export const proposalCharts = (drawn: DrawnProposal): ChartSpec[] =>
  'comparison' in drawn
    ? [comparisonChart(drawn.comparison)]
    : [effectsChart(drawn.proposal), agreementChart(drawn.proposal)]

/** Both ends of an address or of a user id. */
const shorten = (text: string) =>
  text.length <= 20 ? text : `${text.slice(0, 8)}…${text.slice(-6)}`
/** The decimals of an arbitrary asset are unknown. */
const atoms = 'atomic units'
const atomsText = (amount: string) =>
  `${amount.replace('-', '−').replaceAll(/\B(?=(\d{3})+$)/g, ',')} atoms`
const codeText = (code: string) => code.toLowerCase().replaceAll('_', ' ')

/** Charted effects; the table has all. */
const maxEffects = 12

/** Simulated against expected change per asset. Each asset has a separate scale. */
function effectsChart({ simulation, title }: Proposal): ChartSpec {
  const { effects, state, block, method } = simulation
  const all = effects ?? []
  const panels = all.slice(0, maxEffects).map((_, index) => `${index}`)
  const by = method ? ` by ${method}` : ''
  return {
    id: 'proposal-effects',
    kind: 'bars',
    title: 'Simulated effects',
    summary: `${title}. Simulation ${state.toLowerCase()} at block ${block.number}${by}. ${all
      .slice(0, maxEffects)
      .map((effect) => `${effect.asset}: ${effectText(effect)}.`)
      .join(' ')}`,
    x: named,
    y: { label: 'Change of the Safe', unit: atoms, scale: 'linear', zero: true },
    panels: panels.map((id) => ({ id, title: '' })),
    table: {
      columns: effectColumns,
      rows: all.map((effect, index) => effectRow(effect, `${index}`)),
    },
    series: panels.flatMap((panel, index) =>
      effectSeries
        .slice(0, all[index]!.expected ? 2 : 1)
        .map((one) => ({ ...one, id: `${one.id} ${panel}`, panel, where: { panel } })),
    ),
    classes: usedClasses(effectClasses, all.map(classOf)),
    note: 'note',
    notes: all.length > maxEffects ? [`${all.length - maxEffects} more in the table.`] : [],
    empty: effects === null ? 'Effects unknown.' : 'No assets move.',
  }
}

const effectSeries: readonly ChartSeries[] = [
  {
    id: 'change',
    label: 'Simulated change',
    mark: 'bar',
    role: 'estimate',
    x: 'asset',
    y: ['change'],
    class: 'kind',
  },
  {
    id: 'expected',
    label: 'Expected range',
    mark: 'interval',
    role: 'limit',
    x: 'asset',
    y: ['low', 'high'],
  },
]
const effectClasses: readonly ChartClass[] = [
  { value: 'IN', label: 'Into the Safe', tone: 'accent' },
  { value: 'OUT', label: 'Out of the Safe', tone: 'hold' },
  { value: 'OUTSIDE', label: 'Outside the expected range', tone: 'bad', isHatched: true },
]
const effectColumns = columnsOf({
  panel: 'Scale',
  asset: 'Asset',
  change: ['Simulated', atoms],
  low: ['Expected minimum', atoms],
  high: ['Expected maximum', atoms],
  kind: 'Direction',
  note: 'Summary',
  within: 'Within the range',
  address: 'Address',
})

function classOf({ delta, isWithin }: Effect): string {
  if (isWithin === false) return 'OUTSIDE'
  return delta.startsWith('-') ? 'OUT' : 'IN'
}

function effectText({ delta, expected, isWithin }: Effect): string {
  const range = expected
    ? `, expected ${atomsText(expected.minimumDelta)} to ${atomsText(expected.maximumDelta)}`
    : ''
  return `${atomsText(delta)}${range}${isWithin === false ? ', unexpected' : ''}`
}

function effectRow(effect: Effect, panel: string): ChartCells {
  const { asset, delta, expected, isWithin } = effect
  const { minimumDelta = null, maximumDelta = null } = expected ?? {}
  return [
    ...[panel, shorten(asset), delta, minimumDelta, maximumDelta, classOf(effect)],
    ...[effectText(effect), isWithin === null ? null : isWithin ? 'yes' : 'no', asset],
  ]
}

/** Approvals against the quorum, checks, and the hashes for signers to compare, in hashing order. */
function agreementChart(proposal: Proposal): ChartSpec {
  const { approvals, approvalCount, review, phase, flags } = proposal
  const rows = [...approvalRows(proposal), ...checkRows(proposal), ...packetRows(proposal)]
  const given = approvals.map(
    ({ userId, at, self }) => `${shorten(userId)} at ${at}${self ? ' (preparer)' : ''}`,
  )
  return {
    id: 'proposal-agreement',
    kind: 'heat',
    title: `${approvalCount} of ${review.required} approvals: ${codeText(phase)}`,
    summary: `${given.join('; ') || 'No approvals yet'}. Expires ${review.expiresAt}. ${flags.length} flags. Approvals here record agreement. Only owner signatures on chain give authority.`,
    x: named,
    table: { columns: agreementColumns, rows },
    series: cellSeries('item', { state: ['State', 'class'], detail: 'Detail' }),
    classes: usedClasses(
      agreementClasses,
      rows.map(([, value = null]) => value),
    ),
    notes: ['The table has the full hashes. Compare them with your wallet.'],
  }
}

const agreementClasses: readonly ChartClass[] = [
  { value: 'SOUND', label: 'Given or checked', tone: 'good' },
  { value: 'WRONG', label: 'Needs attention', tone: 'bad' },
  { value: 'OPEN', label: 'Open', tone: 'neutral', isHatched: true },
]
const agreementColumns = columnsOf({
  item: 'Item',
  class: 'Class',
  state: 'State',
  detail: 'Detail',
  exact: 'Hash or user',
})

/** Approvals in the quorum, open ones, and others. */
function approvalRows({ approvals, review }: Proposal): ChartCells[] {
  const counts = ({ self }: Proposal['approvals'][number]) => !self || review.required === 1
  const rowOf = (name: string, { userId, at, self }: Proposal['approvals'][number]) => [
    ...[name, 'SOUND', `given ${at.slice(0, 10)}`],
    ...[`${shorten(userId)}${self ? ', preparer' : ''}`, userId],
  ]
  const counted = approvals.filter(counts)
  const open = review.required - counted.length
  return [
    ...counted.map((one, index) => rowOf(`Approval ${index + 1} of ${review.required}`, one)),
    ...(open > 0 ? [['Open approvals', 'OPEN', `${open} of ${review.required}`, '', null]] : []),
    ...approvals
      .filter((one) => !counts(one))
      .map((one) => rowOf('Approval of the preparer, not counted', one)),
  ]
}

function checkRows({ flags, simulation, sourceStates }: Proposal): ChartCells[] {
  const blocks = flags.filter(({ severity }) => severity === 'BLOCK').length
  const changed = sourceStates.filter(({ state }) => state === 'SUPERSEDED').length
  const checks = [
    ['Flags', blocks === 0, blocks === 0 ? 'no blocking flags' : `${blocks} blocking flags`],
    ['Simulation', simulation.state === 'COMPLETE', codeText(simulation.state)],
    ['Sources', changed === 0, changed === 0 ? 'current' : `${changed} sources changed`],
  ] as const
  return checks.map(([name, isSound, text]) => [
    ...[name, isSound ? 'SOUND' : 'WRONG', text, '', null],
  ])
}

const packetRows = ({ packets }: Proposal): ChartCells[] =>
  packets.flatMap(({ packetIndex, hashes, state }) => {
    const nonce = `nonce ${hashes.nonce}${hashes.isNonceFixed ? '' : ', next'}`
    const rowOf = (name: string, hash: string): ChartCells => [
      ...[name, '', '', `${hash.slice(0, 26)}…${hash.slice(-18)}`, hash],
    ]
    return [
      [`Packet ${packetIndex}`, '', codeText(state), nonce, null],
      rowOf('Domain hash', hashes.domainHash),
      rowOf('Message hash', hashes.messageHash),
      rowOf('Hash to sign', hashes.safeTxHash),
    ]
  })

const metricNames: Readonly<Record<string, string>> = {
  costQuote: 'Cost',
  minimumOut: 'Minimum output',
  priceImpactPips: 'Price impact',
  gasUnits: 'Gas',
  turnoverPips: 'Share of daily cap',
  smallestMarginPips: 'Margin to nearest limit',
  exposureAfterPips: 'Exposure after',
  irreversibleCalls: 'Irreversible calls',
  blockFlags: 'Blocking flags',
  warnFlags: 'Warning flags',
  oldestSourceSeconds: 'Oldest source age',
}
const directions = {
  LOWER: ', lower is better',
  HIGHER: ', higher is better',
  NEITHER: '',
} as const

/** Each figure per proposal, with the best value. No weighting. */
function comparisonChart({ proposals, relations, state }: Comparison): ChartSpec {
  const sentences = relations.flatMap((one) => sentencesOf(one, proposals))
  const rows = (proposals[0]?.metrics ?? []).map((metric) => metricRow(proposals, metric))
  return {
    id: 'proposal-comparison',
    kind: 'heat',
    title: state === 'COMPLETED' ? 'Proposals compared' : 'Proposals compared, incomplete data',
    summary: sentences.join(' '),
    x: named,
    table: {
      columns: columnsOf({
        figure: 'Figure',
        unit: 'Unit',
        better: 'Better',
        ...Object.assign({}, ...proposals.map(({ title }, index) => valueColumns(title, index))),
      }),
      rows,
    },
    series: cellSeries(
      'figure',
      Object.fromEntries(
        proposals.map(({ title }, index) => [
          `text ${index}`,
          [`${index + 1} ${title}`, `class ${index}`] as const,
        ]),
      ),
    ),
    classes: usedClasses(comparisonClasses, rows.flat()),
    notes: sentences,
  }
}

function metricRow(proposals: Comparison['proposals'], metric: Metric): ChartCells {
  const { metricId, unit, better } = metric
  const values = proposals.map(({ metrics }) => metricValue(metrics, metric))
  return [
    ...[`${metricNames[metricId] ?? metricId}${directions[better]}`, unit, better],
    ...values.flatMap((value) => [
      ...[value === null ? 'unknown' : valueText(value, unit), classIn(values, value, better)],
      value === null ? null : `${value}`,
    ]),
  ]
}

const valueColumns = (title: string, index: number) => ({
  [`text ${index}`]: `${index + 1} ${title}`,
  [`class ${index}`]: `${index + 1}, mark`,
  [`exact ${index}`]: `${index + 1}, exact value`,
})
const comparisonClasses: readonly ChartClass[] = [
  { value: 'BEST', label: 'Best value', tone: 'good' },
  { value: 'UNKNOWN', label: 'Unknown', tone: 'neutral', isHatched: true },
]

function metricValue(metrics: readonly Metric[], { metricId }: Metric): bigint | null {
  const value = metrics.find((one) => one.metricId === metricId)?.value ?? null
  return value === null ? null : BigInt(value)
}

/** A value is the best one if no other is better, and not all are equal. */
function classIn(
  values: readonly (bigint | null)[],
  value: bigint | null,
  better: Metric['better'],
): string {
  if (value === null) return 'UNKNOWN'
  const known = values.filter((one) => one !== null)
  const isBest = known.every((one) => (better === 'LOWER' ? value <= one : value >= one))
  const isEqual = known.every((one) => one === value)
  return better !== 'NEITHER' && isBest && !isEqual ? 'BEST' : ''
}

function valueText(value: bigint, unit: Metric['unit']): string {
  switch (unit) {
    case 'PIPS':
      return `${decimalText(value, 4)} %`
    case 'SECONDS':
      return `${decimalText(value, 0)} s`
    case 'QUOTE_ATOMS':
      return `${decimalText(value, 0)} quote atoms`
    case 'ATOMS':
      return `${decimalText(value, 0)} output atoms`
    default:
      return decimalText(value, 0)
  }
}

const relationTexts = {
  DOMINATES: 'is no worse in any figure than',
  DOMINATED: 'is no better in any figure than',
  TRADE_OFF: 'is a trade-off against',
  EQUAL: 'is equal in every figure to',
} as const

/** Relation of two proposals, then their different figures. */
function sentencesOf(
  { first, second, relation, betterIn, worseIn, notCompared }: Comparison['relations'][number],
  proposals: Comparison['proposals'],
): string[] {
  const nameOf = (id: string) => proposals.findIndex(({ proposal }) => proposal.id === id) + 1
  const namesOf = (ids: readonly string[]) =>
    ids.map((id) => (metricNames[id] ?? id).toLowerCase()).join(', ')
  return [
    `${nameOf(first)} ${relationTexts[relation]} ${nameOf(second)}.`,
    ...(betterIn.length > 0 ? [`– better in ${namesOf(betterIn)}`] : []),
    ...(worseIn.length > 0 ? [`– worse in ${namesOf(worseIn)}`] : []),
    ...(notCompared.length > 0 ? [`– not compared, data missing: ${namesOf(notCompared)}`] : []),
  ]
}
