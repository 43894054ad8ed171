import type { contract } from '@liquidity-os/contract'
import { H, type VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import type { ProviderPayload } from '../../../integrations/providers/chain-providers.ts'
import { schedulesOf, schedulesStatements } from '../../../jobs/schedules.ts'
import { limits } from '../../../limits.ts'
import { type ObservationRecord, observationsById } from '../../../market/completed-observations.ts'
import type { VenueRecord } from '../../../market/named-venue.ts'
import { eventsNotRead, tokenNotExact } from '../../../market/observed-spans.ts'
import { pairKey } from '../../../market/pair.ts'
import { endNotRead } from '../../../market/span-rows.ts'
import { furthestSpans } from '../../../market/venue-spans.ts'
import type { ScheduleReading } from '../../../services.ts'
import { integerOf, type Row, textOf } from '../../../store/database/row.ts'
import { type Sql, sql } from '../../../store/database/sql.ts'
import { creditsStatement } from '../../../store/node-calls/rpc-budgets.ts'
import { findStatement, member, type Question } from '../../../store/records/find.ts'
import type { ResourceType } from '../../../store/records/resource-types.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { codeInWords } from '../../../texts.ts'
import { dayMilliseconds } from '../../../units.ts'
import type { Alert } from './alert.ts'
import { anomalyTitle } from './anomaly-title.ts'
import { policyAlerts } from './policy-alerts.ts'
import { quotaAlerts } from './quota-alerts.ts'
import { receiptAlerts, unagreed } from './receipt-alerts.ts'
import { scheduleAlerts } from './schedule-alerts.ts'
import { firingAlerts, firingsStatement } from './thresholds/firings.ts'

const hasCredits = sql`${member('payload.configuration.limits.creditsPerDay')} is not null`

type AnomalyPayload = Static<typeof contract.LiquidityAnomaly>
type ScorePayload = Static<typeof contract.MarketQualityScore>

/** Open and recently resolved alerts, in display order. */
export async function alertsOf(
  records: TenantRecords,
  services: ScheduleReading,
): Promise<Alert[]> {
  const { organizationId, now } = records
  const { schedules } = await services.families()
  const since = now - limits.alertsResolvedMilliseconds
  const ask = (type: ResourceType, requested: Question) =>
    findStatement(organizationId, type, { limit: limits.alertsOfSource, ...requested })
  const isDetected = sql`${member('payload.outcome')} = 'DETECTED'`
  const [
    open = [],
    over = [],
    scores = [],
    venues = [],
    jobs = [],
    executed = [],
    vaults = [],
    policies = [],
    firings = [],
    nodes = [],
    credits = [],
    ...scheduleRows
  ] = await records.query([
    ask('LiquidityAnomaly', { status: ['ACTIVE'], where: isDetected }),
    ask('LiquidityAnomaly', { exceptStatus: ['ACTIVE'], where: isDetected }),
    ask('MarketQualityScore', { status: ['ACTIVE', 'EXPIRED'] }),
    ask('VenueProfile', { status: ['VALIDATED'] }),
    failedJobs(organizationId, since),
    ask('ExecutionReceipt', { where: unagreed }),
    ask('QualifiedVault', { exceptStatus: ['RETIRED'] }),
    ask('AutonomyPolicy', {}),
    firingsStatement(organizationId, since),
    ask('Provider', { status: ['ACTIVE'], where: hasCredits }),
    creditsStatement(organizationId, Math.floor(now / dayMilliseconds)),
    ...schedulesStatements(schedules, organizationId),
  ])
  const scheduled = await schedulesOf(schedules, records, services, scheduleRows)
  const watched = records.opened<VenueRecord['payload']>(venues)
  const newest = await furthestObservations(records, watched)
  const readVaults = records.opened<contract.QualifiedVault>(vaults)
  const anomalies = records
    .opened<AnomalyPayload>([...open, ...over])
    .slice(0, limits.alertsOfSource)
  return [
    ...anomalies.flatMap(anomalyAlert),
    ...scoreAlerts(records.opened<ScorePayload>(scores), now),
    ...watched.flatMap((venue) => venueAlerts(venue, newest.get(venue.id) ?? [], now)),
    ...jobAlerts(jobs),
    ...receiptAlerts(records.opened<contract.ExecutionReceipt>(executed), readVaults, now),
    ...(await policyAlerts(records, records.opened<contract.AutonomyPolicy>(policies), readVaults)),
    ...scheduled.flatMap((one) => scheduleAlerts(one, now)),
    ...firingAlerts(firings),
    ...quotaAlerts(records.opened<ProviderPayload>(nodes), credits, now),
  ]
    .map((alert) => withPair(alert, watched))
    .filter(({ state, lastSeenAt }) => state === 'OPEN' || Date.parse(lastSeenAt) > since)
    .toSorted((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1))
}

/** Jobs and schedules name only a venue. Its pair determines the chain. */
function withPair(alert: Alert, venues: readonly VenueRecord[]): Alert {
  const { pair, venueId } = alert.subject
  const venue = pair === null ? venues.find(({ id }) => id === venueId) : undefined
  return venue ? { ...alert, subject: { pair: pairKey(venue.payload.pair), venueId } } : alert
}

/** Latest on-chain observations per venue: one that reads events and one that reads only state. */
async function furthestObservations(
  records: TenantRecords,
  venues: readonly VenueRecord[],
): Promise<Map<string, ObservationRecord[]>> {
  const furthest = await furthestSpans(
    records,
    venues.map(({ id }) => id),
  )
  const found = await observationsById(records, [...furthest.values()].flat())
  return Map.groupBy(found.values(), ({ payload }) => payload.venue.id)
}

export const ranks = { INFO: 1, WARNING: 2, CRITICAL: 3 } as const

/** Sort key: worst first, then newest, then by id. */
export const placeOf = ({ severity, openedAt, id }: Pick<Alert, 'severity' | 'openedAt' | 'id'>) =>
  `${ranks[severity]}|${openedAt}|${id}`

function sourceOf({ resourceType, id, resourceVersion }: VersionedRecord) {
  return { source: { resourceType, id, resourceVersion }, evidenceHash: resourceVersion }
}

function anomalyAlert(record: VersionedRecord<AnomalyPayload>): Alert[] {
  const { kind, severity, subject, explanation, openedAt, lastSeenAt, occurrences } = record.payload
  if (severity === null || openedAt === null || lastSeenAt === null) return []
  return [
    {
      ...sourceOf(record),
      id: record.id,
      kind,
      severity,
      openedAt,
      lastSeenAt,
      title: anomalyTitle(kind, explanation),
      occurrences: Math.max(1, occurrences),
      state: record.status === 'ACTIVE' ? 'OPEN' : 'RESOLVED',
      subject: { pair: pairKey(subject.pair), venueId: subject.venueId ?? null },
    },
  ]
}

/** Newest score of a pair, if it has expired without a valid successor. */
function scoreAlerts(scores: readonly VersionedRecord<ScorePayload>[], now: number): Alert[] {
  const byPair = Map.groupBy(scores, ({ payload }) => pairKey(payload.request.pair))
  return [...byPair].flatMap(([pair, some]) => {
    const newest = some.toSorted((a, b) =>
      a.payload.validUntil < b.payload.validUntil ? 1 : -1,
    )[0]!
    const { validUntil } = newest.payload
    if (Date.parse(validUntil) > now) return []
    return [
      {
        ...sourceOf(newest),
        id: `SCORE_EXPIRED:${newest.id}`,
        kind: 'SCORE_EXPIRED',
        severity: 'WARNING',
        openedAt: validUntil,
        title: 'The market quality score of the pair has expired. Measure the market again.',
        lastSeenAt: validUntil,
        occurrences: 1,
        state: 'OPEN',
        subject: { pair, venueId: null },
      },
    ]
  })
}

/** Gap codes for data that was not read. All other codes mean that data does not reconcile. */
const unread: ReadonlySet<string> = new Set([eventsNotRead, endNotRead])

function venueAlerts(
  venue: VenueRecord,
  newest: readonly ObservationRecord[],
  now: number,
): Alert[] {
  const [until] = newest
    .map(({ payload }) => payload.range.to.timestamp)
    .toSorted()
    .toReversed()
  const { pair, read, name } = venue.payload
  const divergent = newest.filter(({ payload }) =>
    payload.gaps.some(({ code }) => !unread.has(code)),
  )
  const stale =
    Math.max(limits.alertStaleLeastSeconds, limits.alertStaleIntervals * read.cadenceSeconds) * 1000
  const common = {
    occurrences: 1 as const,
    state: 'OPEN' as const,
    severity: 'WARNING' as const,
    subject: { pair: pairKey(pair), venueId: venue.id },
  }
  // A venue without observations counts from the creation of its current version.
  const since = Date.parse(until ?? venue.createdAt)
  const openedAt = new Date(since + stale).toISOString()
  const isStale = now > since + stale
  const severity: Alert['severity'] =
    now > since + limits.alertEscalation * stale ? 'CRITICAL' : 'WARNING'
  return [
    ...(isStale
      ? [
          {
            ...sourceOf(venue),
            ...common,
            kind: 'VENUE_STALE',
            id: `VENUE_STALE:${venue.id}`,
            severity,
            title:
              until === undefined
                ? `${name} has no observations.`
                : `${name} was last observed at ${until.slice(0, 16).replace('T', ' ')} UTC.`,
            openedAt,
            lastSeenAt: new Date(now).toISOString(),
          },
        ]
      : []),
    ...divergent.map((observation) => ({
      ...sourceOf(observation),
      ...common,
      kind: 'VENUE_DIVERGENT',
      id: `VENUE_DIVERGENT:${observation.id}`,
      title: observation.payload.gaps.some(({ code }) => code === tokenNotExact)
        ? `A token of ${name} takes a fee or changes balances. Its figures are withheld.`
        : `The events of ${name} do not reproduce the observed state.`,
      openedAt: observation.createdAt,
      lastSeenAt: observation.createdAt,
    })),
  ]
}

/**
 * Failed jobs, newest first, without probes, which PROVIDER_DOWN covers. The query marks the first
 * failure since the last success of the same kind and subject. It also marks if the newest failure
 * was followed by a success.
 */
function failedJobs(organizationId: string, since: number): Sql {
  const endedWell = sql`select from jobs j where j.organization_id = ${organizationId} and j.kind = failed.kind
    and j.subject_id = failed.subject_id and j.status = 'COMPLETED'`
  const likeIt = { text: 'partition by kind, subject_id order by created_at, id' }
  return sql`select id, kind, subject_id, subject, error, created_at, finished_at,
      (before is null or exists (${endedWell} and j.created_at > before and j.created_at < failed.created_at)) as is_first,
      (later is not null or exists (${endedWell} and j.created_at > failed.created_at)) as is_over
    from (select *, lag(created_at) over (${likeIt}) as before, lead(created_at) over (${likeIt}) as later
      from jobs where organization_id = ${organizationId} and status = 'FAILED'
        and kind <> 'PROVIDER_PROBE' and created_at > ${since}) as failed
    order by created_at desc, id desc limit ${limits.alertsOfSource}`
}

const isTrue = (row: Row, column: string) => textOf(row, column).startsWith('t')

/**
 * Groups consecutive failures of one kind and subject into one alert. The newest failure gives the
 * content, the first gives the id.
 */
function jobAlerts(failed: readonly Row[]): Alert[] {
  const alike = Map.groupBy(failed, (row) => `${row.kind} ${row.subject_id}`)
  return [...alike.values()].flatMap((rows) => {
    const alerts: Alert[] = []
    let streak: Row[] = []
    for (const row of rows) {
      streak.push(row)
      if (!isTrue(row, 'is_first') && row !== rows.at(-1)) continue
      alerts.push(streakAlert(streak))
      streak = []
    }
    return alerts
  })
}

/** @param streak newest first; at least one */
function streakAlert(streak: readonly Row[]): Alert {
  const [newest, first] = [streak[0], streak.at(-1)] as [Row, Row]
  const subject = JSON.parse(textOf(newest, 'subject')) as Alert['source']
  const error = JSON.parse(textOf(newest, 'error')) as { code?: string; message?: string }
  const kind = textOf(newest, 'kind')
  const timeOf = (row: Row) =>
    new Date(integerOf(row, row.finished_at === null ? 'created_at' : 'finished_at')).toISOString()
  return {
    id: `JOB_FAILED:${textOf(first, 'id')}`,
    source: subject,
    kind: 'JOB_FAILED',
    severity: streak.length >= limits.alertFailuresInARow ? 'CRITICAL' : 'WARNING',
    occurrences: streak.length,
    title: `${codeInWords(kind)} failed: ${error.message ?? 'no message'}`.slice(
      0,
      limits.alertTitleCharacters,
    ),
    openedAt: timeOf(first),
    lastSeenAt: timeOf(newest),
    state: isTrue(newest, 'is_over') ? 'RESOLVED' : 'OPEN',
    subject: { pair: null, venueId: subject.resourceType === 'VenueProfile' ? subject.id : null },
    evidenceHash: H('job-failure/v1', {
      id: textOf(newest, 'id'),
      error,
    }) as Alert['evidenceHash'],
  }
}
