import type { contract } from '@liquidity-os/contract'
import { canonicalize, type VersionedRecord } from '@liquidity-os/evidence'
import { limits } from '../../limits.ts'
import { contentHashOf } from '../../store/artifacts/content-hash.ts'
import { integerOf, optionalTextOf, textOf } from '../../store/database/row.ts'
import { type Sql, sql } from '../../store/database/sql.ts'
import type { TenantRecords } from '../../store/records/tenant-records.ts'
import { daySeconds } from '../../units.ts'
import type { PricePoint } from './price-course.ts'

export type PriceSeriesRecord = VersionedRecord<contract.PriceSeries>

export interface StoredPoint extends PricePoint {
  readonly proof?: string
}

export interface ReadPrices {
  readonly points: readonly PricePoint[]
  /** Start of the days that are not sealed. */
  readonly provisionalFrom: number
  /** Sealed days that were read, by their current version. */
  readonly segments: readonly contract.PriceSegment[]
}

export const dayOf = (at: number): string => new Date(at * 1000).toISOString().slice(0, 10)
export const beginOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000

/** A sealed day as bytes, and their hash. */
export function segmentBytes(
  seriesId: string,
  day: string,
  points: readonly StoredPoint[],
): { content: Uint8Array; contentHash: string } {
  const rows = points.map(({ at, priceX36, errorPips, proof }) =>
    proof === undefined ? [at, `${priceX36}`, errorPips] : [at, `${priceX36}`, errorPips, proof],
  )
  const content = Buffer.from(canonicalize({ seriesId, day, points: rows }))
  return { content, contentHash: contentHashOf(content) }
}

type Row = readonly [at: number, priceX36: string, errorPips: number, proof?: string]

const pointOf = ([at, priceX36, errorPips, proof]: Row): StoredPoint => ({
  at,
  priceX36: BigInt(priceX36),
  errorPips,
  ...(proof === undefined ? {} : { proof }),
})

/** The points of a sealed day. */
export async function sealedPoints(
  records: TenantRecords,
  { artifactHash }: contract.PriceSegment,
): Promise<StoredPoint[]> {
  const bytes = await records.artifact(artifactHash)
  return (JSON.parse(bytes.toString()) as { points: Row[] }).points.map(pointOf)
}

/**
 * Sealed days of a series in their current version, ascending by day.
 *
 * @param input.sequence state at an earlier version
 * @param input.newest minimum number of latest days; reads no more than needed
 */
async function sealedDays(
  records: TenantRecords,
  seriesRecordId: string,
  { sequence, newest }: { readonly sequence?: number; readonly newest?: number } = {},
): Promise<contract.PriceSegment[]> {
  const read = await records.versions<contract.PriceSeries>('PriceSeries', seriesRecordId, {
    // A day has at most two versions.
    limit: newest === undefined ? limits.priceSegments : 2 * newest,
    order: 'NEWEST',
    ...(sequence === undefined ? {} : { below: sequence + 1 }),
  })
  const versions = read.toReversed()
  const byDay = new Map<string, contract.PriceSegment>()
  for (const { payload } of versions) {
    if (payload.segment) byDay.set(payload.segment.day, payload.segment)
  }
  return [...byDay.values()].sort((a, b) => (a.day < b.day ? -1 : 1))
}

/** Prices that are not yet sealed, ascending. */
export async function provisionalPoints(
  records: TenantRecords,
  seriesRecordId: string,
): Promise<StoredPoint[]> {
  const [rows = []] = await records.query([
    sql`select at, price_x36, error_pips, proof from price_points
      where organization_id = ${records.organizationId} and series_id = ${seriesRecordId} order by at`,
  ])
  return rows.map((row) => {
    const proof = optionalTextOf(row, 'proof')
    return {
      at: integerOf(row, 'at'),
      priceX36: BigInt(textOf(row, 'price_x36')),
      errorPips: integerOf(row, 'error_pips'),
      ...(proof === null ? {} : { proof }),
    }
  })
}

/** Replaces the unsealed prices of a series from a time on. */
export function keepProvisional(
  organizationId: string,
  seriesRecordId: string,
  from: number,
  points: readonly StoredPoint[],
): Sql[] {
  const gone = sql`delete from price_points where organization_id = ${organizationId}
    and series_id = ${seriesRecordId} and at >= ${from}`
  if (points.length === 0) return [gone]
  const rows = JSON.stringify(
    points.map(({ at, priceX36, errorPips, proof }) => ({
      at,
      price_x36: `${priceX36}`,
      error_pips: errorPips,
      proof: proof ?? null,
    })),
  )
  const come = sql`insert into price_points (organization_id, series_id, at, price_x36, error_pips, proof)
    select ${organizationId}, ${seriesRecordId}, at, price_x36, error_pips, proof
    from jsonb_to_recordset(${rows}::jsonb) as told (at bigint, price_x36 text, error_pips integer, proof text)
    on conflict do nothing`
  return [gone, come]
}

/** Removes prices before a time; those are sealed. */
export const dropSealed = (organizationId: string, seriesRecordId: string, before: number): Sql =>
  sql`delete from price_points where organization_id = ${organizationId}
    and series_id = ${seriesRecordId} and at < ${before}`

/**
 * Prices of a series over a period.
 *
 * @param window Unix seconds, both ends included
 * @param newest number of latest sealed days that contain the window
 */
export async function readPrices(
  records: TenantRecords,
  series: Pick<PriceSeriesRecord, 'id'>,
  { from, to }: { readonly from: number; readonly to: number },
  newest?: number,
): Promise<ReadPrices> {
  const days = await sealedDays(records, series.id, newest === undefined ? {} : { newest })
  const segments = days.filter(({ day }) => beginOf(day) <= to && beginOf(day) + daySeconds > from)
  const sealed: StoredPoint[] = []
  for (const segment of segments) sealed.push(...(await sealedPoints(records, segment)))
  const last = days.at(-1)
  const provisionalFrom = last ? beginOf(last.day) + daySeconds : 0
  const open = to >= provisionalFrom ? await provisionalPoints(records, series.id) : []
  const points = [...sealed, ...open.filter(({ at }) => at >= provisionalFrom)]
  return {
    points: points.filter(({ at }) => at >= from && at <= to),
    provisionalFrom,
    segments,
  }
}

/**
 * Prices that a series had sealed up to one of its versions; permanently fixed. Each day uses its
 * newest version at that time.
 *
 * @param window Unix seconds, both ends included
 * @returns null if the series has no such version
 */
export async function pricesOfVersion(
  records: TenantRecords,
  ref: { readonly id: string; readonly resourceVersion: string },
  { from, to }: { readonly from: number; readonly to: number },
): Promise<{ readonly series: PriceSeriesRecord; readonly points: readonly PricePoint[] } | null> {
  const found = await records.version<contract.PriceSeries>(
    'PriceSeries',
    ref.id,
    ref.resourceVersion,
  )
  if (!found) return null
  const days = await sealedDays(records, ref.id, { sequence: found.record.sequence })
  const points: PricePoint[] = []
  for (const segment of days) {
    const begin = beginOf(segment.day)
    if (begin > to || begin + daySeconds <= from) continue
    for (const { at, priceX36, errorPips } of await sealedPoints(records, segment)) {
      if (at >= from && at <= to) points.push({ at, priceX36, errorPips })
    }
  }
  return { series: found.record, points }
}
