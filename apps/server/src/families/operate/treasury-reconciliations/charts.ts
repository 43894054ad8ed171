import type { contract } from '@liquidity-os/contract'
import {
  type ChartClass,
  type ChartSeries,
  type ChartSpec,
  printChange,
} from '@liquidity-os/drawing'

type Reconciliation = contract.TreasuryLedgerReconciliation
type Line = Reconciliation['lines'][number]

/** The charts of a reconciliation. */
export const reconciliationCharts = (reconciliation: Reconciliation): ChartSpec[] =>
  [bridgeChart, custodyChart, ageingChart].map((chart) => chart(reconciliation))

const named = { label: '', unit: '', scale: 'band' } as const
/** No decimals of the asset are known to a line. */
const atoms = 'atomic units'

/** A container in a few letters: an account of a chain by its beginning, one of a custodian by its keeper. */
function containerOf({ container }: Line): string {
  const [kind, keeper = '', account = ''] = container.split(':')
  return kind === 'custodian' ? keeper : `${(account || keeper).slice(0, 8)}…`
}

/** An asset in a few letters. */
function assetOf({ assetKey }: Line): string {
  if (assetKey.includes('/slip44:')) return 'native coin'
  const asset = assetKey.split('/').at(-1)?.split(':').at(-1) ?? assetKey
  return asset.length > 12 ? `${asset.slice(0, 8)}…` : asset
}

const nameOf = (line: Line) => `${containerOf(line)} ${assetOf(line)}`

const causes: Readonly<Record<Line['cause'], string>> = {
  AGREED: 'Agreed',
  UNREADABLE: 'Chain not readable',
  SINGLE_SIDED: 'One side only',
  DUPLICATE_CLAIM: 'Entries claim too much',
  MISSING_LEDGER: 'Missing in ledger',
  MISSING_CHAIN: 'Missing on chain',
  CUSTODY_CONFLICT: 'Statements conflict',
  CUSTODY_EXPIRED: 'Statement expired',
  CUSTODY_STALE: 'Statement stale',
  CUSTODY_DIFFERS: 'Custodian differs',
  LEDGER_STALE: 'Ledger stale',
  REBASE_OR_FEE: 'Rebase or fee',
  UNEXPLAINED: 'Unexplained',
}

const differenceOf = ({ differences: { ledgerMinusChain } }: Line) =>
  ledgerMinusChain === null
    ? 'one side only'
    : `ledger − chain ${printChange(Number(ledgerMinusChain))}`
const ageOf = ({ ageDays }: Line) => (ageDays === null ? '' : `, open for ${ageDays} days`)
const asOf = ({ computation: { snapshot } }: Reconciliation) =>
  snapshot ? `As of ${snapshot.asOf}` : 'Without a block'

/** Lines with a bridge of their own; the table has all. */
const mostBridges = 6

/** From ledger to chain: inflow and outflow since the observation, and the unexplained rest. */
function bridgeChart(reconciliation: Reconciliation): ChartSpec {
  const { lines, agreement } = reconciliation
  const open = lines.toSorted((a, b) => Number(a.cause === 'AGREED') - Number(b.cause === 'AGREED'))
  const shown = open.slice(0, mostBridges)
  const more = open.length - shown.length
  const y = { label: 'Quantity', unit: atoms, scale: 'linear' } as const
  return {
    id: 'reconciliation-bridge',
    kind: 'waterfall',
    title: `From ledger to chain: ${agreement.toLowerCase()}`,
    summary:
      lines.length === 0
        ? 'No lines were compared.'
        : `${asOf(reconciliation)}. ${lines.map((line) => `${nameOf(line)}: ${causes[line.cause]}.`).join(' ')}`,
    x: named,
    panels: shown.map((line, index) => {
      const title = `${nameOf(line)}: ${causes[line.cause]}${ageOf(line)}`
      return { id: `${index + 1}`, title, y }
    }),
    table: { columns: bridgeColumns, rows: open.flatMap(bridgeRows) },
    series: shown.flatMap((_, index): ChartSeries[] => {
      const line = `${index + 1}`
      const about = { role: 'observed', x: 'step', where: { line }, panel: line } as const
      return [
        { ...about, id: `${line} change`, label: 'Change', mark: 'bar', y: ['change'] },
        { ...about, id: `${line} total`, label: 'Balance', mark: 'total', y: ['total'] },
      ]
    }),
    notes: more > 0 ? [`${more} more lines in the table.`] : [],
    empty: 'No lines were compared.',
  }
}

const bridgeColumns = [
  { key: 'line', label: 'Line', unit: '' },
  { key: 'container', label: 'Container', unit: '' },
  { key: 'asset', label: 'Asset', unit: '' },
  { key: 'step', label: 'Step', unit: '' },
  { key: 'change', label: 'Change', unit: atoms },
  { key: 'total', label: 'Balance', unit: atoms },
  { key: 'cause', label: 'Cause', unit: '' },
  { key: 'also', label: 'Other causes', unit: '' },
  { key: 'age', label: 'Open for', unit: 'days' },
]

/** Steps that add up from the ledger to the chain; the last one is what nothing explains. */
function bridgeRows(line: Line, index: number): (string | null)[][] {
  const { container, assetKey, ledger, chain, custody, explained, alsoHolds, ageDays } = line
  const flows = BigInt(explained?.inflow ?? 0) - BigInt(explained?.outflow ?? 0)
  const rest = chain === null ? 0n : BigInt(chain) - BigInt(ledger) - flows
  const steps: [name: string, change: string | null, total: string | null][] = [
    ['Ledger', null, ledger],
    ['Inflow', explained?.inflow ?? '0', null],
    ['Outflow', explained ? `-${explained.outflow}` : '0', null],
    ['Unexplained', `${rest}`, null],
    ['Chain', null, chain],
    ...(custody === null ? [] : [['Custodian', null, custody] satisfies [string, null, string]]),
  ]
  const about = [
    causes[line.cause],
    alsoHolds.map((cause) => causes[cause]).join(', '),
    ageDays === null ? null : `${ageDays}`,
  ]
  return steps
    .filter(([, change]) => change === null || Number(change) !== 0)
    .map((step) => [`${index + 1}`, container, assetKey, ...step, ...about])
}

/** Evidence levels of a quantity, from the strongest. */
const levels: readonly ChartClass[] = [
  { value: 'PROVED', label: 'Proved by the state root of a finalized block', tone: 'good' },
  { value: 'READ', label: 'Read from the RPC providers', tone: 'accent' },
  { value: 'SIGNED', label: 'Stated by the custodian', tone: 'warn' },
  { value: 'ASSERTED', label: 'In the ledger only', tone: 'neutral', isHatched: true },
]

/** Strongest evidence of a line. */
function levelOf({ chain, chainProof, custody }: Line): string {
  if (chain !== null) return chainProof === 'MERKLE' ? 'PROVED' : 'READ'
  return custody === null ? 'ASSERTED' : 'SIGNED'
}

/** Every holding with its quantity in each source, in the color of its evidence; a frame marks a difference. */
function custodyChart(reconciliation: Reconciliation): ChartSpec {
  const { lines } = reconciliation
  const counts = levels.map(({ value, label }) => {
    const count = lines.filter((line) => levelOf(line) === value).length
    return `${count} ${label.toLowerCase()}`
  })
  const cell = { mark: 'cell', role: 'observed', x: 'holding' } as const
  return {
    id: 'custody-wall',
    kind: 'heat',
    title: 'Holdings by level of evidence',
    summary: lines.length === 0 ? 'No holdings.' : `${asOf(reconciliation)}: ${counts.join(', ')}.`,
    x: named,
    table: { columns: custodyColumns, rows: lines.map(custodyRow) },
    series: [
      { ...cell, id: 'ledger', label: 'Ledger', y: ['asserted', 'ledger'] },
      { ...cell, id: 'chain', label: 'Chain', y: ['read', 'chain'], class: 'differs' },
      { ...cell, id: 'custody', label: 'Custodian', y: ['stated', 'custody'] },
    ],
    classes: levels,
    notes: lines.some(differs) ? ['A red frame marks a balance that differs from the ledger.'] : [],
    empty: 'No holdings.',
  }
}

const custodyColumns = [
  { key: 'holding', label: 'Holding', unit: '' },
  { key: 'known', label: 'Evidence', unit: '' },
  { key: 'asserted', label: 'Ledger evidence', unit: '' },
  { key: 'ledger', label: 'Ledger', unit: atoms },
  { key: 'read', label: 'Chain evidence', unit: '' },
  { key: 'chain', label: 'Chain', unit: atoms },
  { key: 'stated', label: 'Custodian evidence', unit: '' },
  { key: 'custody', label: 'Custodian', unit: atoms },
  { key: 'differs', label: 'Difference', unit: '' },
  { key: 'container', label: 'Container', unit: '' },
  { key: 'asset', label: 'Asset', unit: '' },
]

const differs = ({ cause }: Line) => cause !== 'AGREED' && cause !== 'SINGLE_SIDED'

function custodyRow(line: Line): (string | null)[] {
  const { ledger, chain, chainProof, custody, cause, container, assetKey } = line
  const read = chain === null ? null : chainProof === 'MERKLE' ? 'PROVED' : 'READ'
  const stated = custody === null ? null : 'SIGNED'
  const known = [levelOf(line), 'ASSERTED', ledger, read, chain, stated, custody]
  return [nameOf(line), ...known, differs(line) ? causes[cause] : null, container, assetKey]
}

/** Days at which an open difference is older than people accept. */
const ages: readonly (ChartClass & { readonly from: number })[] = [
  { value: '0', from: 0, label: '0 to 30 days', tone: 'accent' },
  { value: '31', from: 31, label: '31 to 60 days', tone: 'hold' },
  { value: '61', from: 61, label: '61 to 90 days', tone: 'warn' },
  { value: '91', from: 91, label: 'over 90 days', tone: 'bad' },
]

const ageClassOf = (age: number) => ages.findLast(({ from }) => age >= from)?.value ?? null

/** Every open difference by its age, the oldest first. */
function ageingChart(reconciliation: Reconciliation): ChartSpec {
  const open = reconciliation.lines
    .flatMap((line) => (line.ageDays === null ? [] : [{ line, age: line.ageDays }]))
    .toSorted((a, b) => b.age - a.age || (a.line.lineKey < b.line.lineKey ? -1 : 1))
  const counts = ages.map(({ value, label }) => {
    const count = open.filter(({ age }) => ageClassOf(age) === value).length
    return `${count} ${label}`
  })
  const rule =
    'The age counts from the first observation of a difference and continues if its cause changes.'
  const days = open.length === 0 ? [] : ['30', '60', '90']
  return {
    id: 'reconciliation-ageing',
    kind: 'bars',
    title: `Open differences by age: ${open.length}`,
    summary: `${asOf(reconciliation)}: ${counts.join(', ')}. ${rule}`,
    x: named,
    y: { label: 'Age', unit: 'days', scale: 'linear' },
    table: { columns: ageingColumns, rows: open.map(({ line, age }) => ageingRow(line, age)) },
    series: [{ ...ageSeries, x: 'line', y: ['age'], class: 'bucket' }],
    classes: ages,
    markers: days.map((at) => ({ at, label: `${at} d`, tone: 'neutral' })),
    note: 'note',
    empty: 'No open differences.',
  }
}

const ageSeries = { id: 'age', label: 'Age', mark: 'bar', role: 'observed' } as const

function ageingRow(line: Line, age: number): (string | null)[] {
  const note = `${age} d · ${causes[line.cause]}, ${differenceOf(line)}`
  const about = [line.differences.ledgerMinusChain, line.firstSeenAt, line.container, line.assetKey]
  return [nameOf(line), `${age}`, ageClassOf(age), note, ...about]
}

const ageingColumns = [
  { key: 'line', label: 'Line', unit: '' },
  { key: 'age', label: 'Age', unit: 'days' },
  { key: 'bucket', label: 'Age from', unit: 'days' },
  { key: 'note', label: 'Cause', unit: '' },
  { key: 'difference', label: 'Ledger − chain', unit: atoms },
  { key: 'firstSeen', label: 'First seen', unit: 'UTC' },
  { key: 'container', label: 'Container', unit: '' },
  { key: 'asset', label: 'Asset', unit: '' },
]
