import type { contract } from '@liquidity-os/contract'
import { H, type VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { limits } from '../../../limits.ts'
import { endNotRead } from '../../../market/completed-observations.ts'
import type { VenueRecord } from '../../../market/named-venue.ts'
import { eventsNotRead, overtakenIds } from '../../../market/observed-spans.ts'
import { pairKey } from '../../../market/pair.ts'
import { integerOf, optionalTextOf, type Row, textOf } from '../../../store/database/row.ts'
import { type Sql, sql } from '../../../store/database/sql.ts'
import { findStatement, member, type Question } from '../../../store/records/find.ts'
import type { ResourceType } from '../../../store/records/resource-types.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { AnomalyPayload } from '../anomalies/face.ts'
import type { ScorePayload } from '../scores/face.ts'

export type Alert = Static<typeof contract.Alert>
type Observation = Static<typeof contract.VenueObservation>

/** Everything that wants attention, and what did of late, in the order in which it is shown. */
export async function alertsOf(records: TenantRecords): Promise<Alert[]> {
  const { organizationId, now } = records
  const since = now - limits.alertsResolvedMilliseconds
  const ask = (type: ResourceType, asked: Question) =>
    findStatement(organizationId, type, { limit: limits.alertsOfSource, ...asked })
  const isDetected = sql`${member('payload.outcome')} = 'DETECTED'`
  const [open = [], over = [], scores = [], venues = [], observations = [], jobs = []] =
    await records.query([
      ask('LiquidityAnomaly', { status: ['ACTIVE'], where: isDetected }),
      ask('LiquidityAnomaly', { exceptStatus: ['ACTIVE'], where: isDetected }),
      ask('MarketQualityScore', { status: ['ACTIVE', 'EXPIRED'] }),
      ask('VenueProfile', { status: ['VALIDATED'] }),
      newestObservations(organizationId),
      sql`select failed.id, failed.kind, failed.subject, failed.error, failed.created_at, failed.finished_at,
          exists (select from jobs later where later.organization_id = ${organizationId}
            and later.kind = failed.kind and later.subject_id = failed.subject_id
            and later.status = 'COMPLETED' and later.created_at > failed.created_at) as is_over,
          (select count(*) from jobs like_it where like_it.organization_id = ${organizationId}
            and like_it.kind = failed.kind and like_it.subject_id = failed.subject_id
            and like_it.status = 'FAILED' and like_it.created_at <= failed.created_at
            and not exists (select from jobs done where done.organization_id = ${organizationId}
              and done.kind = failed.kind and done.subject_id = failed.subject_id
              and done.status = 'COMPLETED' and done.created_at > like_it.created_at
              and done.created_at < failed.created_at)) as in_a_row
        from jobs failed where failed.organization_id = ${organizationId} and failed.status = 'FAILED'
        and failed.created_at > ${since} order by failed.created_at desc limit ${limits.alertsOfSource}`,
    ])
  const newest = Map.groupBy(
    records.opened<Observation>(observations),
    ({ payload }) => payload.venue.id,
  )
  const anomalies = records
    .opened<AnomalyPayload>([...open, ...over])
    .slice(0, limits.alertsOfSource)
  return [
    ...anomalies.flatMap(anomalyAlert),
    ...scoreAlerts(records.opened<ScorePayload>(scores), now),
    ...records
      .opened<VenueRecord['payload']>(venues)
      .flatMap((venue) => venueAlerts(venue, newest.get(venue.id) ?? [], now)),
    ...jobs.map(jobAlert),
  ]
    .filter(({ state, lastSeenAt }) => state === 'OPEN' || Date.parse(lastSeenAt) > since)
    .toSorted((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1))
}

/** Of what is on the chain of each venue the newest that read its events, and the newest that read its state alone. */
function newestObservations(organizationId: string): Sql {
  const readsState = sql`${member('payload.gaps.0.code')} = ${eventsNotRead}`
  return findStatement(organizationId, 'VenueObservation', {
    exceptIds: overtakenIds(organizationId),
    newestOfEach: [member('payload.venue.id'), readsState],
  })
}

const ranks = { INFO: 1, WARNING: 2, CRITICAL: 3 } as const

/** Where an alert stands: worst first, then newest, then by its id. */
export const placeOf = ({ severity, openedAt, id }: Alert) => `${ranks[severity]}|${openedAt}|${id}`

function sourceOf({ resourceType, id, resourceVersion }: VersionedRecord) {
  return { source: { resourceType, id, resourceVersion }, evidenceHash: resourceVersion }
}

function anomalyAlert(record: VersionedRecord<AnomalyPayload>): Alert[] {
  const { kind, severity, subject, explanation, openedAt, lastSeenAt, occurrences } = record.payload
  if (severity === null || openedAt === null || lastSeenAt === null) return []
  return [
    {
      ...sourceOf(record),
      ...{ id: record.id, kind, severity, openedAt, lastSeenAt },
      title: explanation.slice(0, limits.alertTitleCharacters),
      occurrences: Math.max(1, occurrences),
      state: record.status === 'ACTIVE' ? 'OPEN' : 'RESOLVED',
      subject: { pair: pairKey(subject.pair), venueId: subject.venueId ?? null },
    },
  ]
}

/** The newest score that held for a pair, once its time is over and no other holds. */
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
        ...{ kind: 'SCORE_EXPIRED', severity: 'WARNING', openedAt: validUntil },
        title: 'The score of the pair holds no longer; judge its market anew.',
        ...{ lastSeenAt: validUntil, occurrences: 1, state: 'OPEN' },
        subject: { pair, venueId: null },
      },
    ]
  })
}

/** Gaps that say what was not read; any other says that what was read does not come out. */
const unread: ReadonlySet<string> = new Set([eventsNotRead, endNotRead])

function venueAlerts(
  venue: VenueRecord,
  newest: readonly VersionedRecord<Observation>[],
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
  const stale = Math.max(limits.alertStaleLeastSeconds, 3 * read.cadenceSeconds) * 1000
  const common = {
    ...({ occurrences: 1, state: 'OPEN', severity: 'WARNING' } as const),
    subject: { pair: pairKey(pair), venueId: venue.id },
  }
  // What was never read counts from the version that is to be read.
  const since = Date.parse(until ?? venue.createdAt)
  const openedAt = new Date(since + stale).toISOString()
  const isStale = now > since + stale
  const severity: Alert['severity'] =
    now > since + limits.alertEscalation * stale ? 'CRITICAL' : 'WARNING'
  return [
    ...(isStale
      ? [
          {
            ...{
              ...sourceOf(venue),
              ...common,
              kind: 'VENUE_STALE',
              id: `VENUE_STALE:${venue.id}`,
            },
            severity,
            title:
              until === undefined
                ? `${name} has never been read.`
                : `${name} was last read at ${until}.`,
            ...{ openedAt, lastSeenAt: new Date(now).toISOString() },
          },
        ]
      : []),
    ...divergent.map((observation) => ({
      ...{ ...sourceOf(observation), ...common, kind: 'VENUE_DIVERGENT' },
      id: `VENUE_DIVERGENT:${observation.id}`,
      title: `The events of ${name} do not lead to the state that was read.`,
      ...{ openedAt: observation.createdAt, lastSeenAt: observation.createdAt },
    })),
  ]
}

function jobAlert(row: Row): Alert {
  const subject = JSON.parse(textOf(row, 'subject')) as Alert['source']
  const error = JSON.parse(textOf(row, 'error')) as { code?: string; message?: string }
  const id = textOf(row, 'id')
  const endedAt = optionalTextOf(row, 'finished_at') ?? textOf(row, 'created_at')
  const at = new Date(Number(endedAt)).toISOString()
  const inARow = integerOf(row, 'in_a_row')
  return {
    id: `JOB_FAILED:${id}`,
    source: subject,
    kind: 'JOB_FAILED',
    severity: inARow >= limits.alertFailuresInARow ? 'CRITICAL' : 'WARNING',
    occurrences: inARow,
    title:
      `${textOf(row, 'kind')}: ${error.message ?? 'it failed'} (${error.code ?? 'unknown'})`.slice(
        0,
        300,
      ),
    openedAt: at,
    lastSeenAt: at,
    state: row.is_over === 'true' || row.is_over === 't' ? 'RESOLVED' : 'OPEN',
    subject: { pair: null, venueId: subject.resourceType === 'VenueProfile' ? subject.id : null },
    evidenceHash: H('job-failure/v1', { id, error }) as Alert['evidenceHash'],
  }
}
