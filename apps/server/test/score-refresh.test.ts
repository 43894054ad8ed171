// @module-tag postgres

import { expect } from 'vitest'
import { queueDue } from '../src/jobs/schedules.ts'
import { startWorkers } from '../src/service.ts'
import { dayMilliseconds, hourMilliseconds } from '../src/units.ts'
import { hostOf } from './support/chain.ts'
import { started, test } from './support/fixtures.ts'
import { waitForEvents } from './support/published-events.ts'
import { callOperation } from './support/requests.ts'
import {
  activate,
  indexTo,
  observedVenues,
  type Score,
  score,
  scoreRequest,
  startTradedChain,
  tradeOnAndOn,
} from './support/scoring.ts'
import type { TestMember, TestService } from './support/service.ts'
import { until } from './support/until.ts'

const it = test
  .extend('testChain', { scope: 'file' }, started(startTradedChain))
  .extend('settings', { scope: 'file' }, async ({ testChain }) => {
    // The market is as lively until two in the afternoon, which is when it is asked again.
    const { timestamp } = await testChain.chain.publicClient.getBlock()
    const swaps = (Date.parse('2026-01-05T14:00:00Z') / 1000 - Number(timestamp)) / 120
    await tradeOnAndOn(testChain.markets, swaps)
    await testChain.chain.mine(70)
    return {
      OUTBOUND_ALLOW: hostOf(testChain.chain.rpcUrl),
      SCORE_REFRESH_SECONDS: '21600',
    }
  })
  .extend('venues', { scope: 'file', auto: true }, async ({ service, testChain, owner }) => {
    const { pool, pair } = await observedVenues(service, owner, testChain)
    const venues = [pool, pair]
    // Days pass here; that sessions end is another file's subject.
    await service.database.global([
      { text: `update sessions set expires_at = 9999999999999 where user_id = '${owner.userId}'` },
    ])
    return venues
  })

const scoresOf = async (owner: TestMember) =>
  (await owner.client.listScores({ query: { order: 'OLDEST' } })).body.data as unknown as Score[]
const schedules = async (owner: TestMember) =>
  (await owner.client.listSchedules({ query: { task: 'SCORE_REFRESH' } })).body.data

/** Lets what is due be queued, and works until it has ended. */
async function refresh(
  service: TestService,
  owner: TestMember,
): Promise<{ result?: unknown; status: string }> {
  await queueDue(service.services)
  const workers = await startWorkers(service.services)
  const job = await until('the score was measured again', async () => {
    const jobs = (await owner.client.listOperatingSystemJobs()).body.data
    return jobs.find(({ kind, finishedAt }) => kind === 'SCORE_REFRESH' && finishedAt)
  })
  await workers.stop()
  return job
}

it('an active score is refreshed automatically, with the same settings', async ({
  service,
  testChain,
  owner,
  venues,
}) => {
  const { data: first } = await score(
    owner,
    scoreRequest(testChain, venues, { window: testChain.window }),
  )
  expect((await activate(owner, first)).status).toBe(200)
  // Nobody asked for it to be kept active.
  expect(await schedules(owner)).toEqual([])

  const { data: second } = await score(
    owner,
    scoreRequest(testChain, venues, { window: testChain.window }),
  )
  const kept = (await activate(owner, second, { keepActive: true })).data
  expect(kept.payload).toMatchObject({ keepActive: true })
  const [schedule] = await schedules(owner)
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
  expect(await refresh(service, owner)).toMatchObject({
    status: 'COMPLETED',
    result: { isActivated: true },
  })

  const [, retired, fresh] = await scoresOf(owner)
  expect([retired!.id, retired!.status]).toEqual([second.id, 'RETIRED'])
  expect(fresh).toMatchObject({ status: 'ACTIVE', payload: { keepActive: true } })
  const span = ({ payload: { window } }: Score) => Date.parse(window.to) - Date.parse(window.from)
  expect(span(fresh!)).toBe(span(second))
  expect(Date.parse(fresh!.payload.window.to)).toBe(service.clock.read())
  expect(Date.parse(fresh!.payload.validUntil)).toBe(service.clock.read() + 7 * dayMilliseconds)
  expect(await schedules(owner)).toMatchObject([
    { subject: { id: fresh!.id }, everySeconds: 7200, setEverySeconds: 7200 },
  ])
  await waitForEvents(service)
  const { data: events } = await callOperation(owner, 'listEvents', {
    query: { kind: 'score.activated' },
  })
  expect((events as { events: { payload: object }[] }).events.at(-1)?.payload).toMatchObject({
    previous: { id: second.id },
  })
})

it('a score with too little evidence replaces no other, and is stored', async ({
  service,
  owner,
}) => {
  const before = await scoresOf(owner)
  const active = before.at(-1)!
  // Nothing was read of the market since.
  service.clock.advance(10 * hourMilliseconds)
  expect(await refresh(service, owner)).toMatchObject({ status: 'COMPLETED' })
  const after = await scoresOf(owner)
  expect(after).toHaveLength(before.length + 1)
  expect(after.at(-1)!.status).not.toBe('ACTIVE')
  expect(after.find(({ id }) => id === active.id)!.status).toBe('ACTIVE')
})
