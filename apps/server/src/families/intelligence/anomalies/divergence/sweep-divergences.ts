import type { OperatingSystemEvent } from '@liquidity-os/contract'
import { openEvent } from '@liquidity-os/evidence'
import { Failure } from '../../../../failure.ts'
import { limits } from '../../../../limits.ts'
import type { VenueRecord } from '../../../../market/named-venue.ts'
import { textOf } from '../../../../store/database/row.ts'
import { sql } from '../../../../store/database/sql.ts'
import type { Current, TenantRecords } from '../../../../store/records/tenant-records.ts'
import { type AdmissionTerms, admissionName, admittedKind } from '../../../plan/strategies/api.ts'
import { StudyThreads } from '../../../simulate/studies/api.ts'
import { clear, keep, pastOf } from '../anomaly-life.ts'
import { withStrategies } from '../strategy-consequences.ts'
import { type AnomalyPayload, type AnomalyRequest, fingerprintOf } from '../subject.ts'
import { type SweepRun, type Swept, tryToCommit } from '../swept.ts'
import { comparisonOf, type EvaluatedDivergence, evaluateComparison } from './assess-divergence.ts'

/**
 * Venues of a pair with their open anomalies. `ends` is empty if no observation arrived since the
 * last sweep.
 */
interface Group {
  readonly group: readonly VenueRecord[]
  /** Venues affected by a reorg since the last sweep. */
  readonly replaced: readonly VenueRecord[]
  readonly openAnomalies: readonly Current<AnomalyPayload>[]
  readonly ends: ReadonlyMap<string, number>
}

/**
 * Compares studies behind active admissions and open anomalies with realized data. Each sealed
 * moment is compared once, because a comparison reruns the paths.
 */
export async function sweepDivergences(
  run: SweepRun,
  { group, replaced, openAnomalies, ends }: Group,
  swept: Swept,
): Promise<void> {
  const open = openAnomalies.flatMap(({ record: { payload } }) =>
    payload.kind === 'SIMULATED_REALIZED_DIVERGENCE' ? [requestOf(payload.subject)] : [],
  )
  const cited = ends.size === 0 ? [] : await citedStudies(run.records, group)
  const requests = new Map([...cited, ...open].map((one) => [fingerprintOf(one), one] as const))
  for (const [fingerprint, request] of requests) {
    run.signal.throwIfAborted()
    const venue = group.find(({ id }) => id === request.subject.venueId)
    const until = venue && ends.get(venue.id)
    // A reorg invalidates earlier comparisons, so they are repeated.
    const before = venue && replaced.includes(venue) ? undefined : run.comparedTo[fingerprint]
    if (before !== undefined) swept.comparedTo[fingerprint] = before
    if (!venue || until === undefined) continue
    try {
      await sweepOne(run, { request, venue, until, after: before ?? 0 }, swept)
    } catch (error) {
      // The study or strategy has a newer version, so a comparison is pointless.
      if (!(error instanceof Failure)) throw error
    }
  }
}

/** Compares times after one up to another, Unix seconds. */
interface Question {
  readonly request: AnomalyRequest
  readonly venue: VenueRecord
  readonly after: number
  readonly until: number
}

async function sweepOne(
  run: SweepRun,
  { request, venue, until, after }: Question,
  swept: Swept,
): Promise<void> {
  const { records, services, signal } = run
  const found = await comparisonOf(records, request, venue, until)
  const fingerprint = fingerprintOf(request)
  if (found.missing || found.moment <= after) return
  const threads = new StudyThreads(services.background)
  const milliseconds = limits.sweptDivergenceMilliseconds
  const evaluated = await evaluateComparison({ records, threads, milliseconds, signal }, found)
  swept.subjects += 1
  // After a write conflict, the next sweep repeats this moment.
  if (await storeEvaluated(run, evaluated, swept)) swept.comparedTo[fingerprint] = found.moment
}

async function storeEvaluated(
  { records, services }: SweepRun,
  evaluated: EvaluatedDivergence,
  swept: Swept,
): Promise<boolean> {
  const { payload } = evaluated
  const { open } = await pastOf(records, payload.fingerprint)
  if (payload.outcome === 'DETECTED') {
    if (open?.record.payload.lastSeenAt === payload.lastSeenAt) return true
    const reason = 'Detected by the sweep'
    const { sealed, change } = keep(records, evaluated, open, { reason, evidenceHashes: [] })
    const whole = await withStrategies(records, sealed, change)
    if (!(await tryToCommit(services, whole))) return false
    swept.detected += 1
  } else if (open && evaluated.isClear) {
    if (!(await tryToCommit(services, clear(records, open, payload.at)))) return false
    swept.cleared += 1
  }
  return true
}

const requestOf = (subject: AnomalyRequest['subject']): AnomalyRequest => ({
  schemaVersion: 'anomaly-evaluation-v1',
  kind: 'SIMULATED_REALIZED_DIVERGENCE',
  subject,
})

type Spec = {
  kind: string
  market: { venue?: { id: string } }
  arms: { armId: string; strategy?: { id: string } }[]
}

/**
 * Monte Carlo studies on these venues that active admissions cite, each with the arm of the
 * strategy.
 */
async function citedStudies(
  records: TenantRecords,
  group: readonly VenueRecord[],
): Promise<AnomalyRequest[]> {
  const { organizationId } = records
  const [rows = []] = await records.query([
    sql`select e.body from names n join events e
        on e.organization_id = ${organizationId} and e.subject_id = n.record_id
      where n.organization_id = ${organizationId} and n.kind = ${admissionName}
      and e.body::jsonb ->> 'kind' = ${admittedKind}
      and n.name like '%' || (e.body::jsonb ->> 'id')`,
  ])
  const events = rows.map((row) => openEvent(textOf(row, 'body')) as OperatingSystemEvent)
  const requests = await Promise.all(
    events.flatMap((event) =>
      // admitStrategyProposal wrote and sealed this.
      (event.payload as unknown as AdmissionTerms).studies.map(async (study) => {
        const found = await records.version<{ spec: Spec }>(
          'SimulationStudy',
          study.id,
          study.resourceVersion,
        )
        const spec = found?.record.payload.spec
        const venue = group.find(({ id }) => id === spec?.market.venue?.id)
        if (!spec || !venue || spec.kind === 'REPLAY') return []
        const arm = spec.arms.find(({ strategy }) => strategy?.id === event.subject.id)
        const { pair } = venue.payload
        const subject = { pair, venueId: venue.id, study, ...(arm ? { armId: arm.armId } : {}) }
        return [requestOf(subject)]
      }),
    ),
  )
  return requests.flat()
}
