import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runJob } from '../src/jobs/job-runner.ts'
import { purge } from '../src/jobs/purge.ts'
import { bookmarkBody } from './support/bodies.ts'
import { writeRecord } from './support/resources.ts'
import {
  newOrganization,
  startTestService,
  type TestMember,
  type TestService,
} from './support/service.ts'

let service: TestService
let owner: TestMember
beforeAll(async () => {
  service = await startTestService()
  owner = await newOrganization(service)
})
afterAll(() => service.stop())

const day = 24 * 3_600_000
const never = new AbortController().signal

/** A job of a kind that has no code, claimed so many times already. */
async function claimedBefore(attempts: number) {
  const record = await writeRecord(service, owner, 'VenueObservation')
  const jobId = `job_${record.id.split('_').at(-1)}`
  await service.database.pool.query(
    `update jobs set status = 'RUNNING', attempts = $2, heartbeat_at = 0 where id = $1`,
    [jobId, attempts],
  )
  return { organizationId: owner.organizationId, jobId }
}

async function jobOf(jobId: string) {
  const { body } = await owner.client.listOperatingSystemJobs({ query: { limit: 100 } })
  return body.data.find(({ id }) => id === jobId)
}

describe('a job', () => {
  it('that has no code fails once and says so', async () => {
    const job = await claimedBefore(0)
    await runJob(service.services, job, never)
    expect(await jobOf(job.jobId)).toMatchObject({
      status: 'FAILED',
      attempts: 1,
      error: { code: 'LIQUIDITY_INTERNAL_ERROR', message: 'No code for TEST.' },
    })
  })

  it('that takes every worker with it is given up', async () => {
    const job = await claimedBefore(9)
    await runJob(service.services, job, never)
    expect(await jobOf(job.jobId)).toMatchObject({
      status: 'FAILED',
      error: { message: 'Its workers died again and again.' },
    })
  })

  it('that has ended is not run again', async () => {
    const job = await claimedBefore(0)
    await runJob(service.services, job, never)
    const before = await jobOf(job.jobId)
    await runJob(service.services, job, never)
    expect(await jobOf(job.jobId)).toEqual(before)
  })

  it('of another organization cannot be claimed by its id', async () => {
    const job = await claimedBefore(0)
    const stranger = await newOrganization(service)
    await runJob(service.services, { ...job, organizationId: stranger.organizationId }, never)
    expect(await jobOf(job.jobId)).toMatchObject({ status: 'RUNNING', attempts: 0 })
  })
})

describe('the purge', () => {
  it('keeps answers for thirty days, and records for ever', async () => {
    const member = await newOrganization(service)
    await service.database.global([
      { text: `update sessions set expires_at = 9999999999999 where user_id = '${member.userId}'` },
    ])
    const request = { body: bookmarkBody(1), idempotencyKey: 'kept-for-thirty-days' }
    const first = await member.client.savePlatformProject(request)
    service.clock.advance(30 * day)
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

  it('removes links, sessions and counters that have served their time', async () => {
    const count = async () => {
      const { rows } = await service.database.pool.query(
        `select (select count(*) from sessions where expires_at < $1) as sessions,
           (select count(*) from sign_in_links where expires_at < $1) as links,
           (select count(*) from rate_windows where window_start < $1) as windows`,
        [service.clock.read() - 2 * day],
      )
      return Object.values(rows[0]).map(Number)
    }
    await service.database.global([
      { text: `insert into sign_in_links values ('h', 'a@b.org', '', null, 0, 1, null)` },
      { text: `insert into rate_windows values ('b', 0, 1)` },
      {
        text: `insert into sessions (token_hash, user_id, created_at, authenticated_at, expires_at)
          values ('h', 'u', 0, 0, 1)`,
      },
    ])
    expect((await count()).every((found) => found > 0)).toBe(true)
    await purge(service.services)
    expect(await count()).toEqual([0, 0, 0])
  })
})
