import { Failure } from '../../../failure.ts'
import { type JobEnd, JobFailure, type JobRun } from '../../../jobs/job-run.ts'
import { limits } from '../../../limits.ts'
import type { Change, JobInsert } from '../../../store/records/change.ts'
import type { Current, TenantRecords } from '../../../store/records/tenant-records.ts'
import { seriesArtifacts } from './createStudies.ts'
import { beginAttempt, endAttempt, forgetBatches, studyBatches } from './paths/batch-store.ts'
import { earlierBatches, keepNewest } from './paths/earlier-batches.ts'
import { readyStudy } from './ready-study.ts'
import { studies } from './records.ts'
import type { StudyPayload } from './replay/replay-result.ts'
import { reportJob } from './report-job.ts'
import { compareAnswers, type Nondeterminism, releasedBy } from './reproduction.ts'

/** Runs a queued study in threads and appends its result. */
export default async function runStudy(run: JobRun): Promise<JobEnd> {
  const { records, subject } = run
  let current = await required(records, subject.id)
  if (current.record.status === 'VALIDATED') current = await begin(run, current)
  if ((await beginAttempt(run)) >= limits.jobAttempts) {
    throw new JobFailure(
      'LIQUIDITY_INTERNAL_ERROR',
      'The worker stopped unexpectedly on each attempt.',
      {
        retryable: false,
        lastWords: (last) => failed(last, 'WORKERS_DIED'),
      },
    )
  }
  try {
    return await compute(run, current)
  } catch (error) {
    if (run.signal.aborted || error instanceof JobFailure) throw error
    const isOurs = error instanceof Failure
    throw new JobFailure(
      isOurs ? error.code : 'LIQUIDITY_INTERNAL_ERROR',
      isOurs ? error.message : 'The study could not be computed.',
      {
        retryable: !isOurs,
        cause: error,
        lastWords: (last) => failed(last, isOurs ? error.code : 'LIQUIDITY_INTERNAL_ERROR'),
      },
    )
  } finally {
    // If the database is unavailable, the marker stays and counts as a worker crash.
    await endAttempt(run).catch(() => undefined)
  }
}

async function compute(run: JobRun, current: Current<StudyPayload>): Promise<JobEnd> {
  const { records, services } = run
  const { spec, reproduces } = current.record.payload
  const { background: threads, config } = services
  const study = await readyStudy(records, { threads, config }, spec)
  const { result, series } = await study.compute({
    signal: run.signal,
    store: studyBatches(run),
    // A reproduction must compute everything again, so it reuses no batches.
    ...(reproduces === null ? { earlier: (data) => earlierBatches(run, data) } : {}),
    // Progress updates are informational, so errors are ignored. The batches are essential.
    progress: (done, max) => void run.progress((done / max) * 1_000_000).catch(() => undefined),
  })
  const { difference, claims } = await compareAnswers(records, { spec }, result)
  if (difference) throw nondeterministic(run, difference)
  const { paths } = result
  const { sealed, change } = studies.next(records, current, {
    status: result.state,
    payload: {
      ...current.record.payload,
      progress: paths && { done: paths.run, total: paths.most },
      result,
    },
    reason: 'The study has run',
    evidenceHashes: current.record.evidenceHashes,
    event: 'study.finished',
    eventPayload: { state: result.state, resultHash: result.resultHash },
  })
  const { id, resourceType, resourceVersion } = sealed.record
  const artifacts = seriesArtifacts(series, { resourceType, id, resourceVersion })
  return {
    change: {
      ...change,
      claims: claims(id),
      artifacts,
      jobs: [announcedReport(sealed.record, run.now)],
      statements: [
        ...change.statements,
        ...(reproduces === null ? keepNewest(run) : [forgetBatches(run)]),
      ],
    },
    result: { state: result.state, resultHash: result.resultHash },
  }
}

/**
 * The API announces a signed report for each queued study. Other renderings are created on request.
 */
function announcedReport(study: JobRun['subject'], now: number): JobInsert {
  const requestedBy = { kind: 'SYSTEM', id: 'study-run' }
  const reason = 'The study has run'
  return reportJob(study, { formats: [], reason, evidenceHashes: [], requestedBy }, now)
}

async function required(records: TenantRecords, id: string): Promise<Current<StudyPayload>> {
  const current = await records.current<StudyPayload>('SimulationStudy', id)
  if (!current) throw new Error(`Study ${id} does not exist.`)
  return current
}

async function begin(run: JobRun, current: Current<StudyPayload>): Promise<Current<StudyPayload>> {
  const { change } = studies.next(run.records, current, {
    status: 'ACTIVE',
    payload: current.record.payload,
    reason: 'A worker started the study',
    evidenceHashes: current.record.evidenceHashes,
    event: 'study.started',
  })
  await run.services.committer.commit(change)
  return required(run.records, run.subject.id)
}

/**
 * The same study gave another result: an operator must investigate before either result is used.
 */
function nondeterministic({ services }: JobRun, difference: Nondeterminism): JobFailure {
  services.log.error(difference, 'The same study returned a different result.')
  return new JobFailure('LIQUIDITY_INTERNAL_ERROR', 'The same study returned a different result.', {
    retryable: false,
    lastWords: (last) => failed(last, difference.cause, { ...difference }),
  })
}

/** The failed version of a study without remaining attempts. */
async function failed(
  run: JobRun,
  cause: string,
  facts: Record<string, unknown> = {},
): Promise<Change> {
  const current = await required(run.records, run.subject.id)
  const { change } = studies.next(run.records, current, {
    status: 'FAILED',
    payload: current.record.payload,
    reason: 'The study could not be computed',
    evidenceHashes: current.record.evidenceHashes,
    event: 'study.failed',
    eventPayload: { cause, ...facts },
  })
  const statements = [...change.statements, forgetBatches(run)]
  return { ...change, ...releasedBy(current.record.payload), statements }
}
