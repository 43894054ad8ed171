// @module-tag postgres

import { pino } from 'pino'
import { describe, expect, onTestFinished } from 'vitest'
import { loadFamilies } from '../src/families.ts'
import type { LoadJobKinds } from '../src/jobs/job-kinds.ts'
import { JobQueue } from '../src/jobs/job-queue.ts'
import { type JobEnd, JobFailure, type JobRun } from '../src/jobs/job-run.ts'
import { runJob } from '../src/jobs/job-runner.ts'
import { purge } from '../src/jobs/purge.ts'
import { limits } from '../src/limits.ts'
import type { Services } from '../src/services.ts'
import { sql } from '../src/store/database/sql.ts'
import { type Change, emptyChange } from '../src/store/records/change.ts'
import { dayMilliseconds, hourMilliseconds } from '../src/units.ts'
import { bookmarkBody } from './support/bodies.ts'
import { it } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { writeRecord } from './support/resources.ts'
import {
  newMember,
  newOrganization,
  serviceForTest,
  type TestMember,
  type TestService,
} from './support/service.ts'
import { until } from './support/until.ts'

const never = new AbortController().signal

/** A job of a kind that has no code, claimed so many times already. */
async function claimedBefore(service: TestService, owner: TestMember, attempts: number) {
  const record = await writeRecord(service, owner, 'VenueObservation')
  const jobId = `job_${record.id.split('_').at(-1)}`
  await service.database.pool.query(
    `update jobs set status = 'RUNNING', attempts = $2, heartbeat_at = 0 where id = $1`,
    [jobId, attempts],
  )
  return { organizationId: owner.organizationId, jobId }
}

/** The kinds of job that have code. */
const coded = async () => (await loadFamilies()).jobs

/** A kind of job that does this. */
const workingAs =
  (work: (run: JobRun) => Promise<JobEnd>): LoadJobKinds =>
  async () => ({ TEST: { run: async () => ({ default: work }) } })

/** A change that is refused as if another one had come first. */
const conflicting = (service: TestService, organizationId: string): Change => ({
  ...emptyChange(organizationId, service.services.clock()),
  statements: [sql`select require_expected(false)`],
})

/** These kinds of job, and services with a log that is read line by line. */
function heard(service: TestService, kinds: LoadJobKinds) {
  const lines: { level: number; msg: string }[] = []
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  return { services: { ...service.services, log } as Services, kinds, lines }
}

/** Asks the database while no connection can be had. */
async function withoutDatabase({ database }: Services): Promise<never> {
  const { pool } = database
  const connect = pool.connect
  pool.connect = (() => Promise.reject(new Error('Connection terminated'))) as never
  try {
    await database.global([sql`select 1`])
  } finally {
    pool.connect = connect
  }
  throw new Error('The database was there.')
}

async function jobOf(owner: TestMember, jobId: string) {
  const { body } = await owner.client.listOperatingSystemJobs({ query: { limit: 100 } })
  return body.data.find(({ id }) => id === jobId)
}

describe('a job', () => {
  it('is read by its id and found by its subject, in its own organization only', async ({
    service,
    owner,
    stranger,
  }) => {
    const record = await writeRecord(service, owner, 'VenueObservation')
    const other = await writeRecord(service, owner, 'VenueObservation')
    const id = `job_${record.id.split('_').at(-1)}`
    const listed = await jobOf(owner, id)
    const read = await callOperation(owner, 'getOperatingSystemJob', { params: { id } })
    expect([read.status, read.data]).toEqual([200, listed])
    for (const [member, jobId] of [
      [stranger, id],
      [owner, 'job_none'],
    ] as const) {
      const refused = await callOperation(member, 'getOperatingSystemJob', {
        params: { id: jobId },
      })
      expect([refused.status, refused.code]).toEqual([404, 'LIQUIDITY_RESOURCE_NOT_FOUND'])
    }
    const subjectsOf = async (member: TestMember, subjectId: string) => {
      const { body } = await member.client.listOperatingSystemJobs({ query: { subjectId } })
      return body.data.map(({ subject }) => subject.id)
    }
    expect(other.id).not.toBe(record.id)
    expect(await subjectsOf(owner, listed!.subject.id)).toEqual([listed!.subject.id])
    expect(await subjectsOf(stranger, listed!.subject.id)).toEqual([])
  })

  it('that has no code fails once and says so', async ({ service, owner }) => {
    const job = await claimedBefore(service, owner, 0)
    await runJob(service.services, coded, job, never)
    expect(await jobOf(owner, job.jobId)).toMatchObject({
      status: 'FAILED',
      attempts: 1,
      error: { code: 'LIQUIDITY_INTERNAL_ERROR', message: 'No handler for TEST.' },
    })
  })

  it('that takes every worker with it is given up', async ({ service, owner }) => {
    const job = await claimedBefore(service, owner, 9)
    await runJob(service.services, coded, job, never)
    expect(await jobOf(owner, job.jobId)).toMatchObject({
      status: 'FAILED',
      error: { message: 'The worker stopped unexpectedly on each attempt.' },
    })
  })

  it('that lost its database in its third attempt is tried again, and fails for its own reasons only', async ({
    service,
    owner,
  }) => {
    const lost = await claimedBefore(service, owner, 2)
    const asking = workingAs(({ services }) => withoutDatabase(services))
    await expect(runJob(service.services, asking, lost, never)).rejects.toThrow('The job failed.')
    expect(await jobOf(owner, lost.jobId)).toMatchObject({ status: 'RUNNING', attempts: 3 })
    const failing = await claimedBefore(service, owner, 2)
    const own = workingAs(() => Promise.reject(new Error('A reason of its own')))
    await runJob(service.services, own, failing, never)
    expect(await jobOf(owner, failing.jobId)).toMatchObject({ status: 'FAILED', attempts: 3 })
  })

  it('that another change comes before is repeated at once, says so, and is no failure', async ({
    service,
    owner,
  }) => {
    const job = await claimedBefore(service, owner, 0)
    let runs = 0
    const { services, kinds, lines } = heard(
      service,
      workingAs(async ({ organizationId, now }) => {
        runs += 1
        const change =
          runs === 1 ? conflicting(service, organizationId) : emptyChange(organizationId, now)
        return { change, result: { runs } }
      }),
    )
    await runJob(services, kinds, job, never)
    expect(await jobOf(owner, job.jobId)).toMatchObject({ status: 'COMPLETED', attempts: 1 })
    expect(lines).toEqual([
      expect.objectContaining({
        level: 30,
        jobId: job.jobId,
        kind: 'TEST',
        time: 1,
        msg: 'Another change was committed first; the job retries at once.',
      }),
    ])
  })

  it('keeps earlier writes if another change is committed first', async ({ service, owner }) => {
    const job = await claimedBefore(service, owner, 0)
    let kept = 0
    const { services, kinds } = heard(
      service,
      workingAs(async (run) => {
        await run.keep(emptyChange(run.organizationId, run.now))
        kept += 1
        if (kept === 1) await run.keep(conflicting(service, run.organizationId))
        return { change: emptyChange(run.organizationId, run.now), result: {} }
      }),
    )
    await runJob(services, kinds, job, never)
    expect(kept).toBe(2)
    expect(await jobOf(owner, job.jobId)).toMatchObject({ status: 'COMPLETED', attempts: 1 })
  })

  it('that another change comes before each time fails its attempt after six', async ({
    service,
    owner,
  }) => {
    const job = await claimedBefore(service, owner, 0)
    let runs = 0
    const { services, kinds, lines } = heard(
      service,
      workingAs(async ({ organizationId }) => {
        runs += 1
        return { change: conflicting(service, organizationId), result: {} }
      }),
    )
    await expect(runJob(services, kinds, job, never)).rejects.toThrow('The job failed.')
    expect(runs).toBe(limits.contentionAttempts)
    expect(lines.map(({ level }) => level)).toEqual([30, 30, 30, 30, 30, 50])
    expect(await jobOf(owner, job.jobId)).toMatchObject({ status: 'RUNNING', attempts: 1 })
  })

  it('that another attempt took over is dropped and not repeated', async ({ service, owner }) => {
    const job = await claimedBefore(service, owner, 0)
    let runs = 0
    const { services, kinds, lines } = heard(
      service,
      workingAs(async ({ organizationId, now }) => {
        runs += 1
        await service.database.pool.query('update jobs set attempts = 2 where id = $1', [job.jobId])
        return { change: emptyChange(organizationId, now), result: {} }
      }),
    )
    await runJob(services, kinds, job, never)
    expect(runs).toBe(1)
    expect(lines.map(({ msg }) => msg)).toEqual([
      'The job was canceled, or another attempt took it over; this attempt stops.',
    ])
    expect(await jobOf(owner, job.jobId)).toMatchObject({ status: 'RUNNING', attempts: 2 })
  })

  it('that another attempt took over is dropped, too, if it fails for good', async ({
    service,
    owner,
  }) => {
    const job = await claimedBefore(service, owner, 0)
    const failing = workingAs(async () => {
      await service.database.pool.query('update jobs set attempts = attempts + 1 where id = $1', [
        job.jobId,
      ])
      throw new JobFailure('LIQUIDITY_CHAIN_UNAVAILABLE', 'Away', { retryable: false })
    })
    await expect(runJob(service.services, failing, job, never)).resolves.toBeUndefined()
    const { rows } = await service.database.pool.query('select status from jobs where id = $1', [
      job.jobId,
    ])
    expect(rows).toEqual([{ status: 'RUNNING' }])
  })

  it('that has ended is not run again', async ({ service, owner }) => {
    const job = await claimedBefore(service, owner, 0)
    await runJob(service.services, coded, job, never)
    const before = await jobOf(owner, job.jobId)
    await runJob(service.services, coded, job, never)
    expect(await jobOf(owner, job.jobId)).toEqual(before)
  })

  it('of another organization cannot be claimed by its id', async ({ service, owner }) => {
    const job = await claimedBefore(service, owner, 0)
    const foreignOwner = await newOrganization(service)
    await runJob(
      service.services,
      coded,
      { ...job, organizationId: foreignOwner.organizationId },
      never,
    )
    expect(await jobOf(owner, job.jobId)).toMatchObject({ status: 'RUNNING', attempts: 0 })
  })
})

describe('a job whose provider limits its rate', () => {
  /** A queued job and its work: the provider accepts calls again in an hour. */
  async function limited() {
    const node = await serviceForTest({ WORKER: 'none' })
    const owner = await newOrganization(node)
    const job = await claimedBefore(node, owner, 0)
    await node.database.pool.query(`update jobs set status = 'QUEUED' where id = $1`, [job.jobId])
    const refuse = (): never => {
      throw new JobFailure('LIQUIDITY_CHAIN_RATE_LIMITED', 'Limited', {
        retryable: true,
        waiting: {
          reason: 'RATE_LIMITED',
          until: node.clock.read() + hourMilliseconds,
          providerId: 'main',
        },
      })
    }
    const run = (work: (run: JobRun) => Promise<JobEnd>) =>
      runJob(node.services, workingAs(work), job, never)
    return { node, owner, job, run, refuse, read: () => jobOf(owner, job.jobId) }
  }
  const done = async ({ organizationId, now }: JobRun) => ({
    change: emptyChange(organizationId, now),
    result: {},
  })

  it('returns to the queue until then, which is no attempt', async () => {
    const { node, run, refuse, read } = await limited()
    for (let wait = 0; wait < 5; wait += 1) {
      await run(async () => refuse())
      expect(await read()).toMatchObject({
        status: 'QUEUED',
        attempts: 0,
        waiting: {
          reason: 'RATE_LIMITED',
          until: new Date(node.clock.read() + hourMilliseconds).toISOString(),
          providerId: 'main',
        },
      })
      node.clock.advance(hourMilliseconds)
    }
    await run(done)
    const ended = await read()
    expect(ended).toMatchObject({ status: 'COMPLETED', attempts: 1 })
    expect(ended).not.toHaveProperty('waiting')
  })

  it('gets a worker again at the end of the wait, not before', async () => {
    const { node, owner, run, refuse, read } = await limited()
    await run(async () => refuse())
    const other = await claimedBefore(node, owner, 0)
    await node.database.pool.query(`update jobs set status = 'QUEUED' where id = $1`, [other.jobId])
    const runs: string[] = []
    const kinds = workingAs(async (claimed) => {
      runs.push(claimed.jobId)
      return done(claimed)
    })
    const queue = new JobQueue(node.services, kinds)
    onTestFinished(() => queue.stop())
    await queue.start()
    await until('the other job to end', async () => runs.includes(other.jobId))
    expect((await read())?.status).toBe('QUEUED')
    node.clock.advance(hourMilliseconds)
    await until('the job to end', async () => (await read())?.status === 'COMPLETED')
  })

  it('fails after a day without a new part of its result', async () => {
    const { node, job, run, refuse } = await limited()
    const read = async () => {
      const { rows } = await node.database.pool.query(
        `select status, attempts - waits as attempts, error from jobs where id = $1`,
        [job.jobId],
      )
      return rows[0]
    }
    await run(async () => refuse())
    node.clock.advance(23 * hourMilliseconds)
    await run(async ({ keep, organizationId, now }) => {
      await keep(emptyChange(organizationId, now))
      return refuse()
    })
    node.clock.advance(23 * hourMilliseconds)
    await run(async () => refuse())
    expect(await read()).toEqual({ status: 'QUEUED', attempts: '0', error: null })
    node.clock.advance(2 * hourMilliseconds)
    await run(async () => refuse())
    expect(await read()).toMatchObject({
      status: 'FAILED',
      error: expect.stringContaining('LIQUIDITY_CHAIN_RATE_LIMITED'),
    })
  })
})

describe('the queue', () => {
  it('serves organizations in turn, so one backlog delays no other', async () => {
    const node = await serviceForTest({ WORKER: 'none' })
    const { services, clock, database } = node
    const [busy, modest] = [await newOrganization(node), await newOrganization(node)]
    for (let count = 0; count < 40; count += 1) {
      clock.advance(1)
      await writeRecord(node, busy, 'VenueObservation')
    }
    clock.advance(1)
    for (let count = 0; count < 3; count += 1) {
      await writeRecord(node, modest, 'VenueObservation')
    }
    const time = setInterval(() => clock.advance(1), 1)
    const queue = new JobQueue(services, coded)
    onTestFinished(() => clearInterval(time))
    onTestFinished(() => queue.stop())
    await queue.start()
    const ends = await until('every job to end', async () => {
      const { rows } = await database.pool.query(
        `select organization_id, finished_at::bigint from jobs order by finished_at`,
      )
      return rows.every(({ finished_at }) => finished_at !== null) ? rows : null
    })
    // With FIFO the modest one’s jobs, asked for last, would end last.
    const last = ends.findLastIndex(
      ({ organization_id: id }: { organization_id: string }) => id === modest.organizationId,
    )
    expect(ends).toHaveLength(43)
    expect(last).toBeLessThan(20)
  })
})

describe('cancelling a job', () => {
  const cancel = (
    service: TestService,
    member: TestMember,
    jobId: string,
    {
      organizationId = member.organizationId,
      origin = new URL(service.config.baseUrl).origin,
    } = {},
  ) =>
    fetch(`${service.baseUrl}/auth/organizations/${organizationId}/jobs/${jobId}/cancel`, {
      method: 'POST',
      headers: { cookie: `${service.config.sessionCookie}=${member.cookie}`, origin },
    })
  const codeOf = async (answer: Response) =>
    ((await answer.json()) as { error: { code: string } }).error.code

  it('ends it, once and for all', async ({ service, owner }) => {
    const { jobId, ...job } = await claimedBefore(service, owner, 0)
    const first = await cancel(service, owner, jobId)
    expect(first.status).toBe(200)
    const { data } = (await first.json()) as { data: object }
    expect(data).toMatchObject({
      status: 'CANCELLED',
      error: { code: 'LIQUIDITY_JOB_CANCELLED', retryable: false },
    })
    expect(await jobOf(owner, jobId)).toEqual(data)
    expect(await (await cancel(service, owner, jobId)).json()).toEqual({ data })
    await runJob(service.services, coded, { ...job, jobId }, never)
    expect(await jobOf(owner, jobId)).toEqual(data)
  })

  it('that has ended is refused', async ({ service, owner }) => {
    const job = await claimedBefore(service, owner, 0)
    await runJob(service.services, coded, job, never)
    const answer = await cancel(service, owner, job.jobId)
    expect([answer.status, await codeOf(answer)]).toEqual([409, 'LIQUIDITY_JOB_ENDED'])
  })

  it('is for members who may simulate, from a page of the service', async ({ service, owner }) => {
    const { jobId } = await claimedBefore(service, owner, 0)
    const viewer = await newMember(service, owner.organizationId, 'VIEWER')
    const foreignOwner = await newOrganization(service)
    const { organizationId } = owner
    for (const [answer, status, code] of [
      [await cancel(service, viewer, jobId), 403, 'LIQUIDITY_ROLE_REQUIRED'],
      [await cancel(service, foreignOwner, jobId), 404, 'LIQUIDITY_RESOURCE_NOT_FOUND'],
      [
        await cancel(service, foreignOwner, jobId, { organizationId }),
        403,
        'LIQUIDITY_ORGANIZATION_ACCESS_DENIED',
      ],
      [
        await cancel(service, owner, jobId, { origin: 'https://evil.example' }),
        403,
        'LIQUIDITY_ORIGIN_NOT_ALLOWED',
      ],
      [
        await cancel(service, owner, 'job_00000000000000000000000000'),
        404,
        'LIQUIDITY_RESOURCE_NOT_FOUND',
      ],
    ] as const) {
      expect([answer.status, await codeOf(answer)]).toEqual([status, code])
    }
    expect(await jobOf(owner, jobId)).toMatchObject({ status: 'RUNNING' })
  })
})

describe('the purge', () => {
  it('keeps answers for thirty days, and records for ever', async ({ service }) => {
    const member = await newOrganization(service)
    await service.database.global([
      { text: `update sessions set expires_at = 9999999999999 where user_id = '${member.userId}'` },
    ])
    const request = { body: bookmarkBody(1), idempotencyKey: 'kept-for-thirty-days' }
    const first = await member.client.savePlatformProject(request)
    service.clock.advance(30 * dayMilliseconds)
    await purge(service.services)
    const replay = await member.client.savePlatformProject(request)
    expect(replay.headers.get('idempotency-replayed')).toBe('true')
    service.clock.advance(1)
    await purge(service.services)
    await expect(member.client.savePlatformProject(request)).rejects.toMatchObject({
      code: 'LIQUIDITY_BOOKMARK_DUPLICATE',
    })
    const { body } = await member.client.listSavedPlatformProjects()
    expect(body.data.map(({ id }) => id)).toEqual([first.body.data.id])
  })

  it('keeps runs at a cadence for seven days, the newest success and what came after it for ever', async ({
    service,
  }) => {
    const { organizationId } = await newOrganization(service)
    const at = (days: number) => service.clock.read() - days * dayMilliseconds
    const run = (id: string, kind: string, status: string, days: number) => ({
      text: `insert into jobs (organization_id, id, kind, status, subject_id, subject, input, progress_pips, attempts, created_at)
        values ('${organizationId}', '${id}', '${kind}', '${status}', 'venue_a', '{"id":"venue_a"}', '{"mode":"EVENTS"}', 0, 1, ${at(days)})`,
    })
    await service.database.tenant(organizationId, [
      run('failed-before', 'VENUE_INDEX', 'FAILED', 60),
      run('went-well-before', 'VENUE_INDEX', 'COMPLETED', 50),
      run('newest-that-went-well', 'VENUE_INDEX', 'COMPLETED', 40),
      run('failed-since', 'VENUE_INDEX', 'FAILED', 35),
      run('failed-lately', 'FEED_PULL', 'FAILED', 12),
      run('ended-the-failure', 'FEED_PULL', 'COMPLETED', 11),
      run('long-ago', 'FEED_PULL', 'COMPLETED', 10),
      run('recent', 'FEED_PULL', 'COMPLETED', 6),
      run('later', 'FEED_PULL', 'COMPLETED', 5),
      run('waits', 'FEED_PULL', 'QUEUED', 90),
      run('was-asked-for', 'STUDY', 'COMPLETED', 90),
      run('was-asked-for-again', 'STUDY', 'COMPLETED', 80),
    ])
    await purge(service.services)
    const [rows = []] = await service.database.tenant(organizationId, [
      {
        text: `select id from jobs where organization_id = '${organizationId}' order by created_at`,
      },
    ])
    expect(rows.map(({ id }) => id).sort()).toEqual([
      ...['ended-the-failure', 'failed-lately', 'failed-since', 'later'],
      ...['newest-that-went-well', 'recent', 'waits'],
      ...['was-asked-for', 'was-asked-for-again'],
    ])
  })

  it('removes links, sessions and counters that have served their time', async ({ service }) => {
    const count = async () => {
      const { rows } = await service.database.pool.query(
        `select (select count(*) from sessions where expires_at < $1) as sessions,
           (select count(*) from sign_in_links where expires_at < $1) as links,
           (select count(*) from rate_windows where window_start < $1) as windows,
           (select count(*) from known_browsers where seen_at < $1) as browsers`,
        [service.clock.read() - 2 * dayMilliseconds],
      )
      return Object.values(rows[0]).map(Number)
    }
    await service.database.global([
      { text: `insert into sign_in_links values ('h', 'a@b.org', '', null, 0, 1, null)` },
      { text: `insert into rate_windows values ('b', 0, 1)` },
      { text: `insert into known_browsers values ('a', 'b', 0)` },
      {
        text: `insert into sessions (token_hash, user_id, created_at, authenticated_at, expires_at)
          values ('h', 'u', 0, 0, 1)`,
      },
    ])
    expect((await count()).every((found) => found > 0)).toBe(true)
    await purge(service.services)
    expect(await count()).toEqual([0, 0, 0, 0])
  })
})
