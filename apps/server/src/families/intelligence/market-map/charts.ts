import type { contract } from '@liquidity-os/contract'
import {
  type ChartSeries,
  type ChartSpec,
  decimalOf,
  named,
  printValue,
} from '@liquidity-os/drawing'
import type { Static } from 'typebox'
import { type StoredMid, storedMidX36 } from '../../../market/mid-price.ts'

export type DrawnMarket = Static<typeof contract.PairMap>
type Venue = DrawnMarket['venues'][number]

/** The charts of one pair of a market map. */
export const marketMapCharts = (market: DrawnMarket): ChartSpec[] =>
  [depthChart, sharesChart, costsChart, targetsChart].map((chart) => chart(market))

const sides = ['SELL', 'BUY'] as const
type Side = (typeof sides)[number]
const sideNames = { BUY: 'Buy', SELL: 'Sell' } as const
const quote = 'quote tokens'
/** Venues with a separate color; the others share one. */
const maxNamed = 5

/** True if a venue is part of the composite: it has a price and a recent observation. */
const isFresh = ({ flags, midX18 }: Venue) => !flags.includes('STALE') && midX18 !== null

const kinds: Readonly<Record<string, string>> = {
  UNISWAP_V2: 'v2',
  UNISWAP_V3: 'v3',
  STABLESWAP: 'stable',
  CLOB_SNAPSHOT: 'book',
}
/** Ids of one day share a prefix, so the label shows the end. */
const nameOf = ({ venueId, kind, feePips }: Venue) =>
  `${kinds[kind] ?? kind} ${feePips / 10_000} % …${venueId.slice(-6)}`

const tokens = (atoms: string, { pair }: DrawnMarket) => decimalOf(atoms, pair.quoteDecimals)
const percent = (pips: number) => decimalOf(`${pips}`, 4)
const printShare = (pips: number) => printValue(Math.round(pips / 1000) / 10)
const printTokens = (atoms: string, market: DrawnMarket) =>
  printValue(Number(tokens(atoms, market)))
const priceOf = (mid: StoredMid, { pair }: DrawnMarket, shiftPips = 0) =>
  decimalOf(
    (storedMidX36(mid) ?? 0n) * BigInt(1_000_000 + shiftPips),
    42 + pair.quoteDecimals - pair.baseDecimals,
  )

/** Cumulative depth by price, stacked by venue; stale venues stay outside the stack. */
function depthChart(market: DrawnMarket): ChartSpec {
  const { composite } = market
  const venues = market.venues.filter(({ midX18 }) => midX18 !== null)
  const fresh = venues
    .filter(isFresh)
    .toSorted((a, b) => (b.depthSharePips ?? 0) - (a.depthSharePips ?? 0))
  const old = venues.filter((venue) => !isFresh(venue))
  const stale = old.length
  return {
    id: 'map-depth',
    kind: 'ladder',
    title: 'Depth by venue and price',
    summary: `Cumulative depth of ${fresh.length} ${fresh.length === 1 ? 'venue' : 'venues'} around the price, stacked.${stale === 0 ? '' : ` ${stale} more ${stale === 1 ? 'is' : 'are'} stale.`}`,
    x: { label: 'Price', unit: 'quote per base token', scale: 'linear' },
    y: { label: 'Cumulative depth', unit: quote, scale: 'linear' },
    table: {
      columns: [
        { key: 'venueId', label: 'Venue', unit: '' },
        { key: 'side', label: 'Side', unit: '' },
        { key: 'price', label: 'Price', unit: 'quote per base token' },
        { key: 'depth', label: 'Cumulative depth', unit: quote },
      ],
      rows: venues.flatMap((venue) => sides.flatMap((side) => depthRows(market, venue, side))),
    },
    series: [...fresh, ...old].flatMap((venue) =>
      sides.map((side) => depthSeries(venue, side, fresh)),
    ),
    markers: composite
      ? [{ at: priceOf(composite, market), label: 'Composite price', tone: 'neutral' }]
      : [],
    notes: stale === 0 ? [] : [`Stale venues are dotted and not in the stack: ${stale}.`],
    empty: 'No venue has a price.',
  }
}

function depthSeries(venue: Venue, side: Side, fresh: readonly Venue[]): ChartSeries {
  const index = fresh.indexOf(venue)
  const where = { venueId: venue.venueId, side }
  const about = { id: `${venue.venueId} ${side}`, x: 'price', y: ['depth'], where }
  if (index < 0) return { ...about, label: `${nameOf(venue)}, stale`, mark: 'line', role: 'stale' }
  const label = index < maxNamed ? nameOf(venue) : 'Other venues'
  return { ...about, label, mark: 'area', role: 'observed', stack: side }
}

/** From the price of the venue outward. */
function depthRows(market: DrawnMarket, venue: Venue, side: Side) {
  const { venueId, depth } = venue
  if (venue.midX18 === null) return []
  const sign = side === 'BUY' ? 1 : -1
  const rungs = depth
    .filter((rung) => rung.side === side)
    .toSorted((a, b) => a.bandPips - b.bandPips)
    .map(
      (rung) => [priceOf(venue, market, sign * rung.bandPips), tokens(rung.quote, market)] as const,
    )
  return [[priceOf(venue, market), '0'] as const, ...rungs].map((rung) => [venueId, side, ...rung])
}

/** Share of the 2 % depth per fresh venue. The part from owned positions is hatched. */
function sharesChart(market: DrawnMarket): ChartSpec {
  const rows = market.venues
    .filter((venue) => isFresh(venue) && venue.depthSharePips)
    .toSorted((a, b) => (b.depthSharePips ?? 0) - (a.depthSharePips ?? 0))
    .map(shareRow)
  const text = rows.map(([venue, , , , note]) => `${venue}: ${note}.`)
  const series = { mark: 'bar', role: 'observed', x: 'venue', stack: 'share' } as const
  const isKnown = market.venues.every(({ ownDepthSharePips }) => ownDepthSharePips !== null)
  return {
    id: 'map-shares',
    kind: 'bars',
    title: 'Share of the 2 % depth',
    summary: text.join(' ') || 'No venue has depth.',
    x: named,
    y: { label: 'Share of the 2 % depth', unit: '%', scale: 'linear' },
    table: { columns: shareColumns, rows },
    series: [
      {
        ...series,
        id: 'others',
        label: isKnown ? 'Other providers' : 'Other or unknown providers',
        y: ['others'],
      },
      { ...series, id: 'own', label: 'Own positions', y: ['own'] },
    ],
    note: 'note',
    empty: 'No venue has depth.',
  }
}

const shareColumns = [
  { key: 'venue', label: 'Venue', unit: '' },
  { key: 'share', label: 'Share', unit: '%' },
  { key: 'others', label: 'Other providers', unit: '%' },
  { key: 'own', label: 'Own positions', unit: '%' },
  { key: 'note', label: 'Summary', unit: '' },
  { key: 'venueId', label: 'Venue ID', unit: '' },
]

function shareRow(venue: Venue): string[] {
  const [share, own] = [venue.depthSharePips ?? 0, venue.ownDepthSharePips]
  const ownPart = Math.round((share * (own ?? 0)) / 1_000_000)
  const note = `${printShare(share)} %${own === null ? '' : `, ${printShare(ownPart)} % own`}`
  const parts = [share, share - ownPart, ownPart].map(percent)
  return [nameOf(venue), ...parts, note, venue.venueId]
}

/** Cost of orders by size, routed over all venues and on the best one alone. */
function costsChart(market: DrawnMarket): ChartSpec {
  const orders = market.composite?.executable ?? []
  const empty = market.composite ? 'No order sizes requested.' : 'No fresh venue.'
  return {
    id: 'map-costs',
    kind: 'xy',
    title: 'Cost of an order by size',
    summary: orders.map((order) => describeCost(order, market)).join(' ') || empty,
    x: { label: 'Order size', unit: quote, scale: 'log' },
    y: { label: 'Cost with fees', unit: '%', scale: 'linear', zero: true },
    panels: [
      { id: 'BUY', title: 'Buy' },
      { id: 'SELL', title: 'Sell' },
    ],
    table: {
      columns: costColumns,
      rows: orders.map(({ side, sizeQuote, allInPips, bestSingle, split }) => [
        ...[side, tokens(sizeQuote, market), percent(allInPips)],
        ...[bestSingle && percent(bestSingle.allInPips), bestSingle?.venueId ?? null],
        `${split.length}`,
      ]),
    },
    series: sides.flatMap((side): ChartSeries[] => {
      const rows = { where: { side }, panel: side }
      const about = { mark: 'line', role: 'observed', x: 'size', ...rows } as const
      return [
        { ...about, id: `${side} routed`, label: 'Routed over all venues', y: ['routed'] },
        { ...about, id: `${side} single`, label: 'Best single venue', y: ['single'] },
      ]
    }),
    empty,
  }
}

type Order = NonNullable<DrawnMarket['composite']>['executable'][number]

function describeCost({ side, sizeQuote, allInPips, bestSingle }: Order, market: DrawnMarket) {
  const single = bestSingle ? `${percent(bestSingle.allInPips)} %` : 'not possible'
  const size = printTokens(sizeQuote, market)
  return `${sideNames[side]} ${size}: ${percent(allInPips)} % routed, ${single} on one venue.`
}

const costColumns = [
  { key: 'side', label: 'Side', unit: '' },
  { key: 'size', label: 'Order size', unit: quote },
  { key: 'routed', label: 'Cost, routed', unit: '%' },
  { key: 'single', label: 'Cost, best single venue', unit: '%' },
  { key: 'venueId', label: 'Best single venue', unit: '' },
  { key: 'venues', label: 'Venues used', unit: '' },
]

/** Depth against the targets of intents. */
function targetsChart(market: DrawnMarket): ChartSpec {
  const rows = market.targets.map(
    ({ side, bandPips, targetQuote, actualQuote, shortfallQuote }) => {
      const words = [actualQuote, targetQuote, shortfallQuote].map((atoms) =>
        printTokens(atoms, market),
      )
      const note = `${words[0]} of ${words[1]}: ${shortfallQuote === '0' ? 'reached' : `${words[2]} missing`}`
      const amounts = [actualQuote, targetQuote, shortfallQuote].map((atoms) =>
        tokens(atoms, market),
      )
      return [`${sideNames[side]}, ${percent(bandPips)} % depth`, ...amounts, note]
    },
  )
  const empty = 'No validated liquidity target requires depth now.'
  return {
    id: 'map-targets',
    kind: 'bars',
    title: 'Depth vs targets',
    summary: rows.map(([name, , , , note]) => `${name}: ${note}.`).join(' ') || empty,
    x: named,
    y: { label: 'Depth', unit: quote, scale: 'linear' },
    table: {
      columns: [
        { key: 'target', label: 'Target', unit: '' },
        { key: 'depth', label: 'Depth', unit: quote },
        { key: 'wanted', label: 'Target depth', unit: quote },
        { key: 'missing', label: 'Missing', unit: quote },
        { key: 'note', label: 'Summary', unit: '' },
      ],
      rows,
    },
    series: [
      { id: 'depth', label: 'Depth', mark: 'bar', role: 'observed', x: 'target', y: ['depth'] },
      { id: 'wanted', label: 'Target', mark: 'tick', role: 'limit', x: 'target', y: ['wanted'] },
    ],
    note: 'note',
    empty,
  }
}
