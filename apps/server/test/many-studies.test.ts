// @module-tag long
// @covers apps/server/src/threads.ts apps/server/src/thread-turns.ts apps/server/src/jobs
// @covers apps/server/src/families/simulate/studies

import { describe, expect, onTestFinished } from 'vitest'
import { hourSeconds } from '../src/units.ts'
import { test } from './support/fixtures.ts'
import { newOrganization, type TestMember, type TestService } from './support/service.ts'
import { inlinePool, pathSpec, readStudy, type Spec, study } from './support/studying.ts'
import { until } from './support/until.ts'

const it = test.extend('settings', { scope: 'file' }, { WORKER: 'in-process' })

const seedOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}`

/** Too large to be answered at once as it is estimated, and precise enough after its first paths. */
const queued = (number: number): Spec =>
  pathSpec({
    market: { inline: inlinePool },
    paths: 20_000,
    halfWidthPips: 1_000_000,
    horizonSeconds: 12 * hourSeconds,
    stepSeconds: hourSeconds,
    seed: seedOf(number),
  })

/** Work for many minutes. */
const endless = (number: number): Spec =>
  pathSpec({
    market: { inline: inlinePool },
    paths: 5000,
    halfWidthPips: 1,
    horizonSeconds: 360 * hourSeconds,
    stepSeconds: hourSeconds,
    seed: seedOf(number),
  })

async function ask(by: TestMember, spec: Spec): Promise<{ studyId: string; jobId: string }> {
  const { data, ...answer } = await study(by, spec)
  expect(answer).toMatchObject({ status: 201, fieldErrors: {} })
  expect(data).toMatchObject({ interactive: false })
  return { studyId: data.study.id, jobId: data.job.id }
}

/** Other tests want the processors too. */
const patience = 120_000

async function jobOf(by: TestMember, jobId: string) {
  const { body } = await by.client.listOperatingSystemJobs({ query: { limit: 100 } })
  return body.data.find(({ id }) => id === jobId)
}

async function untilCompleted(by: TestMember, { jobId }: { jobId: string }): Promise<void> {
  const isCompleted = async () => (await jobOf(by, jobId))?.status === 'COMPLETED'
  await until('the next study', isCompleted, patience)
}

const cancel = (service: TestService, by: TestMember, jobId: string) =>
  fetch(`${service.baseUrl}/auth/organizations/${by.organizationId}/jobs/${jobId}/cancel`, {
    method: 'POST',
    headers: {
      cookie: `${service.config.sessionCookie}=${by.cookie}`,
      origin: new URL(service.config.baseUrl).origin,
    },
  })

/** Time passes, so that what ended later says so. */
function letTimePass(service: TestService): void {
  const timer = setInterval(() => service.clock.advance(1), 1)
  onTestFinished(() => clearInterval(timer))
}

describe('twenty-six studies at once', () => {
  it(
    'all end, and the few of one organization do not wait for the many of another',
    async ({ service }) => {
      letTimePass(service)
      const busy = await newOrganization(service)
      const modest = await Promise.all([1, 2, 3].map(() => newOrganization(service)))
      const many = await Promise.all(
        Array.from({ length: 20 }, (_, index) => ask(busy, queued(index))),
      )
      const few = await Promise.all(modest.flatMap((by) => [1, 2].map((n) => ask(by, queued(n)))))
      expect(many.length + few.length).toBe(26)
      const ends = await until(
        'all studies to end',
        async () => {
          const { rows } = await service.database.pool.query(
            `select organization_id as by, status from jobs where kind = 'STUDY_RUN' and finished_at is not null
           order by finished_at, id`,
          )
          return rows.length === 26 ? (rows as { by: string; status: string }[]) : null
        },
        patience,
      )
      expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['COMPLETED']))
      const last = ends.findLastIndex(({ by }) => by !== busy.organizationId)
      // In the order in which they were asked for, the six would be the last.
      expect(last).toBeLessThan(18)
      const { data } = await readStudy(busy, many[19]!.studyId)
      expect(data.status).toBe('COMPLETED')
      expect(data.payload.result.paths).toMatchObject({ precision: 'REACHED' })
    },
    2 * patience,
  )
})

describe('a study that is cancelled', () => {
  it('answers for nothing: the next of its specification is the first', async ({ service }) => {
    const owner = await newOrganization(service)
    const { studyId, jobId } = await ask(owner, queued(300))
    await cancel(service, owner, jobId)
    const second = await ask(owner, queued(300))
    const read = async (id: string) => (await readStudy(owner, id)).data
    const cancelled = await read(studyId)
    // It may have been quicker than its cancelling.
    const isCancelled = cancelled.status === 'FAILED'
    const { reproduces } = (await read(second.studyId)).payload
    expect(reproduces?.id ?? null).toBe(isCancelled ? null : studyId)
    await untilCompleted(owner, second)
    const third = await ask(owner, queued(300))
    await untilCompleted(owner, third)
    const { payload } = await read(third.studyId)
    const first = isCancelled ? second.studyId : studyId
    expect(payload.reproduces.id).toBe(first)
    expect(payload.result.resultHash).toBe((await read(first)).payload.result.resultHash)
  })

  it(
    'stops while it runs, says so, and leaves its threads to the next',
    async ({ service }) => {
      const owner = await newOrganization(service)
      const { studyId, jobId } = await ask(owner, endless(1))
      const isUnderWay = async () => ((await jobOf(owner, jobId))?.progressPips ?? 0) > 0
      await until('its first batch', isUnderWay, patience)
      expect((await readStudy(owner, studyId)).data.status).toBe('ACTIVE')
      expect((await cancel(service, owner, jobId)).status).toBe(200)
      const { data } = await readStudy(owner, studyId)
      expect(data).toMatchObject({ status: 'FAILED', reason: 'The study was canceled' })
      expect(data.payload.result).toBeNull()
      await untilCompleted(owner, await ask(owner, queued(100)))
      expect(await jobOf(owner, jobId)).toMatchObject({ status: 'CANCELLED', attempts: 1 })
      expect((await readStudy(owner, studyId)).data).toEqual(data)
    },
    2 * patience,
  )

  it(
    'never begins when it was still waiting',
    async ({ service }) => {
      const owner = await newOrganization(service)
      const running = await Promise.all([1, 2, 3].map((n) => ask(owner, endless(200 + n))))
      const waiting = await ask(owner, endless(204))
      expect((await cancel(service, owner, waiting.jobId)).status).toBe(200)
      for (const { jobId } of running)
        expect((await cancel(service, owner, jobId)).status).toBe(200)
      await untilCompleted(owner, await ask(owner, queued(205)))
      expect(await jobOf(owner, waiting.jobId)).toMatchObject({ status: 'CANCELLED', attempts: 0 })
    },
    2 * patience,
  )
})
