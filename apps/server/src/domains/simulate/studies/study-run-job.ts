import { Failure } from '../../../http/failure.ts'
import { type JobEnd, JobFailure, type JobRun } from '../../../jobs/job-run.ts'
import type { Change } from '../../../records/change.ts'
import type { Current, TenantRecords } from '../../../records/tenant-records.ts'
import { seriesArtifacts } from './createStudies.ts'
import { replayResultOf, replayTaskOf, type StudyPayload } from './replay-result.ts'
import { requireReproduction } from './reproduction.ts'
import { readStudyInput } from './study-input.ts'

/** Runs a queued study in a thread and appends its result. */
export default async function runStudy(run: JobRun): Promise<JobEnd> {
  const { records, services, subject } = run
  let current = await required(records, subject.id)
  if (current.record.status === 'VALIDATED') current = await begin(run, current)
  const { spec } = current.record.payload
  try {
    const input = await readStudyInput(records, spec)
    const replay = await replayTaskOf(records, spec, input)
    const computed = await services.threads.run(replay.task, run.signal)
    const { result, series } = replayResultOf(spec, input, replay, computed)
    await requireReproduction(records, current.record.payload, result)
    const { sealed, change } = records.supersede(current, {
      status: result.state,
      payload: { ...current.record.payload, result },
      reason: 'The study has run',
      evidenceHashes: current.record.evidenceHashes,
      event: 'study.finished',
      eventPayload: { state: result.state, resultHash: result.resultHash },
    })
    const { id, resourceType, resourceVersion } = sealed.record
    const artifacts = seriesArtifacts(series, { resourceType, id, resourceVersion })
    return {
      change: { ...change, artifacts },
      result: { state: result.state, resultHash: result.resultHash },
    }
  } catch (error) {
    if (run.signal.aborted) throw error
    const isOurs = error instanceof Failure
    throw new JobFailure(
      isOurs ? error.code : 'LIQUIDITY_INTERNAL_ERROR',
      isOurs ? error.message : 'The study could not be computed.',
      { retryable: !isOurs, cause: error, lastWords: fail },
    )
  }
}

async function required(records: TenantRecords, id: string): Promise<Current<StudyPayload>> {
  const current = await records.current<StudyPayload>('SimulationStudy', id)
  if (!current) throw new Error(`There is no study ${id}.`)
  return current
}

async function begin(run: JobRun, current: Current<StudyPayload>): Promise<Current<StudyPayload>> {
  const { change } = run.records.supersede(current, {
    status: 'ACTIVE',
    payload: current.record.payload,
    reason: 'A worker has begun',
    evidenceHashes: current.record.evidenceHashes,
    event: 'study.started',
  })
  await run.services.committer.commit(change)
  return required(run.records, run.subject.id)
}

/** The failed version of a study for which no attempt is left. */
async function fail(run: JobRun): Promise<Change> {
  const current = await required(run.records, run.subject.id)
  return run.records.supersede(current, {
    status: 'FAILED',
    payload: current.record.payload,
    reason: 'The study could not be computed',
    evidenceHashes: current.record.evidenceHashes,
    event: 'study.failed',
  }).change
}
