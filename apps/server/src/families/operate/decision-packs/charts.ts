import {
  type ChartCells,
  type ChartClass,
  type ChartSpec,
  cellSeries,
  classedSeries,
  columnsOf,
  named,
  usedClasses,
} from '@liquidity-os/drawing'
import { countedApprovals } from './approvals.ts'
import { dayOf, differenceWords, stateWords, valueWords } from './document/words.ts'
import type { Pack, PackRecord } from './pack-types.ts'

/** A packet: the part that charts use. */
export type DrawnPack = Pick<PackRecord, 'status' | 'payload'>

type Row = Pack['comparison']['rows'][number]
type Compared = Pack['comparison']['options'][number]
type Evidence = Pack['evidence'][number]

/** The charts of a packet: comparison of the alternatives, and evidence with approvals. */
export const packCharts = (drawn: DrawnPack): ChartSpec[] => [
  alternativesChart(drawn),
  evidenceChart(drawn),
]

/** Each figure per alternative with its difference from the status quo, best values and breaches. */
function alternativesChart(drawn: DrawnPack): ChartSpec {
  const { options, comparison } = drawn.payload
  const { rows } = comparison
  const broken = comparison.options.filter(({ breaks }) => breaks.length > 0).length
  return {
    id: 'decision-alternatives',
    kind: 'heat',
    title: 'Alternatives compared',
    summary: `${options.length} alternatives by ${rows.length} figures. ${broken} break a limit. Every figure has a source record in the packet.`,
    x: named,
    table: {
      columns: columnsOf({
        figure: 'Figure',
        unit: 'Unit',
        ...Object.assign({}, ...options.map(({ label }, index) => optionColumns(label, index))),
      }),
      rows: [...rows.map((row) => figureRow(drawn.payload, row)), ...resultRows(drawn.payload)],
    },
    series: cellSeries(
      'figure',
      Object.fromEntries(
        options.map(({ label }, index) => [
          `text ${index}`,
          [`${index + 1} ${label}`, `mark ${index}`] as const,
        ]),
      ),
    ),
    classes: usedClasses(
      figureClasses,
      rows.flatMap((row) => row.cells.map((_, index) => markOf(drawn.payload, row, index))),
    ),
    notes: [`${stateWords(drawn)}.`, ...(rows.length === 0 ? ['No figures bound.'] : [])],
  }
}

const optionColumns = (label: string, index: number) => ({
  [`text ${index}`]: `${index + 1} ${label}`,
  [`mark ${index}`]: `${index + 1} ${label}, mark`,
  [`exact ${index}`]: `${index + 1} ${label}, exact value`,
})

const figureClasses: readonly ChartClass[] = [
  { value: 'BEST', label: 'Best value', tone: 'good' },
  { value: 'BROKEN', label: 'Breaks a limit', tone: 'bad' },
]

function markOf({ comparison }: Pack, { metricId, cells }: Row, index: number): string {
  const breaks = comparison.options[index]?.breaks ?? []
  if (breaks.some((one) => one.metricId === metricId)) return 'BROKEN'
  return cells[index]?.isBest ? 'BEST' : ''
}

/** A value with its difference from the status quo. */
export function figureText(pack: Pack, row: Row, index: number): string {
  const cell = row.cells[index]
  const value = valueWords(pack, row, cell?.value ?? null)
  const difference = pack.options[index]?.statusQuo
    ? ''
    : differenceWords(pack, row, cell?.difference ?? null)
  return difference === '' ? value : `${value} (${difference})`
}

const figureRow = (pack: Pack, row: Row): ChartCells => [
  ...[row.label, row.unit],
  ...row.cells.flatMap(({ value }, index) => [
    ...[figureText(pack, row, index), markOf(pack, row, index)],
    value === null ? null : `${value}`,
  ]),
]

/** Role and result per alternative. */
function resultRows(pack: Pack): ChartCells[] {
  const { options, comparison } = pack
  const nameOf = (id: string) => options.find(({ optionId }) => optionId === id)?.label ?? id
  const rowOf = (name: string, textOf: (compared: Compared, index: number) => string) => [
    ...[name, null],
    ...comparison.options.flatMap((one, index) => [textOf(one, index) || '–', '', null]),
  ]
  return [
    rowOf('Role', (_, index) => roleOf(pack, index)),
    rowOf('Criteria in favor', ({ supportPips }) =>
      supportPips === null ? '' : `${supportPips / 10_000} %`,
    ),
    rowOf('Limit breaches', ({ breaks }) => `${breaks.length}`),
    rowOf('No better than', ({ dominatedBy }) => dominatedBy.map(nameOf).join(', ')),
  ]
}

function roleOf({ outcome, recommendation, options }: Pack, index: number): string {
  const option = options[index]
  if (outcome?.optionId === option?.optionId) return 'approved'
  if (recommendation?.optionId === option?.optionId) return 'recommended'
  return option?.statusQuo ? 'status quo' : ''
}

const endOf = ({ observedAt, maximumAgeSeconds }: Evidence) =>
  Date.parse(observedAt) + maximumAgeSeconds * 1000

/** Validity of the evidence relative to the decision date, and the approvals so far. */
function evidenceChart({ payload: pack }: DrawnPack): ChartSpec {
  const { evidence, approvals, quorum, dissent, outcome, decisionBy } = pack
  const valid = evidence.filter((one) => endOf(one) >= Date.parse(decisionBy)).length
  const rows = [...approvalRows(pack), ...evidenceRows(pack)]
  const decided = outcome && `${outcome.decision.toLowerCase()} on ${dayOf(outcome.decidedAt)}`
  return {
    id: 'decision-evidence',
    kind: 'timeline',
    title: 'Evidence and approvals',
    summary: `${valid} of ${evidence.length} records are still valid on the decision date. ${countedApprovals(approvals)} of ${quorum.approvals} approvals count. Objections: ${dissent.length}.`,
    x: named,
    y: { label: 'Time', unit: 'UTC', scale: 'time' },
    table: { columns: evidenceColumns, rows },
    series: [classedSeries('span', 'Validity', ['name', 'from', 'to'], 'state')],
    classes: usedClasses(
      evidenceClasses,
      rows.map(([, , , state = null]) => state),
    ),
    markers: [{ at: decisionBy, label: `Decide by ${decisionBy.slice(0, 10)}`, tone: 'accent' }],
    note: 'note',
    notes: [
      ...(decided ? [`Decision: ${decided}.`] : []),
      ...(evidence.length === 0 ? ['No records bound.'] : []),
      ...(dissent.length > 0 ? [`Objections: ${dissent.length}.`] : []),
    ],
  }
}

const evidenceClasses: readonly ChartClass[] = [
  { value: 'VALID', label: 'Valid on the decision date', tone: 'good' },
  { value: 'EXPIRES', label: 'Expires before', tone: 'bad' },
  { value: 'GIVEN', label: 'Approval', tone: 'accent' },
  { value: 'OPEN', label: 'Open approval', tone: 'neutral', isHatched: true },
]
const evidenceColumns = columnsOf({
  name: 'Record or approval',
  from: ['From', 'UTC'],
  to: ['Shown until', 'UTC'],
  state: 'State',
  note: 'Summary',
  validUntil: ['Valid until', 'UTC'],
  record: 'Record',
  version: 'Version',
  engine: 'Engine',
  gaps: 'Data gaps',
})

function evidenceRows(pack: Pack): ChartCells[] {
  const by = Date.parse(pack.decisionBy)
  const first = Math.min(by, ...pack.evidence.map(({ observedAt }) => Date.parse(observedAt)))
  // A record that is valid for years would compress the time until the decision.
  const last = Math.max(Date.parse(pack.expiresAt), 2 * by - first)
  return pack.evidence.map((one, index) => {
    const { source, provenance, observedAt } = one
    const [end, shownEnd] = [endOf(one), Math.min(endOf(one), last)].map((at) =>
      new Date(at).toISOString(),
    )
    const kind = source.resourceType.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    const gaps = provenance.gaps > 0 ? `, ${provenance.gaps} data gaps` : ''
    return [
      ...[`${index + 1} ${kind}`, observedAt, shownEnd!],
      ...[endOf(one) >= by ? 'VALID' : 'EXPIRES', `until ${end!.slice(0, 10)}${gaps}`, end!],
      ...[source.id, source.resourceVersion, provenance.engineVersion, `${provenance.gaps}`],
    ]
  })
}

/** One row per required approval, filled in order of arrival. */
function approvalRows({ approvals, quorum }: Pack): ChartCells[] {
  const more = Array(5).fill(null)
  return Array.from({ length: Math.max(quorum.approvals, approvals.length) }, (_, index) => {
    const approval = approvals[index]
    if (!approval) return [`Approval ${index + 1}`, null, null, 'OPEN', 'open', ...more]
    const { role, actor, at, isAuthor, isLate } = approval
    const isOver = index >= quorum.approvals
    const notes = [
      dayOf(at).slice(0, 10),
      isAuthor && 'author',
      isLate && 'late',
      isOver && 'not required',
    ]
    const name = `Approval ${index + 1}, ${role.toLowerCase()} …${actor.id.slice(-8)}`
    return [name, at, at, 'GIVEN', notes.filter(Boolean).join(', '), ...more]
  })
}
