import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import type { JobEnd, JobRun } from '../../../../jobs/job-run.ts'
import { limits } from '../../../../limits.ts'
import { type Pair, pairKey } from '../../../../market/pair.ts'
import { furthestSpans } from '../../../../market/venue-spans.ts'
import { type Sql, sql } from '../../../../store/database/sql.ts'
import { member } from '../../../../store/records/find.ts'
import type { ResourceType } from '../../../../store/records/resource-types.ts'
import type { Current, TenantRecords } from '../../../../store/records/tenant-records.ts'
import { hourSeconds } from '../../../../units.ts'
import { policiesOf } from '../../../operate/autonomy-policies/api.ts'
import { type LastSweep, lastSweep } from '../../anomalies/api.ts'
import { activeScoreOf } from '../../scores/api.ts'
import { type Found, sealCapture } from '../assessed/seal-capture.ts'
import type { Run } from '../records.ts'
import type { HealthRequest, HealthRules } from './material.ts'

type Gap = NonNullable<Run['capture']>['gaps'][number]
type Venue = Static<typeof contract.VenueProfile>
type Anomaly = Static<typeof contract.LiquidityAnomaly>

interface Read {
  readonly records: VersionedRecord[]
  readonly gaps: Gap[]
  /** Number of venues to assess, and of these, venues with at least one observation. */
  readonly venues: number
  readonly read: number
}

const rules: HealthRules = {
  rulesVersion: 'health-rules-v1',
  staleIntervals: limits.alertStaleIntervals,
  staleLeastSeconds: limits.alertStaleLeastSeconds,
  staleEscalation: limits.alertEscalation,
  snapshotSeconds: hourSeconds,
  policyNoticeSeconds: limits.healthPolicyNoticeSeconds,
}

/** Reads the newest records of a pair or a vault once and seals them with the request. */
export async function captureHealth(run: JobRun, current: Current<Run>): Promise<JobEnd> {
  const { records } = run
  const { subject, question } = current.record.payload
  const asOf = new Date(records.now).toISOString()
  const requested: HealthRequest = {
    requestVersion: 'health-request-v1',
    rules,
    subject: healthSubject(subject),
    question,
    asOf,
  }
  const { records: found, gaps, venues, read } = await readHealth(records, requested.subject)
  const sweep = await lastSweep(records)
  return sealCapture(run, current, {
    request: requested,
    asOf,
    records: found,
    found: sweep ? [foundSweep(sweep)] : [],
    gaps,
    // Share of venues with data to assess.
    coveragePips: venues === 0 ? 0 : Math.floor((read * 1_000_000) / venues),
  })
}

const foundSweep = (sweep: LastSweep): Found => ({
  source: { kind: 'JOB', resourceType: 'ANOMALY_SWEEP', id: sweep.jobId, member: 'result' },
  content: sweep,
  observedAt: sweep.finishedAt,
})

/** @throws Error if the subject is of another kind */
function healthSubject(subject: Run['subject']): contract.HealthSubject {
  if ('pair' in subject || 'vaultId' in subject) return subject
  throw new Error('A run of health without a pair or a vault.')
}

async function readHealth(records: TenantRecords, subject: contract.HealthSubject): Promise<Read> {
  if ('pair' in subject) return readMarket(records, subject.pair)
  const vault = await records.current<contract.QualifiedVault>('QualifiedVault', subject.vaultId)
  if (!vault) throw new Error(`Vault ${subject.vaultId} does not exist.`)
  const market = await readMarket(records, vault.record.payload.pair)
  const policies = await policiesOf(records, subject.vaultId)
  const active = policies.filter(({ status }) => status === 'ACTIVE')
  return {
    ...market,
    records: [vault.record, ...active, ...market.records],
    gaps: [
      ...market.gaps,
      ...(active.length === 0 ? [gap('NO_ACTIVE_POLICY', 'The vault has no active policy.')] : []),
    ],
  }
}

async function readMarket(records: TenantRecords, pair: Pair): Promise<Read> {
  const all = await ofPair<Venue>(records, 'VenueProfile', {
    member: 'payload.pair',
    status: ['VALIDATED'],
    most: limits.healthVenues + 1,
    pair,
  })
  const found = all.slice(0, limits.healthVenues)
  const gaps: Gap[] = [
    ...(found.length === 0 ? [gap('NO_VENUE', 'The pair has no validated venue.')] : []),
    ...(all.length > found.length
      ? [gap('VENUES_CUT', `Only the newest ${found.length} venues are assessed.`)]
      : []),
  ]
  const observed: VersionedRecord[] = []
  let read = 0
  for (const { id, payload } of found) {
    const newest = await furthest(records, id)
    observed.push(...newest)
    if (newest.length > 0) read += 1
    else gaps.push({ ...gap('VENUE_NOT_READ', `${payload.name} was never read.`), venueId: id })
  }
  const score = await activeScoreOf(records, pair)
  if (!score) gaps.push(gap('NO_ACTIVE_SCORE', 'The pair has no active market quality score.'))
  const open = await ofPair<Anomaly>(records, 'LiquidityAnomaly', {
    member: 'payload.subject.pair',
    status: ['ACTIVE'],
    most: limits.healthAnomalies + 1,
    pair,
  })
  const anomalies = open.slice(0, limits.healthAnomalies)
  if (open.length > anomalies.length) {
    gaps.push(gap('ANOMALIES_CUT', `Only the newest ${anomalies.length} anomalies are assessed.`))
  }
  const scored = score ? [score.record] : []
  return {
    records: [...found, ...observed, ...scored, ...anomalies],
    gaps,
    venues: found.length,
    read,
  }
}

/** Latest observations of a venue: one that read events and one that read state only. */
async function furthest(records: TenantRecords, venueId: string): Promise<VersionedRecord[]> {
  const ids = (await furthestSpans(records, [venueId])).get(venueId)
  return ids === undefined ? [] : records.find('VenueObservation', { ids, order: 'OLDEST' })
}

const gap = (code: string, detail: string): Gap => ({ code, detail })

/** The newest records of a pair, independent of address notation. */
async function ofPair<Payload>(
  records: TenantRecords,
  type: ResourceType,
  requestedValue: {
    readonly pair: Pair
    readonly member: string
    readonly status: readonly string[]
    readonly most: number
  },
): Promise<VersionedRecord<Payload>[]> {
  const { pair } = requestedValue
  const [chainId, base, quote] = pairKey(pair).split('|') as [string, string, string]
  const at = (name: string) => member(`${requestedValue.member}.${name}`)
  const where: Sql = sql`${at('chainId')} = ${chainId} and lower(${at('base')}) = ${base}
    and lower(${at('quote')}) = ${quote}`
  return records.find<Payload>(type, {
    where,
    status: requestedValue.status,
    limit: requestedValue.most,
    order: 'NEWEST',
  })
}
