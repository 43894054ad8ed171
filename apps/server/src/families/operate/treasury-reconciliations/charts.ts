import type { contract } from '@liquidity-os/contract'
import {
  type ChartCells,
  type ChartClass,
  type ChartSeries,
  type ChartSpec,
  decimalOf,
  named,
  printChange,
} from '@liquidity-os/drawing'

/** A reconciliation, with the known tokens of its lines by asset key. */
export type DrawnReconciliation = contract.TreasuryLedgerReconciliation & {
  readonly tokens?: Readonly<Record<string, { readonly symbol: string; readonly decimals: number }>>
}
type Reconciliation = DrawnReconciliation
type Line = Reconciliation['lines'][number]
type Tokens = NonNullable<Reconciliation['tokens']>

/** The charts of a reconciliation. */
export const reconciliationCharts = (reconciliation: Reconciliation): ChartSpec[] =>
  [bridgeChart, custodyChart, ageingChart].map((chart) => chart(reconciliation))

/** Unit of a quantity: atomic units of a token without known decimals. */
const unitOf = ({ assetKey }: Line, tokens: Tokens) => tokens[assetKey]?.symbol ?? 'atomic units'

/** A quantity of the asset of a line, in its unit. */
function quantityOf(atoms: string | null, { assetKey }: Pick<Line, 'assetKey'>, tokens: Tokens) {
  return atoms === null ? null : decimalOf(atoms, tokens[assetKey]?.decimals ?? 0)
}

/** Short form of a container: the start of an account address, or the name of the custodian. */
function containerOf({ container }: Line): string {
  const [kind, keeper = '', account = ''] = container.split(':')
  return kind === 'custodian' ? keeper : `${(account || keeper).slice(0, 8)}…`
}

/** Short form of an asset. */
function assetOf({ assetKey }: Line, tokens: Tokens): string {
  const known = tokens[assetKey]
  if (known) return known.symbol
  if (assetKey.includes('/slip44:')) return 'native coin'
  const asset = assetKey.split('/').at(-1)?.split(':').at(-1) ?? assetKey
  return asset.length > 12 ? `${asset.slice(0, 8)}…` : asset
}

const nameOf = (line: Line, tokens: Tokens) => `${containerOf(line)} ${assetOf(line, tokens)}`

const causes: Readonly<Record<Line['cause'], string>> = {
  AGREED: 'Agreed',
  UNREADABLE: 'Chain not readable',
  SINGLE_SIDED: 'One side only',
  DUPLICATE_CLAIM: 'Duplicate claim',
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

function differenceOf(line: Line, tokens: Tokens): string {
  const difference = quantityOf(line.differences.ledgerMinusChain, line, tokens)
  return difference === null ? 'one side only' : `ledger − chain ${printChange(Number(difference))}`
}
const ageOf = ({ ageDays }: Line) =>
  ageDays === null ? '' : `, open for ${ageDays} ${ageDays === 1 ? 'day' : 'days'}`
const asOf = ({ computation: { snapshot } }: Reconciliation) =>
  snapshot ? `As of ${snapshot.asOf.slice(0, 16).replace('T', ' ')} UTC` : 'Without a block'

/** Maximum number of bridges; the table has all lines. */
const maxBridges = 6

/** From ledger to chain: balance outside the entries, flows since the observation, and the unexplained residual. */
function bridgeChart(reconciliation: Reconciliation): ChartSpec {
  const { lines, agreement, tokens = {} } = reconciliation
  const open = lines.toSorted((a, b) => Number(a.cause === 'AGREED') - Number(b.cause === 'AGREED'))
  const shown = open.slice(0, maxBridges)
  const more = open.length - shown.length
  return {
    id: 'reconciliation-bridge',
    kind: 'waterfall',
    title: `From ledger to chain: ${agreement.toLowerCase()}`,
    summary:
      lines.length === 0
        ? 'No lines were compared.'
        : `${asOf(reconciliation)}. ${lines.map((line) => `${nameOf(line, tokens)}: ${causes[line.cause]}.`).join(' ')}`,
    x: named,
    panels: shown.map((line, index) => {
      const title = `${nameOf(line, tokens)}: ${causes[line.cause]}${ageOf(line)}`
      const y = { label: 'Quantity', unit: unitOf(line, tokens), scale: 'linear' } as const
      return { id: `${index + 1}`, title, y }
    }),
    table: {
      columns: bridgeColumns,
      rows: open.flatMap((line, index) => bridgeRows(line, index, tokens)),
    },
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
  { key: 'change', label: 'Change', unit: '' },
  { key: 'total', label: 'Balance', unit: '' },
  { key: 'unit', label: 'Unit', unit: '' },
  { key: 'cause', label: 'Cause', unit: '' },
  { key: 'also', label: 'Other causes', unit: '' },
  { key: 'age', label: 'Open for', unit: 'days' },
]

type Step = readonly [name: string, change: string | null, total: string | null]

/**
 * Changes from the ledger to the chain. The residual is that of the record: chain − (container balance + inflow − outflow). The
 * rest of the difference lay in the container at the observation, outside of the entries.
 */
function changesOf({ ledger, chain, explained }: Line): Step[] {
  if (chain === null) return []
  const difference = BigInt(chain) - BigInt(ledger)
  if (explained === null) return [['Difference, transfers not read', `${difference}`, null]]
  const { inflow, outflow, residual } = explained
  const outside = difference - BigInt(inflow) + BigInt(outflow) - BigInt(residual)
  return [
    ['Outside the entries', `${outside}`, null],
    ['Inflow', inflow, null],
    ['Outflow', `${-BigInt(outflow)}`, null],
    ['Unexplained', residual, null],
  ]
}

/** Steps from the ledger to the chain and the custodian. */
function bridgeRows(line: Line, index: number, tokens: Tokens): ChartCells[] {
  const { container, assetKey, ledger, chain, custody, alsoHolds, ageDays } = line
  const custodian: Step[] = custody === null ? [] : [['Custodian', null, custody]]
  const steps: Step[] = [
    ['Ledger', null, ledger],
    ...changesOf(line),
    ['Chain', null, chain],
    ...custodian,
  ]
  const about = [
    causes[line.cause],
    alsoHolds.map((cause) => causes[cause]).join(', '),
    ageDays === null ? null : `${ageDays}`,
  ]
  return steps
    .filter(([, change]) => change === null || Number(change) !== 0)
    .map(([name, ...amounts]) => [
      ...[`${index + 1}`, container, assetKey, name],
      ...amounts.map((atoms) => quantityOf(atoms, line, tokens)),
      ...[unitOf(line, tokens), ...about],
    ])
}

/** Evidence levels of a quantity, from the strongest. */
const levels: readonly ChartClass[] = [
  { value: 'PROVED', label: 'Proved by the state root of a finalized block', tone: 'good' },
  { value: 'READ', label: 'Read from the RPC providers', tone: 'accent' },
  { value: 'SIGNED', label: 'Stated by the custodian', tone: 'warn' },
  { value: 'ASSERTED', label: 'In the ledger only', tone: 'neutral', isHatched: true },
]
/** Color of a ledger quantity that another source supports. */
const ledgerEntry: ChartClass = { value: 'ENTRY', label: 'Ledger entry', tone: 'neutral' }

/** Strongest evidence of a line. */
function levelOf({ chain, chainProof, custody }: Line): string {
  if (chain !== null) return chainProof === 'MERKLE' ? 'PROVED' : 'READ'
  return custody === null ? 'ASSERTED' : 'SIGNED'
}

/** Every holding with its quantity in each source, in the color of its evidence; a frame marks a difference. */
function custodyChart(reconciliation: Reconciliation): ChartSpec {
  const { lines, tokens = {} } = reconciliation
  const counts = levels.map(({ value, label }) => {
    const count = lines.filter((line) => levelOf(line) === value).length
    return `${count} ${label.charAt(0).toLowerCase()}${label.slice(1)}`
  })
  const cell = { mark: 'cell', role: 'observed', x: 'holding' } as const
  return {
    id: 'custody-wall',
    kind: 'heat',
    title: 'Holdings by level of evidence',
    summary: lines.length === 0 ? 'No holdings.' : `${asOf(reconciliation)}: ${counts.join(', ')}.`,
    x: named,
    table: { columns: custodyColumns, rows: lines.map((line) => custodyRow(line, tokens)) },
    series: [
      { ...cell, id: 'ledger', label: 'Ledger', y: ['asserted', 'ledger'] },
      { ...cell, id: 'chain', label: 'Chain', y: ['read', 'chain'], class: 'chainDiffers' },
      {
        ...cell,
        id: 'custody',
        label: 'Custodian',
        y: ['stated', 'custody'],
        class: 'custodyDiffers',
      },
    ],
    classes: [...levels, ledgerEntry],
    notes: [
      ...(lines.some(({ assetKey }) => !tokens[assetKey])
        ? ['Quantities of unknown tokens are atomic units.']
        : []),
      ...(lines.some((line) => chainDiffers(line) || custodyDiffers(line))
        ? ['A red frame marks a quantity that differs from the ledger.']
        : []),
    ],
    empty: 'No holdings.',
  }
}

const custodyColumns = [
  { key: 'holding', label: 'Holding', unit: '' },
  { key: 'known', label: 'Evidence', unit: '' },
  { key: 'asserted', label: 'Ledger evidence', unit: '' },
  { key: 'ledger', label: 'Ledger', unit: '' },
  { key: 'read', label: 'Chain evidence', unit: '' },
  { key: 'chain', label: 'Chain', unit: '' },
  { key: 'stated', label: 'Custodian evidence', unit: '' },
  { key: 'custody', label: 'Custodian', unit: '' },
  { key: 'chainDiffers', label: 'Chain differs', unit: '' },
  { key: 'custodyDiffers', label: 'Custodian differs', unit: '' },
  { key: 'cause', label: 'Cause', unit: '' },
  { key: 'container', label: 'Container', unit: '' },
  { key: 'asset', label: 'Asset', unit: '' },
]

const isOther = (difference: string | null) => difference !== null && BigInt(difference) !== 0n
const chainDiffers = ({ differences }: Line) => isOther(differences.ledgerMinusChain)
const custodyDiffers = ({ differences }: Line) => isOther(differences.ledgerMinusCustody)

function custodyRow(line: Line, tokens: Tokens): ChartCells {
  const { chainProof, cause, container, assetKey } = line
  const [ledger = null, chain = null, custody = null] = [line.ledger, line.chain, line.custody].map(
    (atoms) => quantityOf(atoms, line, tokens),
  )
  const read = chain === null ? null : chainProof === 'MERKLE' ? 'PROVED' : 'READ'
  const stated = custody === null ? null : 'SIGNED'
  const level = levelOf(line)
  const entry = level === 'ASSERTED' ? level : ledgerEntry.value
  const known = [level, entry, ledger, read, chain, stated, custody]
  const marks = [chainDiffers(line), custodyDiffers(line)].map((differs) =>
    differs ? 'yes' : null,
  )
  return [nameOf(line, tokens), ...known, ...marks, causes[cause], container, assetKey]
}

/** Age classes of open differences. */
const ages: readonly (ChartClass & { readonly from: number })[] = [
  { value: '0', from: 0, label: '0 to 30 days', tone: 'accent' },
  { value: '31', from: 31, label: '31 to 60 days', tone: 'hold' },
  { value: '61', from: 61, label: '61 to 90 days', tone: 'warn' },
  { value: '91', from: 91, label: 'over 90 days', tone: 'bad' },
]

const ageClassOf = (age: number) => ages.findLast(({ from }) => age >= from)?.value ?? null

/** All open differences by age, oldest first. */
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
    table: {
      columns: ageingColumns,
      rows: open.map(({ line, age }) => ageingRow(line, age, reconciliation.tokens)),
    },
    series: [{ ...ageSeries, x: 'line', y: ['age'], class: 'bucket' }],
    classes: ages,
    markers: days.map((at) => ({ at, label: `${at} d`, tone: 'neutral' })),
    note: 'note',
    empty: 'No open differences.',
  }
}

const ageSeries = { id: 'age', label: 'Age', mark: 'bar', role: 'observed' } as const

function ageingRow(line: Line, age: number, tokens: Tokens = {}): ChartCells {
  const note = `${age} d · ${causes[line.cause]}, ${differenceOf(line, tokens)}`
  const difference = quantityOf(line.differences.ledgerMinusChain, line, tokens)
  const about = [difference, line.firstSeenAt, line.container, line.assetKey]
  return [nameOf(line, tokens), `${age}`, ageClassOf(age), note, ...about]
}

const ageingColumns = [
  { key: 'line', label: 'Line', unit: '' },
  { key: 'age', label: 'Age', unit: 'days' },
  { key: 'bucket', label: 'Age from', unit: 'days' },
  { key: 'note', label: 'Cause', unit: '' },
  { key: 'difference', label: 'Ledger − chain', unit: '' },
  { key: 'firstSeen', label: 'First seen', unit: 'UTC' },
  { key: 'container', label: 'Container', unit: '' },
  { key: 'asset', label: 'Asset', unit: '' },
]
