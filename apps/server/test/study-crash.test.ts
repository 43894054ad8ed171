// @module-tag long
// @covers apps/server/src/families/simulate/studies apps/server/src/jobs

import { createClient } from '@liquidity-os/client'
import { expect, it } from 'vitest'
import { migratedDeployment, serve, signInAtTerminal, untilServing } from './support/processes.ts'
import { letSilencePass } from './support/silence.ts'
import { pathSpec } from './support/studying.ts'
import { until } from './support/until.ts'

const ended = ['COMPLETED', 'PARTIAL', 'ABSTAINED', 'FAILED']
const paths = 600

it('a study continues after its last stored batch if its worker is killed, and has the same bytes', async () => {
  const deployment = await migratedDeployment({ WORKER: 'in-process' })
  const service = await serve(deployment, { hasFaultPoints: true })
  const client = createClient(await signInAtTerminal(deployment))
  const spec = pathSpec({
    stepSeconds: 600,
    sampleSeconds: 3600,
    bandsPips: [20_000],
    paths,
    halfWidthPips: 1,
  })
  const create = async () => {
    const { body } = await client.createStudies({ body: { payload: spec, reason: 'For the test' } })
    return (body.data as unknown as { study: { id: string } }).study.id
  }
  // A study queues a report when it has run.
  const listRuns = async () =>
    (await client.listOperatingSystemJobs()).body.data.filter(({ kind }) => kind === 'STUDY_RUN')
  const untilEnded = (id: string) =>
    until('the study to end', async () => {
      const { data } = (await client.getStudies({ params: { id } })).body
      return ended.includes(data.status) ? data : null
    })
  const readProgress = async (id: string) =>
    (await client.readStudyProgress({ params: { id } })).body.data

  // The first stored batch holds 40 paths, the second one the paths up to 200.
  const fault = await service.killAt('study:batch-kept', { pass: 2 })
  const first = await create()
  await fault.killed
  service.start()
  await untilServing(service)
  const { state, estimates } = await readProgress(first)
  if (estimates) expect(estimates.paths.done).toBeGreaterThanOrEqual(200)
  else expect(state).toBe('ENDED')
  // The embedded database has one process, so its next owner knows that the one before is gone.
  const { DATABASE_URL: url } = deployment.environment
  if (url) await letSilencePass(url)
  const resumed = await untilEnded(first)
  const [job] = await listRuns()
  expect([job?.status, job?.attempts]).toEqual(['COMPLETED', 2])
  expect(job?.preliminary).toBeUndefined()
  expect(await readProgress(first)).toMatchObject({ state: 'ENDED', estimates: null })
  expect(resumed.payload.progress).toEqual({ done: paths, total: paths })
  // The same study again, without a crash: a difference would make it FAILED.
  const again = await untilEnded(await create())
  expect(again.payload.reproduces?.id).toBe(first)
  expect(again.payload.result?.resultHash).toBe(resumed.payload.result?.resultHash)
})
