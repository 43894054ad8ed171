import { reachFaultPoint } from '../fault-points.ts'
import { limits } from '../limits.ts'
import type { JobOutcome } from '../metrics.ts'
import type { Services } from '../services.ts'
import { ConflictError, StoreUnavailableError } from '../store/database/database.ts'
import { integerOf, textOf } from '../store/database/row.ts'
import { sql } from '../store/database/sql.ts'
import { type Change, emptyChange } from '../store/records/change.ts'
import { TenantRecords } from '../store/records/tenant-records.ts'
import { requesters } from '../threads.ts'
import type { LoadJobKinds } from './job-kinds.ts'
import { type JobEnd, JobFailure, type JobRun, type JobWaiting } from './job-run.ts'
import { JobTakenAwayError, JobWatch } from './job-watch.ts'

// A failing job gets `jobAttempts` attempts. A job that crashes its worker cannot report failure
// and would be retried without end, so claims are limited too. The limit is higher because
// shutdowns and database outages also use claims.
const maxClaims = 3 * limits.jobAttempts

/** Records the end of a job, and counts it. */
type JobEnding = Pick<Services, 'clock' | 'committer' | 'metrics'>

/**
 * Runs one job from the queue. The attempt number acts as a fence: only the newest attempt may end
 * the job. A worker presumed dead therefore cannot overwrite its successor.
 *
 * @throws Error to request another attempt
 */
export async function runJob(
  services: Services,
  kinds: LoadJobKinds,
  { organizationId, jobId }: { organizationId: string; jobId: string },
  signal: AbortSignal,
): Promise<void> {
  const claimed = await claim(services, organizationId, jobId)
  if (!claimed) return
  reachFaultPoint('job:claimed', () => claimed.kind)
  const watch = new JobWatch(services, { organizationId, ...claimed })
  const either = AbortSignal.any([signal, watch.signal])
  const run = jobRun(services, organizationId, claimed, either)
  try {
    if (claimed.attempt - claimed.waits > maxClaims) {
      throw new JobFailure(
        'LIQUIDITY_INTERNAL_ERROR',
        'The worker stopped unexpectedly on each attempt.',
        {
          retryable: false,
        },
      )
    }
    const kind = (await kinds())[claimed.kind]
    if (!kind)
      throw new JobFailure('LIQUIDITY_INTERNAL_ERROR', `No handler for ${claimed.kind}.`, {
        retryable: false,
      })
    const work = (await kind.run()).default
    await repeatOnConflict(services, run, async () => {
      const fresh = jobRun(services, organizationId, claimed, either)
      const end = await requesters.run({ organizationId, isAwaited: false }, () => work(fresh))
      await finish(services, fresh, end)
    })
  } catch (cause) {
    if (signal.aborted) throw cause
    // Canceled or taken over: the other side has already written the result.
    if (watch.signal.aborted || cause instanceof JobTakenAwayError) return
    await fail(services, run, cause, claimed.waits).catch(ignoreTakenAway)
  } finally {
    watch.stop()
  }
}

/** A failure after another attempt took over is dropped without retry. */
function ignoreTakenAway(error: unknown): void {
  if (!(error instanceof JobTakenAwayError)) throw error
}

/**
 * Repeats a step at once if another change was committed first. The step reads again and continues.
 *
 * @throws JobTakenAwayError if the job was canceled or another attempt took over
 */
async function repeatOnConflict(
  services: Pick<Services, 'database' | 'log'>,
  run: JobRun,
  step: () => Promise<void>,
): Promise<void> {
  for (let time = 1; ; time += 1) {
    try {
      return await step()
    } catch (cause) {
      if (!(cause instanceof ConflictError)) throw cause
      const { jobId, kind, attempt } = run
      if (!(await isNewest(services, run))) {
        services.log.warn(
          { jobId, attempt },
          'The job was canceled, or another attempt took it over; this attempt stops.',
        )
        throw new JobTakenAwayError()
      }
      if (time === limits.contentionAttempts) throw cause
      const { constraint } = cause
      services.log.info(
        { jobId, kind, attempt, time, constraint },
        'Another change was committed first; the job retries at once.',
      )
    }
  }
}

/** True if this is the newest attempt and the job has not ended. */
async function isNewest(
  { database }: Pick<Services, 'database'>,
  { organizationId, jobId, attempt }: Pick<JobRun, 'organizationId' | 'jobId' | 'attempt'>,
): Promise<boolean> {
  const [rows = []] = await database.tenant(organizationId, [
    sql`select from jobs where organization_id = ${organizationId} and id = ${jobId}
      and attempts = ${attempt} and status = 'RUNNING'`,
  ])
  return rows.length > 0
}

interface Claimed {
  id: string
  kind: string
  subject: JobRun['subject']
  input: JobRun['input']
  attempt: number
  /** Earlier attempts that ended with a wait for a provider. */
  waits: number
}

/** Takes the job for this attempt; null when it has already ended. */
async function claim(
  { database, clock, leaseClock }: Pick<Services, 'clock' | 'database' | 'leaseClock'>,
  organizationId: string,
  jobId: string,
): Promise<Claimed | null> {
  const now = clock()
  const [rows] = await database.tenant(organizationId, [
    sql`update jobs set status = 'RUNNING', attempts = attempts + 1, heartbeat_at = ${leaseClock.read()},
      started_at = coalesce(started_at, ${now}), waiting = null, waiting_until = null
      where organization_id = ${organizationId} and id = ${jobId} and status in ('QUEUED', 'RUNNING')
      returning id, kind, subject, input, attempts, waits`,
  ])
  const row = rows?.[0]
  if (!row) return null
  return {
    id: jobId,
    kind: textOf(row, 'kind'),
    subject: JSON.parse(textOf(row, 'subject')),
    input: JSON.parse(textOf(row, 'input')),
    attempt: integerOf(row, 'attempts'),
    waits: integerOf(row, 'waits'),
  }
}

function jobRun(
  services: Services,
  organizationId: string,
  claimed: Claimed,
  signal: AbortSignal,
): JobRun {
  let reported = 0
  const now = services.clock()
  return {
    organizationId,
    jobId: claimed.id,
    kind: claimed.kind,
    subject: claimed.subject,
    input: claimed.input,
    attempt: claimed.attempt,
    services,
    now,
    signal,
    records: new TenantRecords({
      purpose: 'JOB',
      organizationId,
      actor: { kind: 'SYSTEM', id: `job:${claimed.kind}` },
      now,
      database: services.database,
      verified: services.verified,
      artifacts: services.artifacts,
    }),
    progress: async (pips) => {
      const at = services.clock()
      if (at - reported < limits.jobProgressMilliseconds) return
      reported = at
      await services.database.tenant(organizationId, [
        sql`update jobs set progress_pips = ${Math.min(999_999, Math.floor(pips))}, heartbeat_at = ${services.leaseClock.read()}
          where organization_id = ${organizationId} and id = ${claimed.id} and attempts = ${claimed.attempt}`,
      ])
    },
    keep: async (change) => {
      await services.committer.commit({
        ...change,
        statements: [
          ...change.statements,
          requireNewest(organizationId, claimed),
          sql`update jobs set waiting_since = null
            where organization_id = ${organizationId} and id = ${claimed.id} and waiting_since is not null`,
        ],
      })
      reachFaultPoint('job:part-kept', () => claimed.kind)
    },
  }
}

/** Fails the transaction unless this attempt is still the newest. */
function requireNewest(organizationId: string, { id, attempt }: Pick<Claimed, 'id' | 'attempt'>) {
  return sql`select require_expected(count(*) = 1) from (select from jobs where organization_id = ${organizationId}
    and id = ${id} and attempts = ${attempt} and status = 'RUNNING' for update) as mine`
}

async function finish(services: JobEnding, run: JobRun, end: JobEnd): Promise<void> {
  await settle(services, run, end.change, {
    status: 'COMPLETED',
    result: JSON.stringify(end.result),
    error: null,
    progressPips: sql`1000000`,
  })
}

async function fail(
  services: JobEnding & Pick<Services, 'database' | 'log'>,
  run: JobRun,
  cause: unknown,
  waits: number,
): Promise<void> {
  const failure =
    cause instanceof JobFailure
      ? cause
      : new JobFailure('LIQUIDITY_INTERNAL_ERROR', 'The job failed.', { retryable: true, cause })
  if (failure.waiting && (await beginWait(services, run, failure.waiting))) return
  // A database outage is no failure of the job, regardless of earlier attempts.
  const attempts = cause instanceof StoreUnavailableError ? maxClaims : limits.jobAttempts
  const isLast = !failure.retryable || failure.waiting !== null || run.attempt - waits >= attempts
  services.log.error(
    { err: cause, jobId: run.jobId, attempt: run.attempt, isLast },
    failure.message,
  )
  if (!isLast) {
    observe(services, run, 'RETRIED')
    throw failure
  }
  const { code, message, retryable, details } = failure
  const error = { code, message, retryable, ...(details && { details }) }
  await repeatOnConflict(services, run, async () => {
    const change = failure.lastWords
      ? await failure.lastWords(run)
      : emptyChange(run.organizationId, services.clock())
    await settle(services, run, change, {
      status: 'FAILED',
      result: null,
      error: JSON.stringify(error),
      progressPips: sql`progress_pips`,
    })
  })
}

/**
 * Returns a job to the queue until its provider accepts calls again; the worker takes other jobs.
 *
 * @returns false if the job has waited too long without new results
 */
async function beginWait(
  services: JobEnding & Pick<Services, 'database' | 'log'>,
  run: JobRun,
  { reason, until, providerId }: JobWaiting,
): Promise<boolean> {
  const { organizationId, jobId, attempt } = run
  const now = services.clock()
  const waiting = { reason, until: new Date(until).toISOString(), providerId }
  const [rows = []] = await services.database.tenant(organizationId, [
    sql`update jobs set status = 'QUEUED', waits = waits + 1, waiting = ${JSON.stringify(waiting)},
      waiting_until = ${until}, waiting_since = coalesce(waiting_since, ${now})
      where organization_id = ${organizationId} and id = ${jobId} and attempts = ${attempt}
      and status = 'RUNNING' and coalesce(waiting_since, ${now}) > ${now - limits.jobMaxWaitMilliseconds}
      returning id`,
  ])
  if (rows.length === 0) return false
  services.log.info({ jobId, ...waiting }, 'The job waits for its provider.')
  observe(services, run, 'RETRIED')
  return true
}

function observe(
  { metrics, clock }: Pick<Services, 'clock' | 'metrics'>,
  { kind, now }: JobRun,
  outcome: JobOutcome,
): void {
  metrics.observeJob(kind, outcome, clock() - now)
}

/** Applies the change and the end of the job in one transaction, if this attempt is still the newest. */
async function settle(
  services: JobEnding,
  run: JobRun,
  change: Change,
  end: {
    status: 'COMPLETED' | 'FAILED'
    result: string | null
    error: string | null
    progressPips: { text: string }
  },
): Promise<void> {
  const { organizationId, jobId, attempt } = run
  const statements = [
    requireNewest(organizationId, { id: jobId, attempt }),
    sql`update jobs set status = ${end.status}, result = ${end.result}, error = ${end.error},
      progress_pips = ${end.progressPips}, preliminary = null, waiting = null, waiting_until = null, finished_at = ${services.clock()}
      where organization_id = ${organizationId} and id = ${jobId}`,
  ]
  await services.committer.commit({
    ...change,
    statements: [...change.statements, ...statements],
  })
  observe(services, run, end.status)
}
