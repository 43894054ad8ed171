import { isTestNetwork } from '@liquidity-os/contract'
import type { Amount, Column, Fact, Source, TableRow } from '@liquidity-os/sheet'
import { hourSeconds, minuteSeconds } from '../../../units.ts'
import type { Export } from '../../exported-file.ts'
import type { History } from './market-history.ts'

type Asset = History['base']

/** The history as a file: one row per bucket, with prices and amounts in units. */
export function historyExport(history: History): Export {
  const { base, quote, from, to } = history
  const [baseName, quoteName] = [nameOf(base), nameOf(quote)]
  const chainId = Number(history.pairKey.split('-')[0])
  const rows = historyRows(history)
  return {
    name: `${baseName}-${quoteName}-${windowText(Date.parse(to) - Date.parse(from))}`,
    chainIds: isTestNetwork(chainId) ? [chainId] : [],
    workbook: {
      title: `${baseName}/${quoteName}: market history`,
      facts: factsOf(history, rows),
      tables: [
        {
          id: 'history',
          title: 'Market history',
          columns: columnsOf(history),
          rows,
        },
        gapsTable(history),
        markersTable(history),
      ],
      sources: sourcesOf(history),
    },
  }
}

/** Symbol of an asset, or the beginning of its address. */
export const nameOf = ({ symbol, address }: Asset): string =>
  symbol?.replaceAll(/[^A-Za-z0-9.]/g, '') || address.slice(0, 8)

function windowText(milliseconds: number): string {
  const hours = Math.round(milliseconds / (hourSeconds * 1000))
  if (hours === 0) return `${Math.round(milliseconds / (minuteSeconds * 1000))}min`
  return hours < 48 ? `${hours}h` : `${Math.round(hours / 24)}d`
}

/** Shift of the decimal point between X36 prices in atoms and prices in units. */
const priceDecimals = ({ base, quote }: Pick<History, 'base' | 'quote'>) =>
  36 + quote.decimals - base.decimals

const bandText = (band: string) => `${Number(band) / 10_000} %`

function columnsOf(history: History): Column[] {
  const { base, quote } = history
  const unit = nameOf(quote)
  const price = (key: string, about: string): Column => ({
    key,
    title: key,
    kind: 'AMOUNT',
    unit: `${unit}/${nameOf(base)}`,
    exact: { key: `${key}X36`, unit: 'X36' },
    about,
  })
  const amount = (key: string, title: string, about: string): Column => ({
    key,
    title,
    kind: 'AMOUNT',
    unit,
    exact: { key: `${key}Atoms`, unit: 'atoms' },
    about,
  })
  const depths = Object.keys(history.depth).flatMap((band) => [
    amount(
      `buy${band}`,
      `depth +${bandText(band)}`,
      `Cost to raise the price by ${bandText(band)}.`,
    ),
    amount(
      `sell${band}`,
      `depth −${bandText(band)}`,
      `Proceeds down to ${bandText(band)} below the price.`,
    ),
  ])
  return [
    { key: 'time', title: 'time', kind: 'TIME', about: 'Start of the bucket, in UTC.' },
    price('open', 'First price of the bucket.'),
    price('high', 'Highest price of the bucket.'),
    price('low', 'Lowest price of the bucket.'),
    price('close', 'Last price of the bucket.'),
    ...depths,
    amount('volume', 'volume', 'Traded value.'),
    amount('fees', 'LP fees', 'Fees of the pools.'),
    amount('tvl', 'TVL', 'Value of the pools at the end of the bucket.'),
    { key: 'trades', title: 'trades', kind: 'COUNT' },
    {
      key: 'coverage',
      title: 'coverage',
      kind: 'AMOUNT',
      unit: '%',
      about: 'Observed share of the bucket. Cells are empty without coverage.',
    },
  ]
}

function historyRows(history: History): TableRow[] {
  const { price, depth, volumeQuote, feesQuote, tvlQuote, trades, coveredPips, quote } = history
  const amounts = (decimals: number) => (text: string | null | undefined) =>
    amountOf(text ?? null, decimals)
  const priced = amounts(priceDecimals(history))
  const quoted = amounts(quote.decimals)
  const depths = Object.values(depth)
  return history.at.map((at, index) => [
    at * 1000,
    priced(price.open[index]),
    priced(price.high[index]),
    priced(price.low[index]),
    priced(price.close[index]),
    ...depths.flatMap(({ buy, sell }) => [quoted(buy[index]), quoted(sell[index])]),
    quoted(volumeQuote[index]),
    quoted(feesQuote[index]),
    quoted(tvlQuote[index]),
    trades[index] ?? null,
    amountOf(`${coveredPips[index] ?? 0}`, 4),
  ])
}

const amountOf = (text: string | null, decimals: number): Amount | null =>
  text === null ? null : { atoms: BigInt(text), decimals }

function factsOf(history: History, rows: readonly TableRow[]): Fact[] {
  const { base, quote, price } = history
  const unit = nameOf(quote)
  const decimals = priceDecimals(history)
  const known = price.close.flatMap((text, index) =>
    text === null ? [] : [{ row: index + 1, atoms: BigInt(text) }],
  )
  const [first, last] = [known[0], known.at(-1)]
  const priceFact = (label: string, name: string, at: typeof first): Fact[] =>
    at === undefined
      ? []
      : [
          {
            label,
            name,
            kind: 'AMOUNT',
            unit: `${unit}/${nameOf(base)}`,
            value: { atoms: at.atoms, decimals },
            formula: `{history.close#${at.row}}`,
          },
        ]
  return [
    { label: 'From', value: Date.parse(history.from), kind: 'TIME' },
    { label: 'To', value: Date.parse(history.to), kind: 'TIME' },
    { label: 'Length of a bucket', value: history.resolutionSeconds, kind: 'COUNT', unit: 's' },
    { label: 'Venues', value: history.venues.map(({ name }) => name).join(', ') },
    ...priceFact('First price', 'first_price', first),
    ...priceFact('Last price', 'last_price', last),
    ...changeFact(first, last),
    totalFact('Volume', 'total_volume', 'history.volume', history),
    totalFact('LP fees', 'total_fees', 'history.fees', history),
    coverageFact(history),
    { label: 'Buckets', value: rows.length, kind: 'COUNT' },
  ]
}

/** Totals over less observed time are lower bounds. */
const minCoveredPips = 950_000

/** The sum of the known buckets. Null, and empty in a workbook, if no bucket is known. */
function totalFact(
  label: string,
  name: string,
  column: 'history.volume' | 'history.fees',
  history: History,
): Fact {
  const { quote, coveredPips } = history
  const texts = column === 'history.volume' ? history.volumeQuote : history.feesQuote
  const known = texts.filter((text) => text !== null)
  const isLowerBound = known.length > 0 && sumOf(coveredPips) < minCoveredPips * coveredPips.length
  return {
    label: isLowerBound ? `${label}, at least` : label,
    name,
    kind: 'AMOUNT',
    unit: nameOf(quote),
    value:
      known.length === 0
        ? null
        : {
            atoms: known.reduce((total, text) => total + BigInt(text), 0n),
            decimals: quote.decimals,
          },
    formula: `IF(COUNT({${column}})=0,"",SUM({${column}}))`,
  }
}

/** Digits of the cached coverage below one pip; the formula has those of a spreadsheet. */
const coverageScale = 10n ** 12n

function coverageFact({ coveredPips }: History): Fact {
  const pips = BigInt(sumOf(coveredPips)) * coverageScale
  return {
    label: 'Coverage',
    name: 'coverage',
    kind: 'AMOUNT',
    unit: '%',
    value:
      coveredPips.length === 0 ? null : { atoms: pips / BigInt(coveredPips.length), decimals: 16 },
    formula: 'IF(COUNT({history.coverage})=0,"",AVERAGE({history.coverage}))',
  }
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)

interface Close {
  readonly row: number
  readonly atoms: bigint
}

/** Digits of the cached change; the formula has those of a spreadsheet. */
const changeScale = 10n ** 18n

function changeFact(first: Close | undefined, last: Close | undefined): Fact[] {
  if (!first || !last || first.atoms === 0n) return []
  const change = ((last.atoms - first.atoms) * changeScale) / first.atoms
  return [
    {
      label: 'Price change',
      name: 'price_change',
      kind: 'AMOUNT',
      unit: '%',
      value: { atoms: change, decimals: 16 },
      formula: `{history.close#${last.row}}/{history.close#${first.row}}-1`,
    },
  ]
}

function gapsTable({ gaps, venues }: History): Export['workbook']['tables'][number] {
  const names = new Map(venues.map(({ venueId, name }) => [venueId, name]))
  return {
    id: 'gaps',
    title: 'Data gaps',
    columns: [
      { key: 'venue', title: 'venue', kind: 'TEXT' },
      { key: 'from', title: 'from', kind: 'TIME' },
      { key: 'to', title: 'to', kind: 'TIME' },
      { key: 'code', title: 'reason', kind: 'TEXT' },
    ],
    rows: gaps.map(({ venueId, from, to, code }) => [
      names.get(venueId) ?? venueId,
      from * 1000,
      to * 1000,
      gapTexts[code],
    ]),
  }
}

const gapTexts = {
  NOT_OBSERVED: 'Not observed',
  POINTS_PENDING: 'Observed, not yet counted',
} as const

function markersTable({ markers }: History): Export['workbook']['tables'][number] {
  return {
    id: 'markers',
    title: 'Alerts',
    columns: [
      { key: 'time', title: 'time', kind: 'TIME' },
      { key: 'title', title: 'title', kind: 'TEXT' },
      { key: 'kind', title: 'kind', kind: 'TEXT' },
      { key: 'id', title: 'id', kind: 'TEXT' },
    ],
    rows: markers.map(({ at, title, kind, id }) => [at * 1000, title, kind, id]),
  }
}

function sourcesOf({ venues, evidence, pairKey }: History): Source[] {
  const source = (kind: string, id: string, hash: string | null = null): Source => ({
    kind,
    id,
    hash,
    version: null,
    block: null,
    url: null,
  })
  return [
    source('Pair', pairKey),
    ...venues.map(({ venueId }) => source('VenueProfile', venueId)),
    ...(evidence.first === null ? [] : [source('First VenueObservation', evidence.first)]),
    ...(evidence.last === null ? [] : [source('Last VenueObservation', evidence.last)]),
    source('Observations', `${evidence.observations}`, evidence.root),
  ]
}
