// @module-tag postgres

import { afterAll, beforeAll, expect, it } from 'vitest'
import { queueDue } from '../src/jobs/schedules.ts'
import { startWorkers } from '../src/service.ts'
import { dayMilliseconds, hourMilliseconds } from '../src/units.ts'
import { hostOf } from './support/chain.ts'
import { tell } from './support/requests.ts'
import {
  activate,
  indexTo,
  observedVenues,
  type Score,
  score,
  scoreRequest,
  startTradedChain,
  tradeOnAndOn,
  type VenueRef,
} from './support/scoring.ts'
import {
  newOrganization,
  startTestService,
  type TestMember,
  type TestService,
} from './support/service.ts'
import { eventsTold } from './support/told-events.ts'
import { until } from './support/until.ts'

let test: Awaited<ReturnType<typeof startTradedChain>>
let service: TestService
let owner: TestMember
let venues: VenueRef[]
beforeAll(async () => {
  test = await startTradedChain()
  // The market is as lively until two in the afternoon, which is when it is asked again.
  const { timestamp } = await test.chain.publicClient.getBlock()
  const swaps = (Date.parse('2026-01-05T14:00:00Z') / 1000 - Number(timestamp)) / 120
  await tradeOnAndOn(test.markets, swaps)
  await test.chain.mine(70)
  service = await startTestService({
    OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl),
    SCORE_REFRESH_SECONDS: '21600',
  })
  owner = await newOrganization(service)
  const { pool, pair } = await observedVenues(service, owner, test)
  venues = [pool, pair]
  // Days pass here; that sessions end is another file's subject.
  await service.database.global([
    { text: `update sessions set expires_at = 9999999999999 where user_id = '${owner.userId}'` },
  ])
})
afterAll(async () => {
  await service.stop()
  await test.chain.stop()
})

const scoresOf = async () =>
  (await owner.client.listScores({ query: { order: 'OLDEST' } })).body.data as unknown as Score[]
const schedules = async () =>
  (await owner.client.listSchedules({ query: { task: 'SCORE_REFRESH' } })).body.data

/** Lets what is due be queued, and works until it has ended. */
async function refresh(): Promise<{ result?: unknown; status: string }> {
  await queueDue(service.services)
  const workers = await startWorkers(service.services)
  const job = await until('the score was measured again', async () => {
    const jobs = (await owner.client.listOperatingSystemJobs()).body.data
    return jobs.find(({ kind, finishedAt }) => kind === 'SCORE_REFRESH' && finishedAt)
  })
  await workers.stop()
  return job
}

it('a score that is kept active is followed by a fresh one, by itself, with what was set for it', async () => {
  const { data: first } = await score(owner, scoreRequest(test, venues, { window: test.window }))
  expect((await activate(owner, first)).status).toBe(200)
  // Nobody asked for it to be kept active.
  expect(await schedules()).toEqual([])

  const { data: second } = await score(owner, scoreRequest(test, venues, { window: test.window }))
  const kept = (await activate(owner, second, { keepActive: true })).data
  expect(kept.payload).toMatchObject({ keepActive: true })
  const [schedule] = await schedules()
  expect(schedule).toMatchObject({
    task: 'SCORE_REFRESH',
    subject: { id: second.id },
    everySeconds: 21600,
    state: 'ON_TIME',
  })
  await owner.client.changeSchedule({
    params: { id: schedule!.id },
    ifMatch: schedule!.resourceVersion,
    body: { everySeconds: 7200, reason: 'A lively market' },
  })
  service.clock.advance(2 * hourMilliseconds)
  // What was sealed since then is part of the window.
  const workers = await startWorkers(service.services)
  for (const { id } of venues) await indexTo(owner, id)
  await workers.stop()
  expect(await refresh()).toMatchObject({ status: 'COMPLETED', result: { isActivated: true } })

  const [, retired, fresh] = await scoresOf()
  expect([retired!.id, retired!.status]).toEqual([second.id, 'RETIRED'])
  expect(fresh).toMatchObject({ status: 'ACTIVE', payload: { keepActive: true } })
  const span = ({ payload: { window } }: Score) => Date.parse(window.to) - Date.parse(window.from)
  expect(span(fresh!)).toBe(span(second))
  expect(Date.parse(fresh!.payload.window.to)).toBe(service.clock.read())
  expect(Date.parse(fresh!.payload.validUntil)).toBe(service.clock.read() + 7 * dayMilliseconds)
  expect(await schedules()).toMatchObject([
    { subject: { id: fresh!.id }, everySeconds: 7200, setEverySeconds: 7200 },
  ])
  await eventsTold(service)
  const { data: events } = await tell(owner, 'listEvents', { query: { kind: 'score.activated' } })
  expect((events as { events: { payload: object }[] }).events.at(-1)?.payload).toMatchObject({
    previous: { id: second.id },
  })
})

it('one that says too little takes nobody’s place, and is kept as what it is', async () => {
  const before = await scoresOf()
  const active = before.at(-1)!
  // Nothing was read of the market since.
  service.clock.advance(10 * hourMilliseconds)
  expect(await refresh()).toMatchObject({ status: 'COMPLETED' })
  const after = await scoresOf()
  expect(after).toHaveLength(before.length + 1)
  expect(after.at(-1)!.status).not.toBe('ACTIVE')
  expect(after.find(({ id }) => id === active.id)!.status).toBe('ACTIVE')
})
