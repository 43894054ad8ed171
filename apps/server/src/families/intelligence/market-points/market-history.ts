import type { contract, QueryOf } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { Failure } from '../../../failure.ts'
import { limits } from '../../../limits.ts'
import { type VenueRecord, venuesToEvaluate } from '../../../market/named-venue.ts'
import {
  gapsOf,
  neverObserved,
  observedStatement,
  observedTimes,
  type TimeRange,
} from '../../../market/observed-time.ts'
import { marketKey, pairKey } from '../../../market/pair.ts'
import { historyCells, pointStatements } from '../../../market/point-cells.ts'
import type { ScheduleReading } from '../../../services.ts'
import { integerOf, optionalTextOf, textOf } from '../../../store/database/row.ts'
import { type Sql, sql, values } from '../../../store/database/sql.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { daySeconds } from '../../../units.ts'
import { alertsOf } from '../alerts/api.ts'
import { gridOf, type HistoryBucket, historyBuckets } from './history-columns.ts'
import { assetsOf, textOrNull, venuesOf } from './markets.ts'

export type History = Static<typeof contract.MarketHistory>

/** Window and market of a history. */
export type HistoryQuery = Omit<QueryOf<typeof contract.readMarketHistory>, 'as'>

export interface HistoryRequest {
  readonly query: HistoryQuery
  readonly records: TenantRecords
  readonly services: ScheduleReading
  /** Milliseconds since 1970. */
  readonly now: number
}

const maxGaps = 200
const maxMarkers = 200
const defaultPoints = 480

/**
 * Reads the history of a pair or of one venue, from points alone.
 *
 * @throws Failure 400 for an unusable window or market, 404 for an unknown market
 */
export async function marketHistory(request: HistoryRequest): Promise<History> {
  const { query, records, services } = request
  const invalid = (field: string, expected: string, value: unknown) =>
    new Failure('LIQUIDITY_INVALID_REQUEST', {
      fieldErrors: { [`query.${field}`]: [`${expected}, got ${value}`] },
    })
  const now = Math.floor(request.now / 1000)
  const { pair, venueId, points = defaultPoints } = query
  if ((pair === undefined) === (venueId === undefined)) {
    const got = pair === undefined ? 'neither' : 'both'
    throw invalid('pair', 'must be given, or venueId instead', got)
  }
  const to = query.to === undefined ? now : Math.min(now, secondsOf(query.to))
  const from = query.from === undefined ? to - daySeconds : Math.max(0, secondsOf(query.from))
  if (from >= to) throw invalid('from', 'must be before to and before now', query.from)
  const venues =
    pair === undefined ? await venueWithId(records, venueId) : await venuesOfPair(records, pair)
  const [first] = venues
  if (!first) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
  const { pair: tokens } = first.payload
  const bands = [...new Set((query.bands ?? '20000').split(',').map(Number))]
  const grid = gridOf({ from, to }, points, now)
  const venueIds = venues.map(({ id }) => id)
  const { organizationId } = records
  const [[within = [], before = [], observed = [], spans = []], assets, alerts] = await Promise.all(
    [
      records.query([
        ...pointStatements(organizationId, venueIds, grid, bands),
        observedStatement(organizationId, venueIds, { from: grid.start, to: grid.to }),
        evidenceStatement(organizationId, venueIds, { from: grid.start, to: grid.to }),
      ]),
      assetsOf(records, venues),
      alertsOf(records, services),
    ],
  )
  const times = observedTimes(observed)
  const cells = historyCells(venueIds, [within, before], times)
  const buckets = historyBuckets(cells, grid, bands)
  const [used = {}] = spans
  return {
    pairKey: marketKey(tokens),
    ...assets(tokens),
    venues: venuesOf(venues, (id) => times.get(id) ?? neverObserved, now),
    from: timeOf(from),
    to: timeOf(grid.to),
    resolutionSeconds: grid.seconds,
    ...columnsOf(buckets, bands),
    gaps: gapsOfVenues(venueIds, times, { from, to: grid.to }, now),
    markers: alerts
      .filter(
        ({ subject, openedAt }) =>
          (venueId === undefined
            ? subject.pair === pairKey(tokens)
            : subject.venueId === venueId ||
              (subject.venueId === null && subject.pair === pairKey(tokens))) &&
          secondsOf(openedAt) >= from &&
          secondsOf(openedAt) < grid.to,
      )
      .map(({ id, kind, title, openedAt }) => ({ at: secondsOf(openedAt), kind, id, title }))
      .toSorted((a, b) => b.at - a.at)
      .slice(0, maxMarkers),
    evidence: {
      observations: integerOf(used, 'observations'),
      first: optionalTextOf(used, 'first'),
      last: optionalTextOf(used, 'last'),
      root: textOf(used, 'root') as History['evidence']['root'],
    },
  }
}

const secondsOf = (time: string) => Math.floor(Date.parse(time) / 1000)
const timeOf = (seconds: number) => new Date(seconds * 1000).toISOString()

async function venuesOfPair(records: TenantRecords, key: string): Promise<VenueRecord[]> {
  const venues = await venuesToEvaluate(records)
  return venues
    .filter(({ payload }) => marketKey(payload.pair) === key.toLowerCase())
    .slice(0, limits.mapVenues)
}

async function venueWithId(records: TenantRecords, id: string | undefined): Promise<VenueRecord[]> {
  const found = id ? await records.current<VenueRecord['payload']>('VenueProfile', id) : null
  return found ? [found.record] : []
}

/**
 * Observations that the points of a time contain, and a hash of their versions. Days that are due
 * have no points, so their observations are excluded.
 */
function evidenceStatement(
  organizationId: string,
  venueIds: readonly string[],
  { from, to }: TimeRange,
): Sql {
  const used = sql`from venue_spans where organization_id = ${organizationId}
    and venue_id in ${values(venueIds)} and is_counted and last_at >= ${from} and first_at < ${to}
    and not exists (select from market_points_due d where d.organization_id = ${organizationId}
      and d.venue_id = venue_spans.venue_id and d.day <= last_at and d.day + ${daySeconds} > first_at)`
  return sql`select count(*) as observations,
      (select id ${used} order by first_at, id limit 1) as first,
      (select id ${used} order by last_at desc, id desc limit 1) as last,
      '0x' || encode(sha256(convert_to(coalesce(string_agg(id || ' ' || resource_version, chr(10)
        order by first_block, id), ''), 'UTF8')), 'hex') as root
    ${used}`
}

function columnsOf(buckets: readonly HistoryBucket[], bands: readonly number[]) {
  const texts = (pick: (bucket: HistoryBucket) => bigint | null) =>
    buckets.map((bucket) => textOrNull(pick(bucket)))
  return {
    at: buckets.map(({ at }) => at),
    price: {
      open: texts(({ open }) => open),
      high: texts(({ high }) => high),
      low: texts(({ low }) => low),
      close: texts(({ close }) => close),
    },
    depth: Object.fromEntries(
      bands.map((band, index) => [
        `${band}`,
        {
          buy: texts(({ depth }) => depth[index]?.[0] ?? null),
          sell: texts(({ depth }) => depth[index]?.[1] ?? null),
        },
      ]),
    ),
    volumeQuote: texts(({ volume }) => volume),
    feesQuote: texts(({ fees }) => fees),
    tvlQuote: texts(({ tvl }) => tvl),
    trades: buckets.map(({ trades }) => trades),
    coveredPips: buckets.map(({ coveredPips }) => coveredPips),
  }
}

function gapsOfVenues(
  venueIds: readonly string[],
  times: ReturnType<typeof observedTimes>,
  window: TimeRange,
  now: number,
): History['gaps'] {
  return venueIds
    .flatMap((venueId) =>
      gapsOf(times.get(venueId) ?? neverObserved, window).map((gap) => ({ venueId, ...gap })),
    )
    .filter(({ from, to }) => to < now || now - from > limits.mapFreshSeconds)
    .toSorted((a, b) => b.to - b.from - (a.to - a.from))
    .slice(0, maxGaps)
    .toSorted((a, b) => a.from - b.from)
}
