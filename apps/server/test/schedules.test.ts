// @module-tag long
// @module-tag postgres
// @covers apps/server/src/families/platform/schedules apps/server/src/jobs

import { createClient } from '@liquidity-os/client'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Alert } from '../src/families/intelligence/alerts/alert.ts'
import {
  type Behaviour,
  honest,
  startProviderProxy,
} from '../src/integrations/chain/testing/provider-proxy.ts'
import { queueDue } from '../src/jobs/schedules.ts'
import { measureDue } from '../src/jobs/usage.ts'
import { limits } from '../src/limits.ts'
import { startWorkers } from '../src/service.ts'
import { idPrefixes } from '../src/store/records/resource-types.ts'
import { hourMilliseconds, minuteMilliseconds } from '../src/units.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { venueBody } from './support/bodies.ts'
import {
  hostOf,
  pairBody,
  providerBody,
  startTestChain,
  type TestChain,
  validatedPool,
} from './support/chain.ts'
import { waitForEvents } from './support/published-events.ts'
import { callOperation } from './support/requests.ts'
import {
  anotherNode,
  newMember,
  newOrganization,
  serviceForTest,
  type TestMember,
  type TestService,
} from './support/service.ts'
import { until } from './support/until.ts'

let test: TestChain
beforeAll(async () => {
  test = await startTestChain()
})
afterAll(() => test.chain.stop())

async function watched(
  changes: object = {},
): Promise<{ service: TestService; owner: TestMember; id: string }> {
  const service = await serviceForTest({
    OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl),
    VENUE_INDEX_SECONDS: '60',
  })
  const owner = await newOrganization(service)
  const { id } = await validatedPool(owner, test, test.chain.rpcUrl, changes)
  return { service, owner, id }
}
const jobsOf = async ({ client }: TestMember) =>
  (await client.listOperatingSystemJobs()).body.data.filter(({ kind }) => kind === 'VENUE_INDEX')
const scheduleOf = async ({ client }: TestMember, id: string) =>
  (await client.getOperatingSystemWorkspace()).body.data.schedules.find(
    ({ subject }) => subject.id === id,
  )!
const rangesOf = async ({ client }: TestMember, subject: string) =>
  (await client.listVenueObservations({ query: { subject, order: 'OLDEST' } })).body.data.map(
    ({ payload: { range } }) => [range.from.number, range.to.number] as const,
  )

/** Works until every job has ended. */
async function work(service: TestService, owner: TestMember): Promise<void> {
  const workers = await startWorkers(service.services)
  await until('the jobs have ended', async () => {
    const jobs = await jobsOf(owner)
    return jobs.length > 0 && jobs.every(({ finishedAt }) => finishedAt)
  })
  await workers.stop()
}

it('queues no job for an organization over quota, reports it, and continues with free quota', async () => {
  const { service, owner, id } = await watched()
  const tight = await anotherNode(service, { maxOrganizationBytes: 1 })
  await measureDue(tight.services)
  const { everySeconds, nextAt } = await scheduleOf(owner, id)
  expect(nextAt).not.toBe(null)
  service.clock.advance(everySeconds * 7000)
  await queueDue(tight.services)
  expect(await jobsOf(owner)).toEqual([])
  const options = { ...owner.options, baseUrl: tight.baseUrl }
  const there = { ...owner, options, client: createClient(options) }
  expect(await scheduleOf(there, id)).toMatchObject({
    state: 'OVERDUE',
    nextAt: null,
    cause: 'LIQUIDITY_ORGANIZATION_STORAGE_FULL',
  })
  const alerts = (await callOperation<Alert[]>(there, 'listAlertsV2')).data.map(({ kind }) => kind)
  expect(alerts).toContain('SCHEDULE_OVERDUE')
  await queueDue(service.services)
  expect(await jobsOf(owner)).toHaveLength(1)
})

it('reads a venue at its interval, continues after an hour without workers and leaves no gap', async () => {
  const { service, owner, id } = await watched()
  const { everySeconds } = await scheduleOf(owner, id)
  expect(everySeconds).toBeGreaterThanOrEqual(60)
  service.clock.advance(everySeconds * 1000)
  await queueDue(service.services)
  await work(service, owner)
  expect(await jobsOf(owner)).toHaveLength(1)
  expect(await scheduleOf(owner, id)).toMatchObject({ state: 'ON_TIME', lagSeconds: 0 })

  // What is queued while nobody works is one job, however long that lasts; the process may end in between.
  await test.chain.mine(30)
  for (let minutes = 0; minutes < 60; minutes += 5) {
    service.clock.advance(Math.max(5 * minuteMilliseconds, everySeconds * 1000))
    await queueDue(service.services)
  }
  expect(await jobsOf(owner)).toHaveLength(2)
  const late = await scheduleOf(owner, id)
  expect(late).toMatchObject({ state: 'OVERDUE', nextAt: null })
  expect(late.lagSeconds).toBeGreaterThanOrEqual(3600)
  const status = await owner.client.getOperatingSystemStatus()
  expect(status.body.data.freshness).toContainEqual({
    task: 'VENUE_INDEX',
    late: 0,
    overdue: 1,
    blocked: 0,
    worstLagSeconds: late.lagSeconds,
  })

  await work(service, owner)
  expect(await scheduleOf(owner, id)).toMatchObject({ state: 'ON_TIME', lagSeconds: 0 })
  const ranges = await rangesOf(owner, id)
  expect(ranges.length).toBeGreaterThanOrEqual(2)
  for (const [itemIndex, [from]] of ranges.entries()) {
    if (itemIndex > 0) expect(from).toBe(ranges[itemIndex - 1]![1] + 1)
  }
})

it('finds the records of every kind that is kept by an index over these kinds alone', async () => {
  const service = await serviceForTest()
  const { schedules } = await service.services.families()
  const { rows } = await service.database.pool.query(
    `select indexdef from pg_indexes where indexname = 'record_heads_kept'`,
  )
  for (const type of [...schedules.map((schedule) => schedule.type), 'ScheduleSetting'] as const) {
    expect(rows[0].indexdef).toContain(`'${idPrefixes[type]}'::text`)
  }
})

const everyMinute = { read: { ...venueBody(0).payload.read, cadenceSeconds: 60 } }

/** Runs the schedule of a venue so many seconds later. The chain goes on as the clock does, or stands still until then. */
async function runLater(
  { service, owner, id }: Awaited<ReturnType<typeof watched>>,
  { seconds, isLate = false }: { seconds?: number; isLate?: boolean } = {},
) {
  const { publicClient, testClient } = test.chain
  const later = seconds ?? (await scheduleOf(owner, id)).everySeconds
  const head = Number((await publicClient.getBlock()).timestamp)
  const ahead = head * 1000 - service.clock.read()
  service.clock.advance(Math.max(0, ahead) + later * 1000)
  await testClient.setBlockTimestampInterval({ interval: 1 })
  const timestamp = isLate ? head + 1 : Math.floor(service.clock.read() / 1000)
  await testClient.setNextBlockTimestamp({ timestamp: BigInt(timestamp) })
  // The final block is the 64th behind the head.
  await testClient.mine({ blocks: 70 })
  await queueDue(service.services)
  await work(service, owner)
  return (await jobsOf(owner))[0]!.result
}

it('seals an idle market at each run while its last sealed block is nearly too old for a map', async () => {
  const scene = await watched(everyMinute)
  await runLater(scene)
  expect(await runLater(scene)).toMatchObject({ reason: 'NOTHING_HAPPENED' })
  const late = await runLater(scene, { seconds: limits.mapFreshSeconds, isLate: true })
  expect(late).toMatchObject({ observation: { id: expect.any(String) } })
  expect(await rangesOf(scene.owner, scene.id)).toHaveLength(2)
})

it('seals nothing of an idle market for five minutes, and then all of it at once', async () => {
  const scene = await watched(everyMinute)
  const { service, owner, id } = scene
  expect(await runLater(scene)).toMatchObject({ observation: { id: expect.any(String) } })
  const [first] = await rangesOf(owner, id)
  const idle = await runLater(scene)
  expect(idle).toMatchObject({ observation: null, reason: 'NOTHING_HAPPENED' })
  expect(await rangesOf(owner, id)).toEqual([first])
  expect(await scheduleOf(owner, id)).toMatchObject({ state: 'ON_TIME', lagSeconds: 0 })
  await runLater(scene, { seconds: 5 * 60 })
  const [, second, ...others] = await rangesOf(owner, id)
  expect([second![0], others]).toEqual([first![1] + 1, []])
  expect(second![1]).toBeGreaterThan(first![1] + 30)

  // Nobody asked for these runs: the table of jobs tells of them, and the events tell what they sealed.
  await waitForEvents(service)
  const events = (await owner.client.listEvents({ query: { limit: 100 } })).body.data.events
  const kinds = events.map(({ kind }) => kind)
  expect(kinds).not.toContain('venue.index_queued')
  expect(kinds.filter((kind) => kind === 'venue.indexed')).toHaveLength(2)
  const { database, artifacts } = service.services
  expect((await verifyHistory(database, owner.organizationId, artifacts)).faults).toEqual([])

  // A person who asks for a run gets its observation.
  await test.chain.mine(5)
  await owner.client.queueVenueIndex({
    params: { id },
    body: { payload: { mode: 'FULL' }, reason: 'For the test' },
  } as never)
  await work(service, owner)
  expect(await rangesOf(owner, id)).toHaveLength(3)
})

it('queues one job under concurrency, and the next one an interval later', async () => {
  const { service, owner, id } = await watched()
  const other = await anotherNode(service)
  const { everySeconds } = await scheduleOf(owner, id)
  await queueDue(service.services)
  const before = await jobsOf(owner)
  service.clock.advance(everySeconds * 1000)
  await Promise.all([service, other, service, other].map((node) => queueDue(node.services)))
  expect((await jobsOf(owner)).length - before.length).toBe(1)
  await work(service, owner)
  await queueDue(service.services)
  expect((await jobsOf(owner)).length - before.length).toBe(1)
  service.clock.advance(everySeconds * 1000)
  await queueDue(service.services)
  expect((await jobsOf(owner)).length - before.length).toBe(2)
})

it('reads no venue that is paused, and says so', async () => {
  const { service, owner, id } = await watched()
  const { body } = await owner.client.getVenues({ params: { id } })
  await owner.client.supersedeVenues({
    params: { id },
    ifMatch: body.data.resourceVersion,
    body: { status: 'PAUSED', reason: 'To see it rest' },
  })
  service.clock.advance(hourMilliseconds)
  await queueDue(service.services)
  expect(await jobsOf(owner)).toEqual([])
  expect(await scheduleOf(owner, id)).toMatchObject({ state: 'OFF', nextAt: null })
})

it('says why a venue is not read, and waits longer after a failure', async () => {
  const { service, owner, id } = await watched()
  const { everySeconds } = await scheduleOf(owner, id)
  service.clock.advance(everySeconds * 1000)
  await queueDue(service.services)
  await service.database.tenant(owner.organizationId, [
    {
      text: `update jobs set status = 'FAILED', finished_at = ${service.clock.read()},
        error = '{"code":"LIQUIDITY_CHAIN_UNAVAILABLE","message":"away","retryable":true}'`,
    },
  ])
  const blocked = await scheduleOf(owner, id)
  expect(blocked).toMatchObject({ state: 'BLOCKED', cause: 'LIQUIDITY_CHAIN_UNAVAILABLE' })
  expect(Date.parse(blocked.nextAt!) - service.clock.read()).toBe(2 * everySeconds * 1000)
  service.clock.advance(2 * everySeconds * 1000 - 1)
  await queueDue(service.services)
  expect(await jobsOf(owner)).toHaveLength(1)
  service.clock.advance(1)
  await queueDue(service.services)
  expect(await jobsOf(owner)).toHaveLength(2)
})

it('queues the due jobs of every venue and every organization', async () => {
  const { service, owner } = await watched()
  await owner.client.createVenues({
    body: { ...pairBody(test), status: 'VALIDATED' },
  } as never)
  const second = await newOrganization(service)
  await validatedPool(second, test)
  service.clock.advance(hourMilliseconds)
  await queueDue(service.services)
  expect(await jobsOf(owner)).toHaveLength(2)
  expect(await jobsOf(second)).toHaveLength(1)
})

describe('what an operator sets', () => {
  type Schedule = Awaited<ReturnType<TestMember['client']['listSchedules']>>['body']['data'][number]
  const watching = { task: 'VENUE_INDEX' }
  const listed = async ({ client }: TestMember, query = {}) =>
    (await client.listSchedules({ query })).body.data
  const change = (by: TestMember, { id, resourceVersion }: Schedule, body: object) =>
    callOperation<Schedule>(by, 'changeSchedule', {
      params: { id },
      ifMatch: resourceVersion,
      body: { reason: 'For the test', ...body },
    })

  it('turns a schedule off and on, and nothing runs in between', async () => {
    const { service, owner, id } = await watched()
    const [before] = await listed(owner, watching)
    expect(before).toMatchObject({
      id: `VENUE_INDEX:${id}`,
      state: 'ON_TIME',
      setEverySeconds: null,
      jobId: null,
    })
    const off = await change(owner, before!, { state: 'OFF' })
    expect([off.status, off.data.state, off.data.nextAt]).toEqual([200, 'OFF', null])
    expect(off.headers.get('etag')).toBe(`"${off.data.resourceVersion}"`)
    service.clock.advance(hourMilliseconds)
    await queueDue(service.services)
    expect(await jobsOf(owner)).toEqual([])
    expect(await listed(owner, { ...watching, state: 'OFF' })).toEqual([
      { ...off.data, lagSeconds: off.data.lagSeconds + 3600 },
    ])

    const stale = await change(owner, before!, { state: 'ON' })
    expect([stale.status, stale.code]).toEqual([412, 'LIQUIDITY_PRECONDITION_FAILED'])
    expect((await change(owner, off.data, { state: 'ON' })).status).toBe(200)
    await queueDue(service.services)
    const [job] = await jobsOf(owner)
    expect((await listed(owner, watching))[0]).toMatchObject({ jobId: job!.id, nextAt: null })
  })

  it('changes the interval of one subject, until it is as it comes again', async () => {
    const { service, owner } = await watched()
    const [before] = await listed(owner, watching)
    const slower = await change(owner, before!, { everySeconds: 7200 })
    expect(slower.data).toMatchObject({ everySeconds: 7200, setEverySeconds: 7200 })
    for (let half = 0; half < 8; half += 1) {
      service.clock.advance(hourMilliseconds / 2)
      await queueDue(service.services)
      await service.database.tenant(owner.organizationId, [
        { text: `update jobs set status = 'COMPLETED', finished_at = created_at` },
      ])
    }
    expect(await jobsOf(owner)).toHaveLength(2)
    const reset = await change(owner, slower.data, { everySeconds: null })
    expect(reset.data).toMatchObject({ everySeconds: before!.everySeconds, setEverySeconds: null })
    const refused = await change(owner, reset.data, { everySeconds: 59 })
    expect([refused.status, Object.keys(refused.fieldErrors)]).toEqual([400, ['everySeconds']])
    expect((await change(owner, reset.data, {})).status).toBe(400)
  })

  it('requires the operate permission; a viewer sees the status, and not the job', async () => {
    const { service, owner } = await watched()
    service.clock.advance(hourMilliseconds)
    await queueDue(service.services)
    const viewer = await newMember(service, owner.organizationId, 'VIEWER')
    const [own] = await listed(owner, watching)
    expect(own!.jobId).not.toBeNull()
    expect(await listed(viewer, watching)).toEqual([{ ...own, jobId: null }])
    expect((await change(viewer, own!, { state: 'OFF' })).status).toBe(403)
    const foreignOwner = await newOrganization(service)
    expect(await listed(foreignOwner)).toEqual([])
    expect((await change(foreignOwner, own!, { state: 'OFF' })).status).toBe(404)
  })
})

it('probes a chain provider, and reports failure, escalation and recovery', async () => {
  let behave: Behaviour = honest
  const proxy = await startProviderProxy(test.chain.rpcUrl, (call, forward) =>
    behave(call, forward),
  )
  onTestFinished(() => proxy.stop())
  const service = await serviceForTest({
    OUTBOUND_ALLOW: hostOf(proxy.url),
    PROVIDER_PROBE_SECONDS: '60',
  })
  const owner = await newOrganization(service)
  await owner.client.putOperatingSystemProvider({ body: providerBody(proxy.url) })
  const probe = async () => {
    service.clock.advance(hourMilliseconds)
    await queueDue(service.services)
    const workers = await startWorkers(service.services)
    await until('the probe has ended', async () => {
      const { data } = (await owner.client.listOperatingSystemJobs()).body
      return data.length > 0 && data.every(({ finishedAt }) => finishedAt)
    })
    await workers.stop()
  }
  const alerts = async () =>
    (await callOperation<Alert[]>(owner, 'listAlertsV2')).data.map(
      ({ kind, severity, occurrences }) => [...[kind, severity, occurrences]],
    )
  await probe()
  expect(await alerts()).toEqual([])

  behave = async () => ({ error: { code: -32000, message: 'gone' } })
  await probe()
  expect(await alerts()).toEqual([['PROVIDER_DOWN', 'WARNING', 1]])
  const [first] = (await callOperation<Alert[]>(owner, 'listAlertsV2')).data
  await probe()
  await probe()
  expect(await alerts()).toEqual([['PROVIDER_DOWN', 'CRITICAL', 3]])
  expect((await callOperation<Alert[]>(owner, 'listAlertsV2')).data[0]).toMatchObject({
    id: first!.id,
    openedAt: first!.openedAt,
  })
  behave = honest
  await probe()
  expect(await alerts()).toEqual([])
})
