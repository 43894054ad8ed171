import type { RecordSweeping, ScheduleReading } from '../../../../services.ts'
import { ConflictError } from '../../../../store/database/database.ts'
import { type Change, joinChanges } from '../../../../store/records/change.ts'
import { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { evaluateThresholds, hasThreshold, type ThresholdScope } from './evaluate-thresholds.ts'
import type { ScoreRecord } from './score-runs.ts'

type Evaluating = RecordSweeping & ScheduleReading

const maxAttempts = 3

/** Evaluates and commits. After a conflict it reads the states again, so no sample counts twice. */
export async function commitEvaluation(
  services: Evaluating,
  organizationId: string,
  scope: ThresholdScope,
): Promise<void> {
  const { database, verified, artifacts, clock, log } = services
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const records = new TenantRecords({
      purpose: 'JOB',
      organizationId,
      actor: { kind: 'SYSTEM', id: 'alert-thresholds' },
      now: clock(),
      database,
      verified,
      artifacts,
    })
    try {
      const change = await evaluateThresholds(records, services, scope)
      if (change) await services.committer.commit(change)
      return
    } catch (error) {
      if (error instanceof ConflictError) continue
      // The next sweep continues after the last stored sample.
      log.warn({ err: error, organizationId }, 'Could not evaluate the thresholds of alert rules.')
      return
    }
  }
}

/**
 * Evaluates the thresholds of a venue after its new observations are stored.
 *
 * @param store commits the observations; not called if no threshold reads the venue
 * @returns true if the observations are stored and evaluated
 */
export async function evaluateVenue(
  services: Evaluating,
  records: TenantRecords,
  venueId: string,
  store: () => Promise<void>,
): Promise<boolean> {
  if (!(await hasThreshold(records, venueId))) return false
  await store()
  await commitEvaluation(services, records.organizationId, { kind: 'VENUE', venueId })
  return true
}

/** Evaluates the thresholds of a pair after its new score is stored. */
export const evaluateScore = (
  services: Evaluating,
  organizationId: string,
  score: ScoreRecord,
): Promise<void> => commitEvaluation(services, organizationId, { kind: 'SCORE', score })

/** Adds the evaluation of a score to the change that activates it. */
export async function withScoreEvaluation(
  services: ScheduleReading,
  records: TenantRecords,
  score: ScoreRecord,
  change: Change,
): Promise<Change> {
  const evaluation = await evaluateThresholds(records, services, { kind: 'SCORE', score })
  if (evaluation === null) return change
  return {
    ...joinChanges(change, evaluation),
    statements: [...change.statements, ...evaluation.statements],
  }
}
