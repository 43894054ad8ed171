// @module-tag long
// @module-tag postgres
// @covers apps/server/src/families/intelligence/alerts

import { describe, expect } from 'vitest'
import type { Alert } from '../src/families/intelligence/alerts/alert.ts'
import { type Behaviour, honest } from '../src/integrations/chain/testing/provider-proxy.ts'
import { limits } from '../src/limits.ts'
import type { ObservationRecord } from '../src/market/completed-observations.ts'
import { recordsOf } from './support/admissible.ts'
import { hostOf, poolBody, providerBody } from './support/chain.ts'
import { proxied, started, test } from './support/fixtures.ts'
import { callOperation, type TestResponse } from './support/requests.ts'
import {
  observedVenues,
  score,
  scoreRequest,
  startTradedChain,
  storedScore,
  type VenueRef,
} from './support/scoring.ts'
import { newOrganization, signInAgain, type TestMember } from './support/service.ts'
import { until } from './support/until.ts'

let behave: Behaviour = honest
const it = test
  .extend('testChain', { scope: 'file' }, started(startTradedChain))
  .extend(
    'proxy',
    { scope: 'file' },
    proxied((call, forward) => behave(call, forward)),
  )
  .extend('settings', { scope: 'file' }, ({ testChain, proxy }) => ({
    OUTBOUND_ALLOW: hostOf(testChain.chain.rpcUrl, proxy.url),
  }))
  .extend('runsJobs', { scope: 'file' }, true)
  .extend('pool', { scope: 'file', auto: true }, async ({ service, testChain, owner }) => {
    const { pool } = await observedVenues(service, owner, testChain)
    return pool
  })

const alerts = (owner: TestMember, query: object = {}): Promise<TestResponse<Alert[]>> =>
  callOperation(owner, 'listAlertsV2', { query: query as never })
const ofKind = async (owner: TestMember, kind: string) =>
  (await alerts(owner)).data.filter((one) => one.kind === kind)
const index = (owner: TestMember, pool: VenueRef, mode: string) =>
  callOperation<{ id: string }>(owner, 'queueVenueIndex', {
    params: { id: pool.id },
    body: { payload: { mode }, reason: 'For the test' },
  })
const ended = (owner: TestMember, job: string) =>
  until('the job to end', async () => {
    const { body } = await owner.client.listOperatingSystemJobs()
    return body.data.find(({ id, finishedAt }) => id === job && finishedAt !== undefined)
  })

describe('alerts', () => {
  it('report a venue with inexact events, and not one with a state reading only', async ({
    service,
    testChain,
    owner,
    pool,
  }) => {
    expect(await ofKind(owner, 'VENUE_DIVERGENT')).toEqual([])
    await testChain.chain.mine(70)
    await ended(owner, (await index(owner, pool, 'STATE')).data.id)
    expect(await ofKind(owner, 'VENUE_DIVERGENT')).toEqual([])
    const records = recordsOf(service, owner)
    const { body } = await owner.client.listVenueObservations()
    const whole = body.data.find(({ payload, status }) => {
      return payload.venue.id === pool.id && status === 'COMPLETED'
    })
    const { payload } = whole as ObservationRecord
    const gap = { code: 'EVENT_GAP', detail: 'The events do not lead there.' }
    const { sealed, change } = records.create('VenueObservation', {
      status: 'PARTIAL',
      payload: { ...payload, continuity: { ...payload.continuity, proved: false }, gaps: [gap] },
      reason: 'For the test',
      event: 'venue.indexed',
    })
    await service.services.committer.commit(change)
    const [alert, ...others] = await ofKind(owner, 'VENUE_DIVERGENT')
    expect(others).toEqual([])
    expect(alert).toMatchObject({
      severity: 'WARNING',
      state: 'OPEN',
      evidenceHash: sealed.record.resourceVersion,
      subject: { venueId: pool.id },
    })
    // A later look at the state does not say that the events came out.
    service.clock.advance(1000)
    await testChain.chain.mine(70)
    await ended(owner, (await index(owner, pool, 'STATE')).data.id)
    expect(await ofKind(owner, 'VENUE_DIVERGENT')).toHaveLength(1)
  })

  it('report a venue that was never read, at first as a warning', async ({
    service,
    testChain,
    proxy,
  }) => {
    const other = await newOrganization(service)
    await callOperation(other, 'putOperatingSystemProvider', { body: providerBody(proxy.url) })
    const { body } = await other.client.createVenues({
      body: { ...poolBody(testChain), status: 'VALIDATED' },
    })
    const { id, payload } = body.data
    const open = async () =>
      (await callOperation<Alert[]>(other, 'listAlertsV2')).data.filter(
        ({ kind }) => kind === 'VENUE_STALE',
      )
    expect(await open()).toEqual([])
    const stale = Math.max(limits.alertStaleLeastSeconds, 3 * payload.read.cadenceSeconds) * 1000
    service.clock.advance(stale + 1)
    const expected = { state: 'OPEN', subject: { venueId: id } }
    expect(await open()).toMatchObject([{ ...expected, severity: 'WARNING' }])
    expect((await open())[0]!.title).toMatch(/has no observations\.$/)
    service.clock.advance(3 * stale)
    expect(await open()).toMatchObject([{ ...expected, severity: 'CRITICAL' }])
  })

  it('report an expired score of a pair until another is active', async ({
    service,
    testChain,
    owner,
    pool,
  }) => {
    const { data } = await score(
      owner,
      scoreRequest(testChain, [pool], { window: testChain.window }),
    )
    const over = new Date(service.clock.read() - 1000).toISOString()
    await storedScore(service, owner, { ...data.payload, validUntil: over }, 'EXPIRED')
    const [alert] = await ofKind(owner, 'SCORE_EXPIRED')
    expect(alert).toMatchObject({ severity: 'WARNING', state: 'OPEN', openedAt: over })
    await storedScore(service, owner, data.payload, 'ACTIVE')
    expect(await ofKind(owner, 'SCORE_EXPIRED')).toEqual([])
  })

  it('report a failed job until a similar one succeeds, page by page', async ({
    service,
    testChain,
    owner,
    proxy,
    pool,
  }) => {
    const known = await callOperation<{ resourceVersion: string }[]>(
      owner,
      'listOperatingSystemProviders',
    )
    const put = await callOperation(owner, 'putOperatingSystemProvider', {
      ifMatch: known.data[0]!.resourceVersion,
      body: providerBody(proxy.url),
    })
    expect([put.status, put.fieldErrors]).toEqual([200, {}])
    behave = async ({ method }, forward) =>
      method === 'eth_getLogs' ? { error: { code: -32603, message: 'out of order' } } : forward()
    const listFailures = async () =>
      (await ofKind(owner, 'JOB_FAILED')).map(({ severity, occurrences }) => [
        severity,
        occurrences,
      ])
    const rows: unknown[] = []
    for (let times = 0; times < 3; times += 1) {
      service.clock.advance(1)
      await ended(owner, (await index(owner, pool, 'FULL')).data.id)
      rows.push(...(await listFailures()))
    }
    // One alert, however often it fails.
    expect(rows).toEqual([
      ['WARNING', 1],
      ['WARNING', 2],
      ['CRITICAL', 3],
    ])
    const [failed] = await ofKind(owner, 'JOB_FAILED')
    // The pair tells the chain, by which a message about a test network is marked.
    const subject = { venueId: pool.id, pair: expect.stringMatching(/^31337\|0x/) }
    expect(failed).toMatchObject({ state: 'OPEN', subject })
    expect(failed!.title).toContain('Venue index failed')

    const first = await callOperation<Alert[]>(owner, 'listAlertsV2', {
      query: { limit: 1 } as never,
    })
    const all = (await alerts(owner)).data
    expect(all.length).toBeGreaterThan(1)
    const filtered = await owner.client.listAlertsV2({ query: { kind: 'JOB_FAILED' } })
    expect(filtered.body.data).toEqual(all.filter(({ kind }) => kind === 'JOB_FAILED'))
    expect((await owner.client.listAlertsV2({ query: { kind: 'NONE_SUCH' } })).body.data).toEqual(
      [],
    )
    const { body } = await owner.client.listAlertsV2({ query: { limit: 1 } })
    const second = await owner.client.listAlertsV2({
      query: { limit: 1, cursor: body.meta.nextCursor! },
    })
    expect([first.data[0]!.id, second.body.data[0]!.id]).toEqual(
      all.slice(0, 2).map(({ id }) => id),
    )

    behave = honest
    service.clock.advance(1000)
    await testChain.chain.mine(70)
    await ended(owner, (await index(owner, pool, 'FULL')).data.id)
    expect((await ofKind(owner, 'JOB_FAILED'))[0]).toMatchObject({
      id: failed!.id,
      state: 'RESOLVED',
    })
    service.clock.advance(31 * 86_400_000)
    await signInAgain(service, owner)
    expect(await ofKind(owner, 'JOB_FAILED')).toEqual([])
  })
})
