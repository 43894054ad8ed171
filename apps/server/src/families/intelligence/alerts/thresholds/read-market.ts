import { limits } from '../../../../limits.ts'
import {
  neverObserved,
  type ObservedTime,
  observedStatement,
  observedTimes,
} from '../../../../market/observed-time.ts'
import { historyCells, pointStatements } from '../../../../market/point-cells.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { completeUntil, type MarketSeries } from './market-runs.ts'

/** Input of a market threshold. */
export interface MarketQuestion {
  readonly venueIds: readonly string[]
  readonly stepSeconds: number
  /**
   * Start of the data for the last complete sample, a multiple of the step; null if no data is
   * needed.
   */
  readonly from: (until: number) => number | null
  readonly bands: readonly number[]
}

export interface ReadMarket {
  readonly series: MarketSeries
  /** Last sample time with complete observations. */
  readonly until: number
}

/** Observed time of venues from a time on, in Unix seconds. */
export async function readTimes(
  records: TenantRecords,
  venueIds: readonly string[],
  from: number,
): Promise<Map<string, ObservedTime>> {
  if (venueIds.length === 0) return new Map()
  const to = Math.floor(records.now / 1000)
  const [rows = []] = await records.query([
    observedStatement(records.organizationId, venueIds, { from, to }),
  ])
  return observedTimes(rows)
}

/** Points of the venues of a subject; null without observations, or if no data is needed. */
export async function readMarket(
  records: TenantRecords,
  times: ReadonlyMap<string, ObservedTime>,
  { venueIds, stepSeconds, from, bands }: MarketQuestion,
): Promise<ReadMarket | null> {
  const timed = venueIds.map((id) => ({
    points: [],
    before: null,
    time: times.get(id) ?? neverObserved,
  }))
  const freshSeconds = limits.mapFreshSeconds
  const until = completeUntil({ venues: timed, stepSeconds, freshSeconds })
  const computed = until === null ? null : from(until)
  if (until === null || computed === null) return null
  const start = Math.max(0, computed)
  const grid = { start, to: until, seconds: stepSeconds, stored: stepSeconds }
  const [within = [], before = []] = await records.query(
    pointStatements(records.organizationId, venueIds, grid, bands),
  )
  const venues = historyCells(venueIds, [within, before], times).map((venue) => ({
    points: [...venue.cells].map(([at, cell]) => ({ at, cell })),
    before: venue.before,
    time: venue.time,
  }))
  return { series: { venues, start, stepSeconds, freshSeconds }, until }
}
