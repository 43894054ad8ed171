// @module-tag postgres

import { describe, expect } from 'vitest'
import { selectDue } from '../src/integrations/webhooks/due-deliveries.ts'
import { retryDelaysMilliseconds } from '../src/integrations/webhooks/retry-schedule.ts'
import { WebhookDispatcher } from '../src/integrations/webhooks/webhook-dispatcher.ts'
import { limits } from '../src/limits.ts'
import { dayMilliseconds } from '../src/units.ts'
import { venueBody } from './support/bodies.ts'
import { hostOf } from './support/chain.ts'
import { started, test } from './support/fixtures.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { newOrganization, type TestMember, type TestService } from './support/service.ts'
import { until } from './support/until.ts'

const it = test
  .extend('receiver', { scope: 'file' }, started(startReceiver))
  .extend('settings', { scope: 'file' }, ({ receiver }) => ({
    OUTBOUND_ALLOW: hostOf(receiver.url),
  }))
  .extend('dispatcher', { scope: 'file' }, ({ service }) => new WebhookDispatcher(service.services))

it.afterEach(async ({ service, receiver }) => {
  await service.database.pool.query('delete from webhook_deliveries')
  receiver.received.length = 0
  receiver.answer = () => 200
})

const subscribe = async (
  receiver: Receiver,
  by: TestMember,
  eventKinds: string[],
): Promise<string> => {
  const { body } = await by.client.createWebhooks({
    body: { payload: { url: `${receiver.url}/hook`, eventKinds }, reason: 'For the test' },
  })
  return body.data.webhook.id
}

/** Deliveries that wait, as if so much had been committed; `subject` names whom the n-th is about. */
const fill = (
  service: TestService,
  { organizationId }: TestMember,
  webhookId: string,
  { count, subject }: { count: number; subject: string },
) =>
  service.database.pool.query(
    `insert into webhook_deliveries (organization_id, webhook_id, subject_id, event_sequence, message_id, status,
        attempts, next_attempt_at, created_at)
      select $1, $2, ${subject}, n, 'evt_' || n, 'WAITING', 0, n, n from generate_series(1, $3::integer) as n`,
    [organizationId, webhookId, count],
  )

interface Plan {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/** Rows that the parts of a plan came upon, taken or not. */
const rowsOf = (plan: Plan): number =>
  (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'] +
  (plan.Plans ?? []).reduce((sum, part) => sum + rowsOf(part), 0)

async function look(service: TestService): Promise<{ met: number; taken: number }> {
  // As the server does by itself, a while after so much has changed.
  await service.database.pool.query('vacuum analyze webhook_deliveries')
  const at = { now: service.clock.read(), leased: Date.now() }
  const { text } = selectDue(at, { organizations: [], hosts: [] })
  const { rows } = await service.database.pool.query(`explain (analyze, format json) ${text}`)
  const [{ Plan: plan }] = JSON.parse((rows[0] as { 'QUERY PLAN': string })['QUERY PLAN']) as [
    { Plan: Plan },
  ]
  return { met: rowsOf(plan), taken: plan['Actual Rows'] }
}

describe('a check for due work', () => {
  it('reads at most its limit for any backlog', async ({ service, receiver }) => {
    const by = await newOrganization(service)
    const webhookId = await subscribe(receiver, by, ['alert.opened'])
    await fill(service, by, webhookId, { count: 2_000, subject: `'few_' || n` })
    const few = await look(service)
    expect(few.taken).toBe(limits.webhookBatchPerReceiver)
    await fill(service, by, webhookId, { count: 20_000, subject: `'many_' || n` })
    const many = await look(service)
    expect(many.taken).toBe(few.taken)
    expect(many.met).toBeLessThanOrEqual(few.met)
  })

  it('reads no rows of a backlog that is not due', async ({ service, receiver }) => {
    const by = await newOrganization(service)
    const webhookId = await subscribe(receiver, by, ['alert.opened'])
    await fill(service, by, webhookId, { count: 2_000, subject: `'later_' || n` })
    await service.database.pool.query('update webhook_deliveries set next_attempt_at = $1', [
      service.clock.read() + dayMilliseconds,
    ])
    const { met, taken } = await look(service)
    expect(taken).toBe(0)
    expect(met).toBeLessThan(20)
  })
})

describe('what waits for an earlier event of its subject', () => {
  const change = async (by: TestMember, venue: { id: string; resourceVersion: string }) =>
    (
      await by.client.supersedeVenues({
        params: { id: venue.id },
        ifMatch: venue.resourceVersion,
        body: { payload: { tags: [venue.resourceVersion.slice(-6)] }, reason: 'A change' },
      })
    ).body.data
  const types = (receiver: Receiver) => receiver.received.map(({ body }) => JSON.parse(body).type)
  const times = async (service: TestService) =>
    (
      await service.database.pool.query(
        `select next_attempt_at::text as at from webhook_deliveries where status = 'WAITING' order by event_sequence`,
      )
    ).rows.map((row) => Number((row as { at: string }).at))

  it('is due no earlier than that one, and at once when that one has come', async ({
    service,
    receiver,
    dispatcher,
  }) => {
    const by = await newOrganization(service)
    const webhookId = await subscribe(receiver, by, ['venue.created', 'venue.changed'])
    receiver.answer = () => 500
    const created = (await by.client.createVenues({ body: venueBody(1) })).body.data
    const second = await change(by, created)
    await dispatcher.dispatch()
    const third = await change(by, second)
    const [first = 0, ...behind] = await times(service)
    expect(first).toBeGreaterThan(service.clock.read())
    expect(behind).toEqual([first, first])
    expect(await look(service)).toMatchObject({ taken: 0 })
    expect(types(receiver)).toEqual(['venue.created'])

    receiver.answer = () => 200
    const { messageId } = (
      await by.client.listWebhookDeliveries({ params: { id: webhookId } })
    ).body.data.find(({ attempts }) => attempts > 0)!
    await by.client.resendWebhookDelivery({
      params: { id: webhookId, messageId },
      body: { reason: 'The receiver is back' },
    })
    await dispatcher.dispatch()
    expect(types(receiver)).toEqual([
      'venue.created',
      'venue.created',
      'venue.changed',
      'venue.changed',
    ])
    expect(third.id).toBe(created.id)
  })

  it('is not put off by a worker that comes too late to say how its attempt ended', async ({
    service,
    receiver,
    dispatcher,
  }) => {
    const by = await newOrganization(service)
    await subscribe(receiver, by, ['venue.created', 'venue.changed'])
    receiver.answer = () => 'HANG'
    const created = (await by.client.createVenues({ body: venueBody(3) })).body.data
    const late = dispatcher.dispatch()
    await until('the first attempt', () => types(receiver).length === 1)
    // Another worker takes it over, as after a lease that ran out, and delivers it.
    await service.database.pool.query(
      `update webhook_deliveries set attempts = attempts + 1, status = 'DELIVERED', lease_until = null`,
    )
    await change(by, created)
    receiver.answer = () => 200
    receiver.release()
    await late
    await dispatcher.dispatch()
    expect(types(receiver)).toEqual(['venue.created', 'venue.changed'])
  })

  it('has its own schedule', async ({ service, receiver, dispatcher }) => {
    const by = await newOrganization(service)
    await subscribe(receiver, by, ['venue.created', 'venue.changed'])
    receiver.answer = ({ body }) => (JSON.parse(body).type === 'venue.changed' ? 500 : 200)
    const created = (await by.client.createVenues({ body: venueBody(2) })).body.data
    await change(by, created)
    await dispatcher.dispatch()
    expect(types(receiver)).toEqual(['venue.created', 'venue.changed'])
    receiver.answer = () => 200
    service.clock.advance(retryDelaysMilliseconds[0]! / 2)
    await dispatcher.dispatch()
    expect(types(receiver)).toHaveLength(2)
    service.clock.advance(retryDelaysMilliseconds[0]!)
    await dispatcher.dispatch()
    expect(types(receiver)).toEqual(['venue.created', 'venue.changed', 'venue.changed'])
  })
})
