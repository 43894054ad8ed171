import { Failure } from '../../../failure.ts'
import { type JobEnd, JobFailure, type JobRun } from '../../../jobs/job-run.ts'
import { type Change, emptyChange } from '../../../store/records/change.ts'
import type { Current, TenantRecords } from '../../../store/records/tenant-records.ts'
import { minuteMilliseconds } from '../../../units.ts'
import { carrySetting } from '../../platform/schedules/api.ts'
import { withScoreEvaluation } from '../alerts/api.ts'
import { minConfidencePips, type ScorePayload } from './active-score.ts'
import { measureInThread } from './measure-in-thread.ts'
import { scores } from './records.ts'
import { refOf, withRetired } from './retire.ts'
import { minSamples, readScoreInput, type ScoreRequest } from './score-input.ts'
import { scorePayloadOf } from './score-payload.ts'

/**
 * Repeats the request of an active score for a window that ends now. A score of sufficient quality
 * replaces the active one. Any other is only stored, and the active one remains until it expires.
 */
export default async function refreshScore(run: JobRun): Promise<JobEnd> {
  const { records, services, subject } = run
  const former = await records.current<ScorePayload>('MarketQualityScore', subject.id)
  if (former?.record.status !== 'ACTIVE') {
    return { change: emptyChange(run.organizationId, run.now), result: { isActivated: false } }
  }
  const request = await readCurrentRequest(records, former.record.payload)
  const input = await readScoreInput(records, request).catch(refuse)
  const measured = await measureInThread(services.background, input.task)
  const { payload, artifacts } = scorePayloadOf(input, measured, records.now)
  const isActivated = payload.state === 'COMPLETED' && payload.confidencePips >= minConfidencePips
  const scoreFields = { scorePips: payload.scorePips, confidencePips: payload.confidencePips }
  const { sealed, change } = scores.first(records, {
    status: isActivated ? 'ACTIVE' : payload.state,
    payload: isActivated ? { ...payload, keepActive: true } : payload,
    reason: 'The score of the pair is refreshed',
    event: isActivated ? 'score.activated' : 'score.computed',
    eventPayload: isActivated ? { ...scoreFields, previous: refOf(former) } : scoreFields,
  })
  const { id, resourceType, resourceVersion } = sealed.record
  const made: Change = {
    ...change,
    artifacts: artifacts.map((artifact) => ({
      ...artifact,
      producer: { id, resourceType, resourceVersion },
    })),
  }
  return {
    change: isActivated
      ? await withScoreEvaluation(
          services,
          records,
          sealed.record,
          await inPlaceOf(records, made, former, id),
        )
      : made,
    result: { isActivated, resourceType, id, resourceVersion, status: sealed.record.status },
  }
}

/** Retires the previous score, and applies the schedule settings of the operators. */
async function inPlaceOf(
  records: TenantRecords,
  made: Change,
  former: Current<ScorePayload>,
  id: string,
): Promise<Change> {
  const change = withRetired(records, made, former)
  const carried = await carrySetting(records, 'SCORE_REFRESH', former.record, id)
  if (carried === null) return change
  return {
    ...change,
    records: [...change.records, ...carried.records],
    events: [...change.events, ...carried.events],
    claims: [...change.claims, ...carried.claims],
  }
}

/**
 * The same request with current venue versions and an equally long window that ends at the current
 * minute.
 */
async function readCurrentRequest(
  records: TenantRecords,
  { request, window }: ScorePayload,
): Promise<ScoreRequest> {
  const to = Math.floor(records.now / minuteMilliseconds) * minuteMilliseconds
  const from = to - (Date.parse(window.to) - Date.parse(window.from))
  const timeOf = (at: number) => new Date(at).toISOString()
  const refs = [...request.venues, ...(request.reference ? [request.reference.venue] : [])]
  const found = await records.find('VenueProfile', {
    ids: refs.map(({ id }) => id),
  })
  const versions = new Map(found.map(({ id, resourceVersion }) => [id, resourceVersion]))
  const nowOf = <R extends { id: string; resourceVersion: string }>(ref: R): R => ({
    ...ref,
    resourceVersion: versions.get(ref.id) ?? ref.resourceVersion,
  })
  // Earlier releases accepted fewer samples than a score needs now.
  const { sampleSeconds, ...rest } = request
  const isCoarse = sampleSeconds !== undefined && sampleSeconds * minSamples * 1000 > to - from
  return {
    ...(isCoarse ? rest : request),
    window: { from: timeOf(from), to: timeOf(to) },
    venues: request.venues.map(nowOf),
    ...(request.reference
      ? { reference: { ...request.reference, venue: nowOf(request.reference.venue) } }
      : {}),
  }
}

/** No retry: the next scheduled run reads again. */
function refuse(error: unknown): never {
  if (!(error instanceof Failure)) throw error
  const why = Object.entries(error.detail.fieldErrors ?? {}).map(
    ([member, faults]) => `${member} ${faults.join(', ')}`,
  )
  const message = [error.message, ...why].join(' ')
  throw new JobFailure(error.code, message, { retryable: false, cause: error })
}
