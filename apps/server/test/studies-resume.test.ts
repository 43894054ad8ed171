// @module-tag long
// @covers apps/server/src/families/simulate/studies

import { expect, onTestFinished } from 'vitest'
import type { MonteCarloTask } from '../src/families/simulate/studies/paths/monte-carlo-task.ts'
import { purge } from '../src/jobs/purge.ts'
import { startWorkers } from '../src/service.ts'
import { sql } from '../src/store/database/sql.ts'
import { Threads } from '../src/threads.ts'
import { hourMilliseconds } from '../src/units.ts'
import { it } from './support/fixtures.ts'
import {
  newOrganization,
  serviceForTest,
  type TestMember,
  type TestService,
} from './support/service.ts'
import { wrapStudyStep } from './support/study-steps.ts'
import { pathSpec, readStudy, type Spec, study } from './support/studying.ts'
import { until } from './support/until.ts'

/** Three batches of paths: too much to be answered at once, and over in a few seconds. */
const longSpec = (change: Partial<Spec> = {}) =>
  pathSpec({
    stepSeconds: 600,
    sampleSeconds: 3600,
    bandsPips: [20_000],
    paths: 600,
    halfWidthPips: 1,
    ...change,
  })

/** The jobs whose batches are kept. */
async function jobsKept(service: TestService, organizationId: string): Promise<(string | null)[]> {
  const [rows = []] = await service.database.tenant(organizationId, [
    sql`select distinct job_id from study_batches where organization_id = ${organizationId}`,
  ])
  return rows.map(({ job_id: jobId }) => jobId ?? null)
}

const ended = ['COMPLETED', 'PARTIAL', 'ABSTAINED', 'FAILED']

it('a job runs no path of a stored batch, and its paths are stored for an hour after its end', async ({
  service,
}) => {
  const owner = await newOrganization(service)
  const counted: number[] = []
  const stop = new AbortController()
  wrapStudyStep(service.services.background, 'runPaths', async (run, task) => {
    counted.push(task.from)
    // The machine fails in the third batch, once.
    if (task.from >= 400 && !stop.signal.aborted) {
      stop.abort()
      throw new Error('The thread has died.')
    }
    return run()
  })
  const { data } = await study(owner, longSpec())
  const workers = await startWorkers(service.services)
  onTestFinished(() => workers.stop())
  const done = await until('the study to end', async () => {
    const answer = await readStudy(owner, data.study.id)
    return ended.includes(answer.data.status) ? answer.data : null
  })
  expect(done.status).toBe('PARTIAL')
  const before = counted.filter((from) => from < 400)
  expect(before).toEqual([...new Set(before)])
  expect(before).toEqual(expect.arrayContaining([0, 40, 200]))
  expect(await jobsKept(service, owner.organizationId)).toEqual([data.job.id])
  service.clock.advance(hourMilliseconds + 1)
  await purge(service.services)
  expect(await jobsKept(service, owner.organizationId)).toEqual([])
})

it('a study with one changed arm runs that arm alone, with the result of a fresh run', async ({
  service,
}) => {
  const tasks: MonteCarloTask[] = []
  wrapStudyStep(service.services.background, 'runPaths', (run, task) => {
    tasks.push(task)
    return run()
  })
  const workers = await startWorkers(service.services)
  onTestFinished(() => workers.stop())
  const arm = (armId: string, half: number) => ({
    armId,
    label: armId,
    position: { kind: 'TICKS' as const, tickLower: -half, tickUpper: half },
  })
  // Large as it is estimated, and over with the batch that ends with path 200.
  const requestFor = (half: number) =>
    pathSpec({
      arms: [arm('stays', 1200), arm('moves', half)],
      seed: `0x${'5'.repeat(64)}`,
      paths: 10_000,
      halfWidthPips: 1_000_000,
    })
  const run = async (by: TestMember, half: number) => {
    tasks.length = 0
    const { data } = await study(by, requestFor(half))
    const done = await until('the study to end', async () => {
      const answer = await readStudy(by, data.study.id)
      return ended.includes(answer.data.status) ? answer.data : null
    })
    const known = tasks.map((task) => task.known?.places ?? null)
    return {
      jobId: data.job.id,
      result: done.payload.result,
      known: [...new Set(known.map(String))],
    }
  }
  const [owner, foreignOwner] = [await newOrganization(service), await newOrganization(service)]
  const first = await run(owner, 600)
  const second = await run(owner, 1800)
  const afresh = await run(foreignOwner, 1800)
  expect([first.known, second.known, afresh.known]).toEqual([['null'], ['0,,2,3,4'], ['null']])
  expect(second.result).toEqual(afresh.result)
  expect(second.result.arms[0]).toEqual(first.result.arms[0])
  expect(second.result.arms[1]).not.toEqual(first.result.arms[1])
  // The very same again is a test of the answer before, and takes nothing from it.
  const again = await run(owner, 1800)
  expect(again.known).toEqual(['null'])
  expect(again.result).toEqual(second.result)
  // Of an organization the study that first asked its question and ended last is kept, and no other.
  expect(await jobsKept(service, owner.organizationId)).toEqual([second.jobId])
})

it('a queued study with another result than before is FAILED, without a second attempt', async ({
  service,
}) => {
  const owner = await newOrganization(service)
  const workers = await startWorkers(service.services)
  onTestFinished(() => workers.stop())
  // Large as it is estimated, and over with the first batch.
  const spec = pathSpec({ paths: 20_000, halfWidthPips: 1_000_000 })
  const run = async () => {
    const { data } = await study(owner, spec)
    return until('the study to end', async () => {
      const answer = await readStudy(owner, data.study.id)
      return ended.includes(answer.data.status) ? answer.data : null
    })
  }
  const first = await run()
  wrapStudyStep(service.services.background, 'aggregatePaths', async (run) => {
    const statistics = await run()
    return { ...statistics, paths: { ...statistics.paths, steps: 25 } }
  })
  const second = await run()
  expect([first.status, second.status]).toEqual(['COMPLETED', 'FAILED'])
  expect(second.payload).toMatchObject({ reproduces: { id: first.id }, result: null })
  const jobs = (await owner.client.listOperatingSystemJobs()).body.data
  const runs = jobs.filter(({ kind }) => kind === 'STUDY_RUN')
  expect(runs.map(({ attempts }) => attempts)).toEqual([1, 1])
})

it('a study that fails in every attempt is FAILED after the third', async ({ service }) => {
  const owner = await newOrganization(service)
  wrapStudyStep(service.services.background, 'runPaths', async () => {
    throw new Error('The thread has died.')
  })
  const { data } = await study(owner, longSpec())
  const workers = await startWorkers(service.services)
  onTestFinished(() => workers.stop())
  await until('the study to fail', async () => {
    const answer = await readStudy(owner, data.study.id)
    return answer.data.status === 'FAILED'
  })
  const [job] = (await owner.client.listOperatingSystemJobs()).body.data
  expect([job!.status, job!.attempts]).toEqual(['FAILED', 3])
})

it('a study that three workers died of is FAILED, and not tried for ever', async ({ service }) => {
  const owner = await newOrganization(service)
  const { data } = await study(owner, longSpec())
  const { organizationId } = owner
  // What three workers leave that were killed at it.
  await service.database.tenant(organizationId, [
    sql`update jobs set attempts = 3 where organization_id = ${organizationId}`,
    ...[1, 2, 3].map(
      (attempt) => sql`insert into study_batches
        (organization_id, job_id, batch, part, made_by, content, created_at)
        values (${organizationId}, ${data.job.id}, ${-attempt}, 0, 'attempt', '', ${service.clock.read()})`,
    ),
  ])
  const workers = await startWorkers(service.services)
  onTestFinished(() => workers.stop())
  await until('the study to fail', async () => {
    const answer = await readStudy(owner, data.study.id)
    return answer.data.status === 'FAILED'
  })
  const [, rows = []] = await service.database.tenant(organizationId, [
    sql`select 1`,
    sql`select body from events where organization_id = ${organizationId}
      and subject_id = ${data.study.id} order by sequence desc limit 1`,
  ])
  expect(JSON.parse(rows[0]!.body!).payload).toMatchObject({ cause: 'WORKERS_DIED' })
})

it('a job that is cancelled ends between two batches, and its study with no result', async ({
  service,
}) => {
  const owner = await newOrganization(service)
  const begun: number[] = []
  wrapStudyStep(service.services.background, 'runPaths', async (run, task) => {
    begun.push(task.from)
    if (task.from === 200) {
      await service.database.tenant(owner.organizationId, [
        sql`update jobs set status = 'CANCELLED', finished_at = ${service.clock.read()}
          where organization_id = ${owner.organizationId}`,
      ])
    }
    return run()
  })
  const { data } = await study(owner, longSpec())
  const workers = await startWorkers(service.services)
  await until('the batch after the first', () => begun.includes(200))
  // Lets the job end.
  await workers.stop()
  expect(Math.max(...begun)).toBeLessThan(400)
  expect((await readStudy(owner, data.study.id)).data.payload.result).toBeNull()
  const [job] = (await owner.client.listOperatingSystemJobs()).body.data
  expect(job!.status).toBe('CANCELLED')
  // Of what ran on, nothing is written for a job that is no more.
  const [kept = []] = await service.database.tenant(owner.organizationId, [
    sql`select max(batch) as batch from study_batches where organization_id = ${owner.organizationId}`,
  ])
  expect(Number(kept[0]!.batch)).toBeLessThan(2)
})

it('has the same bytes from one thread and from two, and after a restart', async () => {
  const hashes: string[] = []
  for (const count of [1, 2, 2]) {
    const service = await serviceForTest()
    const owner = await newOrganization(service)
    const threads = new Threads({ count, niceness: 0 })
    onTestFinished(() => threads.close())
    service.services.awaited = threads
    const { data } = await study(owner, pathSpec({ paths: 400, halfWidthPips: 1 }))
    hashes.push(data.payload.result.resultHash)
  }
  expect(new Set(hashes).size).toBe(1)
})

it('a running study reports its stored paths, and deletes them at its end', async ({ service }) => {
  const owner = await newOrganization(service)
  const { data } = await study(owner, longSpec())
  const { id } = data.study
  const read = async () => (await owner.client.readStudyProgress({ params: { id } })).body.data
  expect(await read()).toMatchObject({ state: 'WAITING', estimates: null })
  const seen: unknown[] = []
  wrapStudyStep(service.services.background, 'runPaths', async (run, task) => {
    // Before a batch nothing is told but of those before it.
    if (task.from === 40 || task.from === 200) seen.push(await read())
    return run()
  })
  const workers = await startWorkers(service.services)
  onTestFinished(() => workers.stop())
  const done = await until('the study to end', async () => {
    const answer = await readStudy(owner, id)
    return ended.includes(answer.data.status) ? answer.data : null
  })
  const expectedProgress = (paths: number) => ({
    state: 'PRELIMINARY',
    estimates: { state: 'PRELIMINARY', paths: { done: paths, most: 600 } },
  })
  expect(seen).toMatchObject([expectedProgress(40), expectedProgress(200)])
  expect(await read()).toMatchObject({ state: 'ENDED', estimates: null })
  expect(JSON.stringify(done)).not.toContain('PRELIMINARY')
  const foreignOwner = await newOrganization(service)
  await expect(foreignOwner.client.readStudyProgress({ params: { id } })).rejects.toMatchObject({
    status: 404,
  })
})
