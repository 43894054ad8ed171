import { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { handle, type Outcome } from '../../../http/handler.ts'
import type { VenueRecord } from '../../../market/named-venue.ts'
import {
  isFresh,
  neverObserved,
  type ObservedTime,
  observedSeconds,
  observedStatement,
  observedTimes,
  observedUntil,
  rangeAt,
} from '../../../market/observed-time.ts'
import { marketKey, pairKey } from '../../../market/pair.ts'
import { pairPrice, smaller, sumOf } from '../../../market/pair-price.ts'
import { integerOf, optionalTextOf, type Row, textOf } from '../../../store/database/row.ts'
import { join, type Sql, sql, values } from '../../../store/database/sql.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { daySeconds, hourSeconds, minuteSeconds, weekSeconds } from '../../../units.ts'
import { alertsOf } from '../alerts/api.ts'
import type { ScorePayload } from '../scores/api.ts'
import { assetsOf, textOrNull, venuesOf, watchedMarkets } from './markets.ts'

type Summary = Static<typeof contract.MarketSummary>

const coarseSeconds = 10 * minuteSeconds
/** Spacing of the prices of the last week. */
const sparkSeconds = 4 * hourSeconds
const MILLION = 1_000_000n
/** Coverage below which the volume of a day is a lower bound. */
const completePips = 950_000

/** Current values of every watched pair, from stored points. */
export default handle(contract.listMarketSummaries, async (request): Promise<Outcome> => {
  const { records, services } = request
  const now = Math.floor(request.now / 1000)
  const markets = await watchedMarkets(records)
  const venues = markets.flat()
  const [figures, assets, scores, alerts] = await Promise.all([
    readFigures(
      records,
      venues.map(({ id }) => id),
      now,
    ),
    assetsOf(records, venues),
    venues.length === 0
      ? []
      : records.find<ScorePayload>('MarketQualityScore', { status: ['ACTIVE'] }),
    venues.length === 0 ? [] : alertsOf(records, services),
  ])
  const scoreByPair = new Map(scores.map((score) => [pairKey(score.payload.request.pair), score]))
  const open = alerts.filter(({ state }) => state === 'OPEN')
  const data: Static<typeof contract.MarketSummaries> = {
    asOf: new Date(now * 1000).toISOString(),
    markets: markets.map((market) => {
      const { pair } = market[0]!.payload
      const score = scoreByPair.get(pairKey(pair))
      const count = (severity: string) =>
        open.filter((one) => one.severity === severity && one.subject.pair === pairKey(pair)).length
      return {
        pairKey: marketKey(pair),
        ...assets(pair),
        ...summaryOf(market, figures, now),
        score: score
          ? {
              id: score.id,
              scorePips: score.payload.scorePips ?? 0,
              grade: score.payload.grade,
              gradedSize: score.payload.gradedSize ?? null,
              validUntil: score.payload.validUntil,
            }
          : null,
        openAlerts: {
          critical: count('CRITICAL'),
          warning: count('WARNING'),
          info: count('INFO'),
        },
      }
    }),
  }
  return { data }
})

/** Current values of a venue. */
interface Figures {
  readonly time: ObservedTime
  readonly newest: State | null
  readonly dayAgo: State | null
  readonly volume24h: bigint
  /** Keyed by bucket start. */
  readonly spark: ReadonlyMap<number, State>
}

interface State {
  /** Start of the bucket, in Unix seconds. */
  readonly at: number
  readonly price: bigint | null
  readonly buy: bigint | null
  readonly sell: bigint | null
  readonly tvl: bigint | null
}

const unknown: Figures = {
  time: neverObserved,
  newest: null,
  dayAgo: null,
  volume24h: 0n,
  spark: new Map(),
}

async function readFigures(
  records: TenantRecords,
  venueIds: readonly string[],
  now: number,
): Promise<Map<string, Figures>> {
  if (venueIds.length === 0) return new Map()
  const { organizationId } = records
  const ofVenue = sql`p.organization_id = ${organizationId} and p.venue_id = v.venue_id`
  const requested = join(venueIds.map((id) => sql`(${id})`))
  const [states = [], sparks = [], observed = []] = await records.query([
    sql`select v.venue_id, newest.*, ago.*, coalesce(volume.quote, 0)::text as volume
      from (values ${requested}) as v (venue_id)
      left join lateral (select ${stateColumns('newest')} from market_points p
        where ${ofVenue} and p.resolution = ${daySeconds} order by p.at desc limit 1) as newest on true
      left join lateral (select ${stateColumns('ago')} from market_points p
        where ${ofVenue} and p.resolution = ${minuteSeconds} and p.at <= ${now - daySeconds - minuteSeconds}
        order by p.at desc limit 1) as ago on true
      left join lateral (select sum(p.volume) as quote from market_points p
        where ${ofVenue} and ${lastDay(now)}) as volume on true`,
    sql`select venue_id, bucket, ${stateColumns('spark')} from (
        select distinct on (venue_id, at / ${sparkSeconds}) venue_id,
          (at / ${sparkSeconds}) * ${sparkSeconds} as bucket, close, depth, tvl, at
        from market_points where organization_id = ${organizationId} and venue_id in ${values(venueIds)}
          and resolution = ${hourSeconds} and at >= ${sparkFrom(now) - daySeconds}
        order by venue_id, at / ${sparkSeconds}, at desc
      ) as p order by venue_id, bucket`,
    observedStatement(organizationId, venueIds, { from: now - weekSeconds, to: now }),
  ])
  const times = observedTimes(observed)
  const sparksOf = Map.groupBy(sparks, (row) => textOf(row, 'venue_id'))
  return new Map(
    states.map((row) => {
      const id = textOf(row, 'venue_id')
      return [
        id,
        {
          time: times.get(id) ?? neverObserved,
          newest: stateOf(row, 'newest'),
          dayAgo: stateOf(row, 'ago'),
          volume24h: BigInt(textOf(row, 'volume')),
          spark: new Map(
            (sparksOf.get(id) ?? []).flatMap((one) => {
              const state = stateOf(one, 'spark')
              return state ? [[integerOf(one, 'bucket'), state] as const] : []
            }),
          ),
        },
      ]
    }),
  )
}

/** Ten-minute points of the last day, after one-minute points up to the first full ten minutes. */
function lastDay(now: number): Sql {
  const from = Math.ceil((now - daySeconds) / minuteSeconds) * minuteSeconds
  const coarse = Math.ceil(from / coarseSeconds) * coarseSeconds
  return sql`(p.resolution = ${coarseSeconds} and p.at >= ${coarse}
    or p.resolution = ${minuteSeconds} and p.at >= ${from} and p.at < ${coarse})`
}

const stateColumns = (name: string): Sql => ({
  text: `p.at as ${name}_at, p.close::text as ${name}_price, p.tvl::text as ${name}_tvl,
    p.depth #>> '{20000,0}' as ${name}_buy, p.depth #>> '{20000,1}' as ${name}_sell`,
})

function stateOf(row: Row, name: string): State | null {
  if (optionalTextOf(row, `${name}_at`) === null) return null
  const amount = (column: string) => {
    const text = optionalTextOf(row, `${name}_${column}`)
    return text === null ? null : BigInt(text)
  }
  return {
    at: integerOf(row, `${name}_at`),
    price: amount('price'),
    buy: amount('buy'),
    sell: amount('sell'),
    tvl: amount('tvl'),
  }
}

const sparkFrom = (now: number) =>
  (Math.floor((now - weekSeconds) / sparkSeconds) + 1) * sparkSeconds

const weighted = ({ price, buy, sell }: State) => ({
  price,
  weight: buy === null || sell === null ? 0n : smaller(buy, sell),
})

type Computed = Omit<Summary, 'pairKey' | 'base' | 'quote' | 'score' | 'openAlerts'>

function summaryOf(
  market: readonly VenueRecord[],
  figures: ReadonlyMap<string, Figures>,
  now: number,
): Computed {
  const known = market.map(({ id }) => figures.get(id) ?? unknown)
  const seen = known.filter(({ newest }) => newest !== null)
  const fresh = seen.filter(({ time }) => isFresh(time, now))
  const states = fresh.flatMap(({ newest }) => newest ?? [])
  const price = pairPrice(states.map(weighted))
  const ago = fresh.flatMap(({ time, dayAgo }) => {
    const range = rangeAt(time, now - daySeconds)
    // A bucket before the observed time is of an earlier one.
    return dayAgo && range && dayAgo.at + minuteSeconds > range.from ? [dayAgo] : []
  })
  const before = ago.length < fresh.length ? null : pairPrice(ago.map(weighted))
  const change =
    price === null || before === null || before === 0n
      ? null
      : ((price - before) * MILLION) / before
  const window = { from: now - daySeconds, to: now }
  const covered = fresh.map(({ time }) => observedSeconds(time, window))
  const volumeCoveragePips =
    fresh.length === 0
      ? 0
      : Math.floor(
          (1_000_000 * covered.reduce((sum, one) => sum + one, 0)) / (fresh.length * daySeconds),
        )
  const [buyQuote, sellQuote] = [
    sumOf(states.map(({ buy }) => buy)),
    sumOf(states.map(({ sell }) => sell)),
  ]
  const until = known.flatMap(({ time }) => observedUntil(time) ?? [])
  const reasons: Summary['reasons'] = [
    ...(seen.length < known.length ? (['VENUE_NOT_OBSERVED'] as const) : []),
    ...(fresh.length < seen.length ? (['VENUE_STALE'] as const) : []),
    ...(known.some(({ time }) => time.dueDays.length > 0) ? (['POINTS_PENDING'] as const) : []),
    ...(price === null ? (['NO_PRICE'] as const) : []),
    ...(price !== null && buyQuote === null ? (['DEPTH_UNKNOWN'] as const) : []),
    ...(price !== null && change === null ? (['CHANGE_24H_UNKNOWN'] as const) : []),
    ...(volumeCoveragePips < completePips ? (['VOLUME_24H_INCOMPLETE'] as const) : []),
  ]
  return {
    venues: venuesOf(market, (id) => figures.get(id)?.time ?? neverObserved, now),
    state: price === null ? 'ABSTAINED' : reasons.length > 0 ? 'PARTIAL' : 'COMPLETED',
    reasons,
    priceX36: textOrNull(price),
    change24hPips: change === null ? null : Number(change),
    depth2:
      buyQuote === null || sellQuote === null
        ? null
        : { buyQuote: `${buyQuote}`, sellQuote: `${sellQuote}` },
    volume24hQuote: textOrNull(
      covered.some((seconds) => seconds > 0)
        ? fresh.reduce((sum, { volume24h }) => sum + volume24h, 0n)
        : null,
    ),
    volumeCoveragePips,
    tvlQuote: textOrNull(sumOf(states.map(({ tvl }) => tvl))),
    spark: sparkOf(fresh, price, now),
    lagSeconds: until.length === 0 ? null : Math.max(0, now - Math.max(...until)),
  }
}

/** The current bucket shows the current price. */
function sparkOf(fresh: readonly Figures[], price: bigint | null, now: number): Summary['spark'] {
  const from = sparkFrom(now)
  const count = Math.floor((now - from) / sparkSeconds) + 1
  const last = new Map<Figures, State>()
  const advance = (bucket: number) => {
    for (const one of fresh) {
      const state = one.spark.get(bucket)
      if (state) last.set(one, state)
    }
  }
  for (let bucket = from - daySeconds; bucket < from; bucket += sparkSeconds) {
    advance(bucket - (bucket % sparkSeconds))
  }
  return Array.from({ length: count }, (_, index) => {
    const at = from + index * sparkSeconds
    if (index === count - 1) return [at, textOrNull(price)]
    advance(at)
    const seen = fresh.filter(
      (one) =>
        one.spark.has(at) || observedSeconds(one.time, { from: at, to: at + sparkSeconds }) > 0,
    )
    const close = pairPrice(
      seen.flatMap((one) => {
        const state = last.get(one)
        return state ? [weighted(state)] : []
      }),
    )
    return [at, textOrNull(close)]
  })
}
