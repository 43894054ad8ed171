import { simulatedText } from '@liquidity-os/contract/test-networks'
import type {
  Amount,
  Column,
  Fact,
  Source,
  Table,
  TableRow,
  Value,
  Workbook,
} from '@liquidity-os/sheet'
import type { Column as ReportColumn, ReportTable } from '../../../drawing/figure.ts'
import { unitWords } from '../../../reports/cell-text.ts'
import { daySeconds, yearSeconds } from '../../../units.ts'
import type { HashedReport } from './study-report.ts'

type Pair = HashedReport['pair']
/** Shorter windows have no annual rate. */
const minAnnualizedSeconds = 7 * daySeconds

/** A report as a workbook: results vs HODL with formulas, all tables and series, and the sources. */
export function studyWorkbook(report: HashedReport): Workbook {
  const { name, pair, tables, figures } = report
  const verdict = verdictTable(report)
  const isResults = ({ id }: ReportTable) => id === 'results'
  // The first table is the data of the CSV, for a simulation its results.
  const sorted = [...tables.filter(isResults), ...tables.filter((table) => !isResults(table))]
  return {
    title: name,
    facts: factsOf(report),
    tables: [
      ...(verdict ? [verdict] : []),
      ...[...sorted, ...figures].map((table) => sheetTable(table, pair)),
    ],
    sources: sourcesOf(report),
  }
}

function factsOf(report: HashedReport): Fact[] {
  const { headline, state, reasons, study, computedAt, findings, gaps, simulated } = report
  return [
    ...(simulated ? [{ label: 'Evidence', value: simulatedText(simulated) }] : []),
    { label: 'Verdict', value: headline },
    { label: 'State', value: state },
    ...reasons.map((reason) => ({ label: 'Reason', value: reason })),
    { label: 'Study', value: study.id },
    { label: 'Computed', value: Date.parse(computedAt), kind: 'TIME' },
    ...startFacts(report),
    ...findings.map((finding) => ({ label: 'Finding', value: finding })),
    ...gaps.map(({ code, detail }) => ({ label: `Gap ${code}`, value: detail })),
  ]
}

function startFacts({ startValueQuote, windowSeconds, pair }: HashedReport): Fact[] {
  const start: Fact[] =
    startValueQuote === undefined
      ? []
      : [
          {
            label: 'Start value',
            name: 'start_value',
            kind: 'AMOUNT',
            unit: unitWords('QUOTE_ATOMS'),
            value: { atoms: BigInt(startValueQuote), decimals: pair.quoteDecimals },
          },
        ]
  return windowSeconds === undefined
    ? start
    : [
        ...start,
        { label: 'Window', name: 'window_seconds', kind: 'COUNT', unit: 's', value: windowSeconds },
      ]
}

/** Columns of the table of results that the formulas use. */
const used = ['net P&L', 'HODL P&L', 'inventory effect'] as const

/**
 * Each run with live formulas: vs HODL is the end value less the value of its own starting inventory
 * at the end price. Null for a report without a start value, and for a simulation, whose results are
 * distributions.
 */
function verdictTable(report: HashedReport): Table | null {
  const { tables, startValueQuote, windowSeconds, pair } = report
  const results = tables.find(({ id }) => id === 'results')
  if (startValueQuote === undefined || !results) return null
  const places = used.map((name) => results.columns.findIndex((column) => column.name === name))
  if (places.some((itemIndex) => itemIndex < 0)) return null
  const start = BigInt(startValueQuote)
  const isAnnual = windowSeconds !== undefined && windowSeconds >= minAnnualizedSeconds
  const amount = (atoms: bigint): Amount => ({ atoms, decimals: pair.quoteDecimals })
  const rows = results.rows.map((row): TableRow => {
    const [net, hodl, drift] = places.map((index) => BigInt(row[index] as string))
    const hold = start + (hodl ?? 0n) + (drift ?? 0n)
    const end = start + (net ?? 0n)
    const share = ((end - hold) * shareScale) / start
    return [
      textOf(row, results, 'candidate'),
      textOf(row, results, 'flow model'),
      amount(start),
      amount(end),
      amount(hold),
      amount(end - hold),
      { atoms: share, decimals: 16 },
      ...(isAnnual
        ? [{ atoms: (share * BigInt(yearSeconds)) / BigInt(windowSeconds), decimals: 16 }]
        : []),
    ]
  })
  return { id: 'verdict', title: 'Verdict', columns: verdictColumns(isAnnual), rows }
}

const shareScale = 10n ** 18n

const textOf = (row: ReportTable['rows'][number], { columns }: ReportTable, name: string): Value =>
  row[columns.findIndex((column) => column.name === name)] ?? null

function verdictColumns(isAnnual: boolean): Column[] {
  const unit = unitWords('QUOTE_ATOMS')
  const amount = (key: string, title: string, about: string): Column => ({
    key,
    title,
    kind: 'AMOUNT',
    unit,
    exact: { key: `${key}Atoms`, unit: 'quote atoms' },
    about,
  })
  const columns: Column[] = [
    { key: 'candidate', title: 'candidate', kind: 'TEXT' },
    { key: 'flowModel', title: 'flow model', kind: 'TEXT' },
    amount('start', 'start value', 'Value of the capital at the start price.'),
    amount('end', 'end value', 'Value of the position at the end price.'),
    amount('hodl', 'HODL', 'Value of the own starting inventory at the end price.'),
    { ...amount('net', 'vs HODL', 'End value less HODL.'), formula: '{end}-{hodl}' },
    {
      key: 'share',
      title: 'vs HODL',
      kind: 'AMOUNT',
      unit: '%',
      about: 'vs HODL as a share of the start value.',
      formula: '{net}/{start}',
    },
  ]
  if (!isAnnual) return columns
  const apr: Column = {
    key: 'apr',
    title: 'vs HODL, APR',
    kind: 'AMOUNT',
    unit: '%',
    about: 'Share times 365 days over the window.',
    formula: '{share}*365*86400/window_seconds',
  }
  return [...columns, apr]
}

function sheetTable({ id, title, columns, rows }: ReportTable, pair: Pair): Table {
  const shown = columns.map((column, index) => sheetColumn(column, index, pair))
  return {
    id,
    title,
    columns: shown.map(({ column }) => column),
    rows: rows.map((row) =>
      shown.map(({ column, decimals }, index): Value => {
        const cell = row[index] ?? null
        return column.kind !== 'AMOUNT' || cell === null || typeof cell === 'boolean'
          ? cell
          : { atoms: BigInt(cell), decimals }
      }),
    ),
  }
}

function sheetColumn(
  { name, unit }: ReportColumn,
  index: number,
  pair: Pair,
): { column: Column; decimals: number } {
  const [key, title] = [`c${index}`, name]
  if (unit === 'TEXT' || unit === 'FLAG') return { column: { key, title, kind: unit }, decimals: 0 }
  const words = unitWords(unit)
  const decimals = decimalsOf(unit, pair)
  const isExact = decimals > 4 || unit === 'LIQUIDITY'
  const column: Column = {
    key,
    title,
    kind: 'AMOUNT',
    ...(words === '' ? {} : { unit: words }),
    ...(isExact ? { exact: { key: `${key}Exact`, unit } } : {}),
  }
  return { column, decimals }
}

function decimalsOf(unit: ReportColumn['unit'], { baseDecimals, quoteDecimals }: Pair): number {
  switch (unit) {
    case 'QUOTE_ATOMS':
      return quoteDecimals
    case 'BASE_ATOMS':
      return baseDecimals
    case 'PRICE_X18':
      return 18 + quoteDecimals - baseDecimals
    case 'PRICE_X36':
      return 36 + quoteDecimals - baseDecimals
    case 'PIPS':
      return 4
    default:
      return 0
  }
}

function sourcesOf({ study, contentHash, reproduction }: HashedReport): Source[] {
  const { specHash, resultHash, inputs, blocks, series, engineVersion, engineBuildHash } =
    reproduction
  const source = (kind: string, id: string, more: Partial<Source> = {}): Source => ({
    kind,
    id,
    version: null,
    hash: null,
    block: null,
    url: null,
    ...more,
  })
  return [
    source('SimulationStudy', study.id, { version: study.resourceVersion }),
    source('Report content', '', { hash: contentHash }),
    source('Specification', '', { hash: specHash }),
    source('Result', '', { hash: resultHash }),
    source('Engine', engineVersion, { hash: engineBuildHash }),
    ...inputs.map(({ name, hash }) => source('Input', name, { hash })),
    ...blocks.map(({ chainId, number, hash }) =>
      source('Block', `${chainId}`, { hash, block: `${number}` }),
    ),
    ...series.map(({ name, hash }) => source('Series', name, { hash })),
  ]
}
