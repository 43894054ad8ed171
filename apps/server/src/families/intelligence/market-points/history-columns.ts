import { pointResolutions } from '../../../market/market-points.ts'
import { type Row, textOf } from '../../../store/database/row.ts'
import { type Sql, sql, values } from '../../../store/database/sql.ts'
import { daySeconds, minuteSeconds } from '../../../units.ts'
import { pairPrice, smaller, sumOf } from './markets.ts'
import {
  neverObserved,
  type ObservedTime,
  observedSeconds,
  type TimeRange,
} from './observed-time.ts'

/** Buckets of an answer, and the stored points that they are merged from. */
export interface Grid {
  /** Start of the first bucket, in Unix seconds. */
  readonly start: number
  readonly to: number
  /** Length of a bucket, a multiple of `stored`. */
  readonly seconds: number
  readonly stored: number
}

/**
 * Coarsest stored resolution within retention, and not above the bucket length. Without such a
 * resolution, the finest within retention.
 *
 * @param now Unix seconds
 */
export function gridOf({ from, to }: TimeRange, points: number, now: number): Grid {
  const wanted = Math.max(minuteSeconds, Math.ceil((to - from) / points))
  // A day more than the window: its state comes from the last point before it.
  const held = pointResolutions.filter(
    ({ keptSeconds }) => keptSeconds === null || from - daySeconds >= now - keptSeconds,
  )
  // The coarsest resolution is always held.
  const stored = (held.findLast(({ seconds }) => seconds <= wanted) ?? held[0]!).seconds
  const seconds = Math.ceil(wanted / stored) * stored
  // The window ends with a stored point, so that no bucket holds trades after its end.
  const end = Math.min(now, Math.ceil(to / stored) * stored)
  return { start: from - (from % seconds), to: end, seconds, stored }
}

/** State of a venue in a bucket. */
interface Cell {
  readonly open: bigint | null
  readonly high: bigint | null
  readonly low: bigint | null
  readonly close: bigint | null
  readonly tvl: bigint | null
  readonly volume: bigint
  readonly fees: bigint
  readonly trades: number
  /** Buy and sell side by band; null if unknown. */
  readonly depth: readonly (readonly [bigint, bigint] | null)[]
}

/** The band whose smaller side weighs the price of a venue. */
const weightBand = 20_000

/** Bands to read: those of the answer, and the one of the weight last. */
const readBands = (bands: readonly number[]) => [...bands, weightBand]

/** Statements for `historyCells`: points in the grid, and the last point before it. */
export function pointStatements(
  organizationId: string,
  venueIds: readonly string[],
  { start, to, seconds, stored }: Grid,
  bands: readonly number[],
): Sql[] {
  const here = sql`organization_id = ${organizationId} and resolution = ${stored}`
  const depths = readBands(bands)
    .map((band) => `,',', p.depth #>> '{${band},0}', '|', p.depth #>> '{${band},1}'`)
    .join('')
  const cell: Sql = {
    text: `concat(p.bucket, ',', p.open, ',', p.high, ',', p.low, ',', p.close, ',', p.tvl, ',', p.volume, ',',
      p.fees, ',', p.trades${depths})`,
  }
  const within = sql`${here} and venue_id in ${values(venueIds)} and at >= ${start} and at < ${to}`
  const merged =
    seconds === stored
      ? sql`select venue_id, at as bucket, open, high, low, close, depth, tvl, volume, fees, trades
          from market_points where ${within}`
      : sql`select venue_id, at - at % ${seconds} as bucket,
          (array_agg(open order by at) filter (where open is not null))[1] as open, max(high) as high, min(low) as low,
          (array_agg(close order by at desc))[1] as close, (array_agg(depth order by at desc))[1] as depth,
          (array_agg(tvl order by at desc))[1] as tvl, sum(volume) as volume, sum(fees) as fees, sum(trades) as trades
        from market_points where ${within} group by venue_id, at - at % ${seconds}`
  return [
    sql`select p.venue_id, string_agg(${cell}, ';' order by p.bucket) as cells
      from (${merged}) as p group by p.venue_id`,
    sql`select v.venue_id, ${cell} as cells from unnest(array${{ text: `[${venueIds.map((id) => sql`${id}`.text).join(',')}]` }}) as v (venue_id)
      cross join lateral (select at as bucket, m.* from market_points m where m.organization_id = ${organizationId}
        and m.venue_id = v.venue_id and m.resolution = ${stored} and m.at < ${start} order by m.at desc limit 1) as p`,
  ]
}

/** Cells of a venue by start of their bucket. */
export interface VenueCells {
  readonly cells: ReadonlyMap<number, Cell>
  readonly before: Cell | null
  readonly time: ObservedTime
}

export function historyCells(
  venueIds: readonly string[],
  [within, before]: readonly [readonly Row[], readonly Row[]],
  times: ReadonlyMap<string, ObservedTime>,
): VenueCells[] {
  const cellsOf = (rows: readonly Row[]) =>
    new Map(
      rows.map((row) => [
        textOf(row, 'venue_id'),
        new Map(textOf(row, 'cells').split(';').map(parseCell)),
      ]),
    )
  const [found, earlier] = [cellsOf(within), cellsOf(before)]
  return venueIds.map((id) => ({
    cells: found.get(id) ?? new Map(),
    before: [...(earlier.get(id)?.values() ?? [])][0] ?? null,
    time: times.get(id) ?? neverObserved,
  }))
}

function parseCell(text: string): [number, Cell] {
  const [bucket, open, high, low, close, tvl, volume, fees, trades, ...depths] = text.split(',')
  const amount = (value = '') => (value === '' ? null : BigInt(value))
  return [
    Number(bucket),
    {
      open: amount(open),
      high: amount(high),
      low: amount(low),
      close: amount(close),
      tvl: amount(tvl),
      volume: amount(volume) ?? 0n,
      fees: amount(fees) ?? 0n,
      trades: Number(trades),
      depth: depths.map((sides) => {
        const [buy, sell] = sides.split('|').map(amount)
        return buy === undefined || buy === null || sell === undefined || sell === null
          ? null
          : ([buy, sell] as const)
      }),
    },
  ]
}

/** A silent bucket: the state that the one before it left. */
const silent = ({ close, tvl, depth }: Cell): Cell => ({
  open: close,
  high: close,
  low: close,
  close,
  tvl,
  volume: 0n,
  fees: 0n,
  trades: 0,
  depth,
})

/** One bucket of all venues together. */
export interface HistoryBucket {
  readonly at: number
  readonly open: bigint | null
  readonly high: bigint | null
  readonly low: bigint | null
  readonly close: bigint | null
  /** By band of the request. */
  readonly depth: readonly (readonly [bigint, bigint] | null)[]
  readonly volume: bigint | null
  readonly fees: bigint | null
  readonly tvl: bigint | null
  readonly trades: number | null
  readonly coveredPips: number
}

/** Merges venues bucket by bucket. A venue counts in each bucket where it was observed. */
export function historyBuckets(
  venues: readonly VenueCells[],
  { start, to, seconds }: Grid,
  bands: readonly number[],
): HistoryBucket[] {
  const state = venues.map(({ before }) => before)
  const weights = venues.map(({ before }) => weightOf(before) ?? 0n)
  const count = Math.ceil((to - start) / seconds)
  return Array.from({ length: count }, (_, index): HistoryBucket => {
    const at = start + index * seconds
    const bucket = { from: at, to: Math.min(at + seconds, to) }
    let covered = 0
    const cells: { cell: Cell; weight: bigint }[] = []
    for (const [place, { cells: own, time }] of venues.entries()) {
      const found = own.get(at)
      const observed = observedSeconds(time, bucket)
      covered += observed
      const last = state[place]
      const cell = found ?? (observed > 0 && last ? silent(last) : null)
      if (cell === null) continue
      state[place] = cell
      weights[place] = weightOf(cell) ?? weights[place] ?? 0n
      cells.push({ cell, weight: weights[place] })
    }
    const price = (pick: (cell: Cell) => bigint | null) =>
      pairPrice(cells.map(({ cell, weight }) => ({ price: pick(cell), weight })))
    const total = (pick: (cell: Cell) => bigint | null) =>
      sumOf(cells.map(({ cell }) => pick(cell)))
    return {
      at,
      open: price(({ open }) => open),
      high: price(({ high }) => high),
      low: price(({ low }) => low),
      close: price(({ close }) => close),
      depth: bands.map((_band, band) => {
        const buy = total(({ depth }) => depth[band]?.[0] ?? null)
        const sell = total(({ depth }) => depth[band]?.[1] ?? null)
        return buy === null || sell === null ? null : [buy, sell]
      }),
      volume: total(({ volume }) => volume),
      fees: total(({ fees }) => fees),
      tvl: total(({ tvl }) => tvl),
      trades: cells.length === 0 ? null : cells.reduce((sum, { cell }) => sum + cell.trades, 0),
      coveredPips:
        venues.length === 0 || bucket.to === at
          ? 0
          : Math.floor((1_000_000 * covered) / (venues.length * (bucket.to - at))),
    }
  })
}

function weightOf(cell: Cell | null): bigint | null {
  const sides = cell?.depth.at(-1)
  return sides ? smaller(...sides) : null
}
