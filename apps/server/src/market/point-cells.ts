import { type Row, textOf } from '../store/database/row.ts'
import { type Sql, sql, values } from '../store/database/sql.ts'
import { neverObserved, type ObservedTime } from './observed-time.ts'
import { smaller } from './pair-price.ts'

/** Stored points of venues, as cells of a grid. */

/** Buckets of an answer, and the stored points that they are merged from. */
export interface Grid {
  /** Start of the first bucket, in Unix seconds. */
  readonly start: number
  readonly to: number
  /** Length of a bucket, a multiple of `stored`. */
  readonly seconds: number
  readonly stored: number
}

/** State of a venue in a bucket. */
export interface Cell {
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

/** The smaller side of the depth that weighs the price of a venue; null if unknown. */
export function weightOf(cell: Cell | null): bigint | null {
  const sides = cell?.depth.at(-1)
  return sides ? smaller(...sides) : null
}
