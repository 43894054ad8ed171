// @module-tag long
// @module-tag postgres
// @covers apps/server/src/families/platform/webhooks

import { openEvent, sealEvent } from '@liquidity-os/evidence'
import { expect } from 'vitest'
import { retryDelaysMilliseconds } from '../src/integrations/webhooks/retry-schedule.ts'
import { WebhookDispatcher } from '../src/integrations/webhooks/webhook-dispatcher.ts'
import { sql } from '../src/store/database/sql.ts'
import { dayMilliseconds, minuteMilliseconds } from '../src/units.ts'
import { bookmarkBody, venueBody } from './support/bodies.ts'
import { hostOf } from './support/chain.ts'
import { started, test } from './support/fixtures.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { newMember, newOrganization, type TestMember, type TestService } from './support/service.ts'

const it = test
  .extend('receiver', { scope: 'file' }, started(startReceiver))
  .extend('settings', { scope: 'file' }, ({ receiver }) => ({
    OUTBOUND_ALLOW: hostOf(receiver.url),
  }))
  .extend('dispatcher', { scope: 'file' }, ({ service }) => new WebhookDispatcher(service.services))

it.afterEach(({ receiver }) => {
  receiver.received.length = 0
  receiver.answer = () => 200
})

let number = 0
const subscribe = async (receiver: Receiver, by: TestMember, eventKinds: string[]) => {
  number += 1
  const path = `/hooks/${number}`
  const { body } = await by.client.createWebhooks({
    body: { payload: { url: `${receiver.url}${path}`, eventKinds }, reason: 'For the test' },
  })
  return { id: body.data.webhook.id, version: body.data.webhook.resourceVersion, path }
}
const save = async (service: TestService, by: TestMember) => {
  number += 1
  service.clock.advance(1)
  return (await by.client.savePlatformProject({ body: bookmarkBody(number) })).body.data.id
}
const saveMany = async (service: TestService, by: TestMember, count: number) => {
  const ids: string[] = []
  while (ids.length < count) ids.push(await save(service, by))
  return ids
}

/** As if so much had happened: copies of the first event, each under a subject of its own. */
async function appendEvents(
  service: TestService,
  { organizationId }: TestMember,
  count: number,
): Promise<void> {
  const [rows] = await service.database.tenant(organizationId, [
    sql`select body from events where organization_id = ${organizationId}`,
  ])
  const { evidenceHash: _, ...first } = openEvent(rows![0]!.body!)
  const copies = Array.from({ length: count }, (_, index) => {
    const id = `${first.subject.id}${index}`
    return sealEvent({ ...first, id: `${first.id}${index}`, subject: { ...first.subject, id } })
  })
  await service.database.pool.query(
    `insert into events select e.organization_id, copy.subject_id, 1, copy.body, kind, at, era, transaction_id,
        e.ordinal + copy.ordinal
      from events e, unnest($2::text[], $3::text[]) with ordinality as copy (subject_id, body, ordinal)
      where e.organization_id = $1`,
    [organizationId, copies.map(({ event }) => event.subject.id), copies.map(({ text }) => text)],
  )
}

/** The last minutes, as a receiver that was away would name them. */
const lately = (service: TestService, more: object = {}) => ({
  from: new Date(service.clock.read() - 10 * minuteMilliseconds).toISOString(),
  to: new Date(service.clock.read()).toISOString(),
  reason: 'The receiver was down',
  ...more,
})
async function replay(
  service: TestService,
  by: TestMember,
  id: string,
  body = lately(service),
  idempotencyKey?: string,
) {
  const { body: answer } = await by.client.replayWebhook({
    params: { id },
    body,
    ...(idempotencyKey ? { idempotencyKey } : {}),
  })
  return answer.data
}
const listed = async (by: TestMember, id: string, query: object = {}) =>
  (await by.client.listWebhookDeliveries({ params: { id }, query })).body.data
const arrivedAt = (receiver: Receiver, path: string) =>
  receiver.received
    .filter((seen) => seen.path === path)
    .map(({ body, headers }) => ({
      subject: JSON.parse(body).data.subject.id as string,
      id: headers['webhook-id'],
      replay: headers['webhook-replay'],
    }))
const subjectsAt = (receiver: Receiver, path: string) =>
  arrivedAt(receiver, path).map(({ subject }) => subject)

it('sends missed events, and events outside the earlier filter, to one receiver only', async ({
  service,
  receiver,
  dispatcher,
}) => {
  const by = await newOrganization(service)
  const early = await saveMany(service, by, 2)
  const [hook, other] = [
    await subscribe(receiver, by, ['platform_project.saved']),
    await subscribe(receiver, by, ['platform_project.saved']),
  ]
  const late = await saveMany(service, by, 2)
  await by.client.createVenues({ body: venueBody(number) })
  await dispatcher.dispatch()
  const before = arrivedAt(receiver, hook.path)
  expect(subjectsAt(receiver, hook.path).toSorted()).toEqual(late.toSorted())
  receiver.received.length = 0

  const replayed = await replay(service, by, hook.id)
  expect(replayed).toMatchObject({
    webhookId: hook.id,
    events: 4,
    hasMore: false,
    nextCursor: null,
  })
  const waiting = await listed(by, hook.id, { replayId: replayed.replayId })
  expect(waiting.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'WAITING'))
  await dispatcher.dispatch()
  expect(subjectsAt(receiver, hook.path).toSorted()).toEqual([...early, ...late].toSorted())
  expect(
    arrivedAt(receiver, hook.path).every((message) => message.replay === replayed.replayId),
  ).toBe(true)
  // What the receiver has seen it knows by its id.
  const again = arrivedAt(receiver, hook.path).filter(({ subject }) => late.includes(subject))
  expect(again.map(({ id }) => id).toSorted()).toEqual(before.map(({ id }) => id).toSorted())
  expect(arrivedAt(receiver, other.path)).toEqual([])
  const done = await listed(by, hook.id, { replayId: replayed.replayId })
  expect(done.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'DELIVERED'))
  expect(done.map(({ attempts }) => attempts).toSorted()).toEqual([1, 1, 2, 2])
})

it('is created once under one key, and leaves waiting deliveries unchanged', async ({
  service,
  receiver,
  dispatcher,
}) => {
  const by = await newOrganization(service)
  await saveMany(service, by, 2)
  const hook = await subscribe(receiver, by, ['platform_project.saved'])
  const saved = await save(service, by)
  const body = lately(service)
  const first = await replay(service, by, hook.id, body, 'replay-key-1')
  expect(await replay(service, by, hook.id, body, 'replay-key-1')).toEqual(first)
  await replay(service, by, hook.id, body)
  await dispatcher.dispatch()
  expect(arrivedAt(receiver, hook.path)).toHaveLength(3)
  const ordinary = (await listed(by, hook.id)).find(({ subjectId }) => subjectId === saved)
  expect(ordinary).toMatchObject({ replayId: null, attempts: 1 })
})

it('retries abandoned deliveries', async ({ service, receiver, dispatcher }) => {
  const by = await newOrganization(service)
  const hook = await subscribe(receiver, by, ['platform_project.saved'])
  // Days pass here; that sessions end is another file's subject.
  await service.database.global([
    { text: `update sessions set expires_at = 9999999999999 where user_id = '${by.userId}'` },
  ])
  receiver.answer = () => 503
  const body = lately(service, { to: new Date(service.clock.read() + 60_000).toISOString() })
  await save(service, by)
  for (const delay of [0, ...retryDelaysMilliseconds]) {
    service.clock.advance(delay * 1.2)
    await dispatcher.dispatch()
  }
  expect(await listed(by, hook.id)).toMatchObject([{ status: 'DEAD', attempts: 9 }])
  await replay(service, by, hook.id, body)
  await dispatcher.dispatch()
  expect(await listed(by, hook.id)).toMatchObject([{ status: 'WAITING', attempts: 10 }])
  receiver.answer = () => 200
  service.clock.advance(retryDelaysMilliseconds[0]! * 1.2)
  await dispatcher.dispatch()
  expect(await listed(by, hook.id)).toMatchObject([{ status: 'DELIVERED', attempts: 11 }])
})

it('contains the named kinds and window, within the filter of the webhook', async ({
  service,
  receiver,
  dispatcher,
}) => {
  const by = await newOrganization(service)
  const before = await save(service, by)
  service.clock.advance(20 * minuteMilliseconds)
  const hook = await subscribe(receiver, by, ['platform_project.saved', 'venue.created'])
  number += 1
  const venue = (await by.client.createVenues({ body: venueBody(number) })).body.data.id
  await save(service, by)
  await dispatcher.dispatch()
  receiver.received.length = 0
  await replay(service, by, hook.id, lately(service, { kinds: ['venue.created'] }))
  await dispatcher.dispatch()
  expect(subjectsAt(receiver, hook.path)).toEqual([venue])
  expect(subjectsAt(receiver, hook.path)).not.toContain(before)
  const { from, to } = lately(service)
  const refused: [object, string, RegExp][] = [
    [{ kinds: ['venue.creatd'] }, 'kinds.0', /nearest is venue.created$/],
    [{ kinds: ['venue.validated'] }, 'kinds.0', /must be an event kind of the webhook/],
    [{ from: to, to: from }, 'to', /not be before from/],
    [{ from: new Date(Date.parse(to) - 31 * dayMilliseconds).toISOString() }, 'to', /30 days/],
  ]
  for (const [more, member, message] of refused) {
    await expect(replay(service, by, hook.id, lately(service, more))).rejects.toMatchObject({
      status: 400,
      body: { error: { fieldErrors: { [member]: [expect.stringMatching(message)] } } },
    })
  }
})

it('continues in several requests if a window exceeds the limit', async ({ service, receiver }) => {
  const by = await newOrganization(service)
  await save(service, by)
  await appendEvents(service, by, 1100)
  const hook = await subscribe(receiver, by, ['platform_project.saved'])
  const body = lately(service)
  const first = await replay(service, by, hook.id, body)
  expect(first).toMatchObject({ events: 1000, hasMore: true })
  const after = first.nextCursor!
  expect(await replay(service, by, hook.id, { ...body, after } as never)).toMatchObject({
    events: 101,
    hasMore: false,
    nextCursor: null,
  })
  const elsewhere = await subscribe(receiver, by, ['platform_project.saved'])
  for (const [id, changed] of [
    [elsewhere.id, body],
    [hook.id, { ...body, kinds: ['platform_project.saved'], to: body.from }],
  ] as const) {
    await expect(replay(service, by, id, { ...changed, after } as never)).rejects.toMatchObject({
      status: 400,
      code: 'LIQUIDITY_CURSOR_INVALID',
      body: { error: { fieldErrors: { after: expect.anything() } } },
    })
  }
})

it('lets what happens now pass, half and half', async ({ service, receiver, dispatcher }) => {
  const by = await newOrganization(service)
  await saveMany(service, by, 24)
  const hook = await subscribe(receiver, by, ['platform_project.saved'])
  await replay(service, by, hook.id)
  const now = await saveMany(service, by, 6)
  await dispatcher.dispatch()
  const places = now.map((subject) => subjectsAt(receiver, hook.path).indexOf(subject))
  expect(subjectsAt(receiver, hook.path)).toHaveLength(30)
  // Behind all that was replayed they would be the last six.
  expect(Math.max(...places)).toBeLessThan(20)
})

it('is for those who may, and for a webhook that is active', async ({ service, receiver }) => {
  const by = await newOrganization(service)
  const hook = await subscribe(receiver, by, ['platform_project.saved'])
  const viewer = await newMember(service, by.organizationId, 'VIEWER')
  await expect(replay(service, viewer, hook.id)).rejects.toMatchObject({ status: 403 })
  const foreignOwner = await newOrganization(service)
  await expect(replay(service, foreignOwner, hook.id)).rejects.toMatchObject({ status: 404 })
  for (const [status, code] of [
    ['PAUSED', 'LIQUIDITY_WEBHOOK_NOT_ACTIVE'],
    ['REVOKED', 'LIQUIDITY_WEBHOOK_TERMINAL'],
  ] as const) {
    const { data } = (
      await by.client.supersedeWebhooks({
        params: { id: hook.id },
        ifMatch: hook.version,
        body: { status, reason: 'For the test' },
      })
    ).body
    hook.version = 'webhook' in data ? data.webhook.resourceVersion : data.resourceVersion
    await expect(replay(service, by, hook.id)).rejects.toMatchObject({ status: 409, code })
  }
})

it.runIf(process.env.DATABASE_URL)(
  'brings the newest too while another transaction is under way',
  async ({ service, receiver, dispatcher }) => {
    const by = await newOrganization(service)
    const hook = await subscribe(receiver, by, ['platform_project.saved'])
    const slow = await service.database.pool.connect()
    try {
      await slow.query('begin')
      await slow.query('select pg_current_xact_id()')
      const saved = await save(service, by)
      await dispatcher.dispatch()
      receiver.received.length = 0
      expect(await replay(service, by, hook.id)).toMatchObject({ events: 1, hasMore: false })
      await dispatcher.dispatch()
      expect(subjectsAt(receiver, hook.path)).toEqual([saved])
    } finally {
      await slow.query('rollback')
      slow.release()
    }
  },
)
