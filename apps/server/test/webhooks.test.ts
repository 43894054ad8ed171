// @module-tag postgres

import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createClient } from '@liquidity-os/client'
import { describe, expect } from 'vitest'
import { runCommand } from '../src/cli/administer.ts'
import { compileSchema } from '../src/http/validators.ts'
import { retryDelaysMilliseconds } from '../src/integrations/webhooks/retry-schedule.ts'
import { WebhookDispatcher } from '../src/integrations/webhooks/webhook-dispatcher.ts'
import { purge } from '../src/jobs/purge.ts'
import { dayMilliseconds } from '../src/units.ts'
import { bookmarkBody, venueBody } from './support/bodies.ts'
import { hostOf } from './support/chain.ts'
import { conformingFetch } from './support/conforming-fetch.ts'
import { started, test } from './support/fixtures.ts'
import { startMailbox } from './support/mailbox.ts'
import { isVerified, type Received, type Receiver, startReceiver } from './support/receiver.ts'
import {
  anotherNode,
  newMember,
  newOrganization,
  type TestMember,
  type TestService,
} from './support/service.ts'
import { until } from './support/until.ts'

const it = test
  .extend('receiver', { scope: 'file' }, started(startReceiver))
  .extend('inside', { scope: 'file' }, started(startReceiver))
  .extend('mailbox', { scope: 'file' }, started(startMailbox))
  .extend('settings', { scope: 'file' }, ({ receiver, mailbox }) => ({
    SMTP_URL: mailbox.url,
    OUTBOUND_ALLOW: hostOf(receiver.url, byName(receiver)),
  }))
  .extend('dispatcher', { scope: 'file' }, ({ service }) => new WebhookDispatcher(service.services))

it.afterEach(async ({ service, receiver }) => {
  // A delivery of one test is none of the next one's business.
  await service.database.pool.query(
    `update webhook_deliveries set status = 'CANCELLED' where status = 'WAITING'`,
  )
  receiver.received.length = 0
  receiver.answer = () => 200
})

/** The same receiver as another host. */
const byName = (receiver: Receiver) => receiver.url.replace('127.0.0.1', 'localhost')

let number = 0
interface Subscriber extends TestMember {
  webhookId: string
  path: string
  secret: string
  version: string
}

/** An organization with one subscription on a path of its own. */
async function subscriber(
  service: TestService,
  receiver: Receiver,
  eventKinds: string[] = ['*'],
  at: string = receiver.url,
): Promise<Subscriber> {
  const member = await newOrganization(service)
  // These tests let days pass; that sessions end is another file's subject.
  await service.database.global([
    { text: `update sessions set expires_at = 9999999999999 where user_id = '${member.userId}'` },
  ])
  number += 1
  const path = `/hooks/${number}`
  const { body } = await member.client.createWebhooks({
    body: { payload: { url: `${at}${path}`, eventKinds }, reason: 'For the test' },
  })
  const { webhook, secret } = body.data
  return { ...member, webhookId: webhook.id, path, secret, version: webhook.resourceVersion }
}

async function change(by: Subscriber, body: object) {
  const answer = await by.client.supersedeWebhooks({
    params: { id: by.webhookId },
    ifMatch: by.version,
    body: { reason: 'For the test', ...body },
  })
  const { data } = answer.body
  const record = 'webhook' in data ? data.webhook : data
  by.version = record.resourceVersion
  return { record, secret: 'secret' in data ? data.secret : null }
}

const save = (by: TestMember) => {
  number += 1
  return by.client.savePlatformProject({ body: bookmarkBody(number) })
}
const receivedBy = (receiver: Receiver, { path }: Subscriber) =>
  receiver.received.filter((seen) => seen.path === path)
const typesOf = (seen: readonly Received[]) => seen.map(({ body }) => JSON.parse(body).type)

const command = (
  service: TestService,
  name: 'webhook.deliveries' | 'webhook.resend',
  input: object,
) =>
  runCommand(
    { database: service.database, config: service.config, now: service.clock.read() },
    name,
    input as never,
  )
async function deliveriesOf(service: TestService, by: Subscriber) {
  const input = { organizationId: by.organizationId, webhookId: by.webhookId }
  const { deliveries } = (await command(service, 'webhook.deliveries', input)) as {
    deliveries: { status: string; attempts: number; messageId: string; lastOutcome: string }[]
  }
  return deliveries
}

describe('a delivery', () => {
  it('verifies with the library of the standard, and fails after any change', async ({
    service,
    receiver,
    dispatcher,
  }) => {
    const by = await subscriber(service, receiver, ['platform_project.saved'])
    const saved = await save(by)
    await dispatcher.dispatch()
    const [message, ...more] = receivedBy(receiver, by)
    expect(more).toEqual([])
    const now = service.clock.read()
    expect(isVerified(message!, by.secret, now)).toBe(true)
    expect(isVerified({ ...message!, body: `${message!.body} ` }, by.secret, now)).toBe(false)
    const other = { ...message!.headers, 'webhook-id': 'event_other' }
    expect(isVerified({ ...message!, headers: other }, by.secret, now)).toBe(false)
    const body = JSON.parse(message!.body)
    expect(body).toMatchObject({
      type: 'platform_project.saved',
      data: { subject: { id: saved.body.data.id }, organizationId: by.organizationId },
    })
    expect(message!.headers['webhook-id']).toBe(body.data.id)
    expect(body.timestamp).toBe(body.data.occurredAt)
    expect(await deliveriesOf(service, by)).toMatchObject([{ status: 'DELIVERED', attempts: 1 }])
  })

  it('is marked by the chain of its record, which the event does not name', async ({
    service,
    receiver,
    dispatcher,
  }) => {
    const by = await subscriber(service, receiver, ['venue.created'])
    const marks: unknown[] = []
    for (const chainId of [31_337, 1]) {
      const body = venueBody(number)
      const pair = { ...body.payload.pair, chainId }
      const { status } = await by.client.createVenues({
        body: { ...body, payload: { ...body.payload, pair } },
      })
      expect(status).toBe(201)
      await dispatcher.dispatch()
      const message = receivedBy(receiver, by).at(-1)!
      expect(message.body).not.toContain('chainId')
      marks.push(message.headers['evidence-mark'])
    }
    expect(marks).toEqual(['SIMULATED;chains="31337"', undefined])
  })

  it('is sent to subscribers of its kind, in its organization only', async ({
    service,
    receiver,
    dispatcher,
  }) => {
    const [all, some, other] = [
      await subscriber(service, receiver),
      await subscriber(service, receiver, ['venue.created']),
      await subscriber(service, receiver),
    ]
    await save(all)
    await some.client.createVenues({ body: venueBody(1) })
    await save(some)
    await dispatcher.dispatch()
    expect(typesOf(receivedBy(receiver, all))).toEqual(['platform_project.saved'])
    expect(typesOf(receivedBy(receiver, some))).toEqual(['venue.created'])
    expect(receivedBy(receiver, other)).toEqual([])
  })

  it('keeps the order of one subject, and lets others pass', async ({
    service,
    receiver,
    dispatcher,
  }) => {
    const by = await subscriber(service, receiver, [
      'venue.created',
      'venue.changed',
      'platform_project.saved',
    ])
    receiver.answer = ({ body }) => (JSON.parse(body).type === 'venue.created' ? 500 : 200)
    const created = await by.client.createVenues({ body: venueBody(2) })
    await by.client.supersedeVenues({
      params: { id: created.body.data.id },
      ifMatch: created.body.data.resourceVersion,
      body: { payload: { tags: ['a'] }, reason: 'A change' },
    })
    await save(by)
    await dispatcher.dispatch()
    expect(typesOf(receivedBy(receiver, by)).sort()).toEqual([
      'platform_project.saved',
      'venue.created',
    ])
    receiver.answer = () => 200
    service.clock.advance(retryDelaysMilliseconds[0]! * 1.2)
    await dispatcher.dispatch()
    expect(typesOf(receivedBy(receiver, by)).slice(2)).toEqual(['venue.created', 'venue.changed'])
  })

  it('is made once, whichever of two nodes comes first', async ({
    service,
    receiver,
    dispatcher,
  }) => {
    const by = await subscriber(service, receiver, ['platform_project.saved'])
    const node = await anotherNode(service)
    const second = new WebhookDispatcher(node.services)
    await Promise.all(Array.from({ length: 30 }, () => save(by)))
    await Promise.all([dispatcher.dispatch(), second.dispatch()])
    await dispatcher.dispatch()
    const ids = receivedBy(receiver, by).map(({ headers }) => headers['webhook-id'])
    expect([ids.length, new Set(ids).size]).toEqual([30, 30])
  })

  it('outlives the process that committed the event', async ({ service, receiver }) => {
    const by = await subscriber(service, receiver, ['platform_project.saved'])
    await save(by)
    // Nobody was told of the commit: another process finds the event by looking.
    const node = await anotherNode(service)
    await new WebhookDispatcher(node.services).dispatch()
    expect(receivedBy(receiver, by)).toHaveLength(1)
  })

  it('outlives the process that had begun it', async ({ service, receiver, dispatcher }) => {
    const by = await subscriber(service, receiver, ['platform_project.saved'])
    receiver.answer = () => 'HANG'
    await save(by)
    const dead = new WebhookDispatcher((await anotherNode(service)).services)
    const abandoned = dead.dispatch()
    await until('the first attempt', () => receivedBy(receiver, by).length === 1)
    receiver.answer = () => 200
    await dispatcher.dispatch()
    expect(receivedBy(receiver, by)).toHaveLength(1)
    service.clock.advance(31_000)
    await dispatcher.dispatch()
    expect(receivedBy(receiver, by)).toHaveLength(2)
    expect(await deliveriesOf(service, by)).toMatchObject([{ status: 'DELIVERED', attempts: 2 }])
    // What the first process says once it is back no longer counts.
    receiver.release()
    await abandoned
    expect(await deliveriesOf(service, by)).toMatchObject([{ status: 'DELIVERED', attempts: 2 }])
  })

  it('is left to its worker by a node whose clock is one hour ahead', async ({
    service,
    receiver,
    dispatcher,
  }) => {
    const by = await subscriber(service, receiver, ['platform_project.saved'])
    receiver.answer = () => 'HANG'
    await save(by)
    const first = dispatcher.dispatch()
    await until('the first attempt', () => receivedBy(receiver, by).length === 1)
    const ahead = await anotherNode(service, {}, 3_600_000)
    await ahead.services.leaseClock.measure()
    receiver.answer = () => 200
    await new WebhookDispatcher(ahead.services).dispatch()
    expect(receivedBy(receiver, by)).toHaveLength(1)
    receiver.release()
    await first
  })

  /** Subscribes so many paths, whose receiver hangs, and saves so much that all of them have their places taken. */
  async function hang(by: Subscriber, receivers: number, at: (itemIndex: number) => string) {
    const paths = [by.path]
    while (paths.length < receivers) {
      number += 1
      paths.push(`/hooks/${number}`)
      const payload = { url: `${at(paths.length)}/hooks/${number}`, eventKinds: ['*'] }
      await by.client.createWebhooks({ body: { payload, reason: 'For the test' } })
    }
    for (let event = 0; event < 9; event += 1) await save(by)
    return paths
  }

  /** Delivers until so many hang, while another is served and none of those that hang is given up. */
  async function servedExtensions(
    service: TestService,
    receiver: Receiver,
    hanging: ReadonlySet<string>,
    max: number,
    other: Subscriber,
  ) {
    const own = new WebhookDispatcher(service.services)
    own.start()
    try {
      const hung = () => receiver.received.filter(({ path }) => hanging.has(path)).length
      await until('as many to hang as may', () => hung() >= max)
      await save(other)
      await until('the other to be delivered', () => receivedBy(receiver, other).length > 0)
      expect(hung()).toBe(max)
    } finally {
      receiver.release()
      receiver.answer = () => 200
      await own.stop()
    }
  }

  it('to seven receivers of one organization that all hang holds up no other organization', async ({
    service,
    receiver,
  }) => {
    const [slow, fast] = [await subscriber(service, receiver), await subscriber(service, receiver)]
    const hanging = new Set<string>()
    receiver.answer = ({ path }) => (hanging.has(path) ? 'HANG' : 200)
    const paths = await hang(slow, 7, (index) =>
      index % 2 === 0 ? receiver.url : byName(receiver),
    )
    for (const path of paths) hanging.add(path)
    await servedExtensions(service, receiver, hanging, 16, fast)
  })

  it('to a host that hangs for three organizations holds up no other host', async ({
    service,
    receiver,
  }) => {
    const fast = await subscriber(service, receiver)
    const hanging = new Set<string>()
    receiver.answer = ({ path }) => (hanging.has(path) ? 'HANG' : 200)
    for (let organization = 0; organization < 3; organization += 1) {
      const slow = await subscriber(service, receiver, ['*'], byName(receiver))
      for (const path of await hang(slow, 2, () => byName(receiver))) hanging.add(path)
    }
    await servedExtensions(service, receiver, hanging, 16, fast)
  })

  it('to a receiver that hangs holds up no other', async ({ service, receiver }) => {
    const [slow, quick] = [await subscriber(service, receiver), await subscriber(service, receiver)]
    receiver.answer = ({ path }) => (path === slow.path ? 'HANG' : 200)
    const running = new WebhookDispatcher(service.services)
    running.start()
    try {
      await Promise.all(Array.from({ length: 20 }, () => save(slow)))
      await until('the slow receiver to hang', () => receivedBy(receiver, slow).length > 0)
      await save(quick)
      await until(
        'the quick receiver to be served',
        () => receivedBy(receiver, quick).length === 1,
        10_000,
      )
      expect(receivedBy(receiver, slow).length).toBeLessThanOrEqual(8)
    } finally {
      receiver.answer = () => 200
      receiver.release()
      await running.stop()
    }
  })
})

describe('a failing receiver', () => {
  it('is retried on schedule, then the delivery fails and its owner is notified', async ({
    service,
    receiver,
    mailbox,
    dispatcher,
  }) => {
    const by = await subscriber(service, receiver, ['platform_project.saved'])
    receiver.answer = () => 503
    await save(by)
    await dispatcher.dispatch()
    for (const [index, delay] of retryDelaysMilliseconds.entries()) {
      expect(await deliveriesOf(service, by)).toMatchObject([
        { status: 'WAITING', attempts: index + 1 },
      ])
      service.clock.advance(delay - 1)
      await dispatcher.dispatch()
      expect(receivedBy(receiver, by)).toHaveLength(index + 1)
      service.clock.advance(Math.ceil(delay * 0.2) + 1)
      await dispatcher.dispatch()
      expect(receivedBy(receiver, by)).toHaveLength(index + 2)
    }
    const [delivery] = await deliveriesOf(service, by)
    expect(delivery).toMatchObject({ status: 'DEAD', attempts: 9, lastOutcome: 'RETRY' })
    const ids = receivedBy(receiver, by).map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids)).toEqual(new Set([delivery!.messageId]))
    const [rows] = await service.database.global([
      { text: `select email from users where id = '${by.userId}'` },
    ])
    const mail = await mailbox.mailTo(rows![0]!.email!)
    expect(mail.text).toContain(delivery!.messageId)
    service.clock.advance(dayMilliseconds)
    await dispatcher.dispatch()
    expect(receivedBy(receiver, by)).toHaveLength(9)
  })

  it.for([429, 503])(
    'is retried after %i not before its Retry-After',
    async (status, { service, receiver, dispatcher }) => {
      const by = await subscriber(service, receiver, ['platform_project.saved'])
      receiver.answer = () => ({ status, headers: { 'retry-after': '60' } })
      await save(by)
      await dispatcher.dispatch()
      service.clock.advance(59_999)
      await dispatcher.dispatch()
      expect(receivedBy(receiver, by)).toHaveLength(1)
      service.clock.advance(1)
      await dispatcher.dispatch()
      expect(receivedBy(receiver, by)).toHaveLength(2)
    },
  )

  it('gets a dead delivery again when it is re-sent, and only its own organization can', async ({
    service,
    receiver,
    dispatcher,
  }) => {
    const by = await subscriber(service, receiver, ['platform_project.saved'])
    receiver.answer = () => 500
    await save(by)
    for (const delay of [0, ...retryDelaysMilliseconds]) {
      service.clock.advance(delay * 1.2)
      await dispatcher.dispatch()
    }
    const [dead] = await deliveriesOf(service, by)
    expect(dead!.status).toBe('DEAD')
    receiver.answer = () => 200
    const { messageId } = dead!
    const foreignOwner = await newOrganization(service)
    await expect(
      command(service, 'webhook.resend', {
        organizationId: foreignOwner.organizationId,
        messageId,
      }),
    ).rejects.toThrow(`No delivery has the message ${messageId}.`)
    const resent = await command(service, 'webhook.resend', {
      organizationId: by.organizationId,
      messageId,
    })
    expect(resent).toEqual({ resent: 1 })
    await dispatcher.dispatch()
    expect(await deliveriesOf(service, by)).toMatchObject([{ status: 'DELIVERED', attempts: 10 }])
    expect(receivedBy(receiver, by).at(-1)!.headers['webhook-id']).toBe(messageId)
  })

  it('that answers 410 is paused, and its history says why', async ({
    service,
    receiver,
    dispatcher,
  }) => {
    const by = await subscriber(service, receiver, ['platform_project.saved'])
    receiver.answer = () => 410
    await save(by)
    await dispatcher.dispatch()
    const { body } = await by.client.getWebhooks({ params: { id: by.webhookId } })
    expect(body.data).toMatchObject({
      status: 'PAUSED',
      payload: { pausedBecause: 'GONE' },
      createdBy: { kind: 'SYSTEM' },
    })
    expect(await deliveriesOf(service, by)).toMatchObject([{ status: 'DEAD' }])
    receiver.answer = () => 200
    by.version = body.data.resourceVersion
    expect((await change(by, { status: 'ACTIVE' })).record).toMatchObject({ status: 'ACTIVE' })
    await save(by)
    await dispatcher.dispatch()
    expect(receivedBy(receiver, by)).toHaveLength(2)
  })

  it('that answers 410 is paused at once, also while the mail server hangs', async ({
    service,
    receiver,
  }) => {
    const waiting: Socket[] = []
    const silent = createServer((socket) => waiting.push(socket)).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const node = await anotherNode(service, { smtpUrl: `smtp://127.0.0.1:${port}` })
    const by = await subscriber(service, receiver, ['platform_project.saved'])
    receiver.answer = () => 410
    await save(by)
    const delivering = new WebhookDispatcher(node.services).dispatch()
    await until('a mail on its way', () => waiting.length > 0)
    const { body } = await by.client.getWebhooks({ params: { id: by.webhookId } })
    expect(body.data.status).toBe('PAUSED')
    expect(await deliveriesOf(service, by)).toMatchObject([{ status: 'DEAD' }])
    for (const socket of waiting) socket.destroy()
    await delivering
    silent.close()
  })

  it('that fails for five days is paused', async ({ service, receiver, dispatcher }) => {
    const by = await subscriber(service, receiver, ['platform_project.saved'])
    receiver.answer = () => 500
    await save(by)
    await dispatcher.dispatch()
    service.clock.advance(5 * dayMilliseconds)
    await save(by)
    await dispatcher.dispatch()
    const active = await by.client.getWebhooks({ params: { id: by.webhookId } })
    expect(active.body.data.status).toBe('ACTIVE')
    service.clock.advance(60_000)
    await dispatcher.dispatch()
    const { body } = await by.client.getWebhooks({ params: { id: by.webhookId } })
    expect(body.data).toMatchObject({ status: 'PAUSED', payload: { pausedBecause: 'FAILING' } })
  })

  it('that redirects to the inside is not followed', async ({
    service,
    receiver,
    inside,
    dispatcher,
  }) => {
    const by = await subscriber(service, receiver, ['platform_project.saved'])
    receiver.answer = () => ({ redirect: `${inside.url}/latest/meta-data` })
    await save(by)
    await dispatcher.dispatch()
    expect(inside.received).toEqual([])
    const { rows } = await service.database.pool.query(
      `select outcome, status, error_code from webhook_attempts where webhook_id = $1`,
      [by.webhookId],
    )
    expect(rows).toEqual([{ outcome: 'RETRY', status: '302', error_code: 'REDIRECT_NOT_FOLLOWED' }])
  })
})

describe('a subscription', () => {
  const subjectsOf = (receiver: Receiver, by: Subscriber) =>
    receivedBy(receiver, by).map(({ body }) => JSON.parse(body).data.subject.id as string)

  it('a resumed one gets waiting and later events, in order', async ({
    service,
    receiver,
    dispatcher,
  }) => {
    const by = await subscriber(service, receiver, ['platform_project.saved'])
    const saved: string[] = []
    const saveOne = async () => saved.push((await save(by)).body.data.id)
    await saveOne()
    await change(by, { status: 'PAUSED' })
    // One at a time is due: the order is that of the commits.
    for (let times = 0; times < 3; times += 1) {
      service.clock.advance(1)
      await saveOne()
    }
    await dispatcher.dispatch()
    expect(receivedBy(receiver, by)).toEqual([])
    const held = await by.client.listWebhookDeliveries({
      params: { id: by.webhookId },
      query: { status: 'HELD' },
    })
    expect(held.body.data.map(({ subjectId }) => subjectId)).toEqual(saved.slice(1).reverse())
    await change(by, { status: 'ACTIVE' })
    await dispatcher.dispatch()
    expect(subjectsOf(receiver, by).toSorted()).toEqual(saved.toSorted())
    await dispatcher.dispatch()
    expect(receivedBy(receiver, by)).toHaveLength(4)
  })

  it('resumed without the held events lists them as skipped', async ({
    service,
    receiver,
    dispatcher,
  }) => {
    const by = await subscriber(service, receiver, ['platform_project.saved'])
    await change(by, { status: 'PAUSED' })
    await save(by)
    await expect(change(by, { payload: { dropHeld: true } })).rejects.toMatchObject({ status: 400 })
    await change(by, { status: 'ACTIVE', payload: { dropHeld: true } })
    await save(by)
    await dispatcher.dispatch()
    expect(receivedBy(receiver, by)).toHaveLength(1)
    expect((await deliveriesOf(service, by)).map(({ status }) => status).toSorted()).toEqual([
      'DELIVERED',
      'SKIPPED',
    ])
  })

  it('that is paused for too long skips the oldest', async ({ service, receiver, dispatcher }) => {
    const by = await subscriber(service, receiver, ['platform_project.saved'])
    await change(by, { status: 'PAUSED' })
    await save(by)
    service.clock.advance(6 * dayMilliseconds)
    await save(by)
    service.clock.advance(2 * dayMilliseconds)
    await purge(service.services)
    await change(by, { status: 'ACTIVE' })
    await dispatcher.dispatch()
    expect((await deliveriesOf(service, by)).map(({ status }) => status)).toEqual([
      'DELIVERED',
      'SKIPPED',
    ])
  })

  it('deletes deliveries that ended ninety days ago with their attempts, and no waiting ones', async ({
    service,
    receiver,
    dispatcher,
  }) => {
    const by = await subscriber(service, receiver, ['platform_project.saved'])
    const kept = async () => {
      const [rows = []] = await service.database.tenant(by.organizationId, [
        {
          text: 'select status from webhook_deliveries union all select outcome from webhook_attempts',
        },
      ])
      return rows.map(({ status }) => status).toSorted()
    }
    await save(by)
    await dispatcher.dispatch()
    await change(by, { status: 'PAUSED' })
    await save(by)
    expect(await kept()).toEqual(['DELIVERED', 'DELIVERED', 'HELD'])
    service.clock.advance(90 * dayMilliseconds)
    await purge(service.services)
    expect(await kept()).toEqual(['DELIVERED', 'DELIVERED', 'SKIPPED'])
    service.clock.advance(1)
    await purge(service.services)
    expect(await kept()).toEqual([])
  })

  it('requires existing kinds, and names the nearest for an unknown one', async ({
    service,
    receiver,
    dispatcher,
  }) => {
    const by = await subscriber(service, receiver, ['venue.indexed', 'study.finished'])
    const payload = { url: receiver.url, eventKinds: ['venue.created', 'study.finishd'] }
    const created = by.client.createWebhooks({ body: { payload, reason: 'For the test' } })
    const fieldErrors = {
      'payload.eventKinds.1': [
        expect.stringMatching(/"study.finishd"; the nearest is study.finished$/),
      ],
    }
    await expect(created).rejects.toMatchObject({ status: 400, body: { error: { fieldErrors } } })
    await expect(change(by, { payload: { eventKinds: payload.eventKinds } })).rejects.toMatchObject(
      { status: 400, body: { error: { fieldErrors } } },
    )
    const anonymous = createClient({ baseUrl: service.baseUrl, fetch: conformingFetch })
    const { kinds, message } = (await anonymous.listEventKinds()).body.data
    expect(kinds).toContainEqual({ kind: 'study.finished', resourceType: 'SimulationStudy' })
    await save(by)
    await by.client.testWebhook({
      params: { id: by.webhookId },
      body: { reason: 'Is it there?' },
    })
    await dispatcher.dispatch()
    const [test] = receivedBy(receiver, by)
    expect(compileSchema(message)(JSON.parse(test!.body))).toBeNull()
  })

  it('is tested for any filter; permitted users resend a delivery under the same id', async ({
    service,
    receiver,
    dispatcher,
  }) => {
    const by = await subscriber(service, receiver, ['venue.indexed'])
    const params = { id: by.webhookId }
    const body = { reason: 'Test of the receiver' }
    receiver.answer = () => 500
    const { messageId } = (await by.client.testWebhook({ params, body })).body.data
    await dispatcher.dispatch()
    const listed = async () => (await by.client.listWebhookDeliveries({ params })).body.data
    expect(await listed()).toMatchObject([
      {
        messageId,
        kind: 'webhook.tested',
        status: 'WAITING',
        attempts: 1,
        lastAttempt: { status: 500 },
      },
    ])
    receiver.answer = () => 200
    const again = { params: { ...params, messageId }, body: { reason: 'The receiver works again' } }
    await by.client.resendWebhookDelivery(again)
    await dispatcher.dispatch()
    expect(receivedBy(receiver, by).map(({ headers }) => headers['webhook-id'])).toEqual([
      messageId,
      messageId,
    ])
    expect((await listed())[0]).toMatchObject({ status: 'DELIVERED', nextAttemptAt: null })

    const viewer = await newMember(service, by.organizationId, 'VIEWER')
    await expect(viewer.client.resendWebhookDelivery(again)).rejects.toMatchObject({ status: 403 })
    const foreignOwner = await newOrganization(service)
    await expect(foreignOwner.client.resendWebhookDelivery(again)).rejects.toMatchObject({
      status: 404,
    })
    await expect(foreignOwner.client.listWebhookDeliveries({ params })).rejects.toMatchObject({
      status: 404,
    })
    await change(by, { status: 'PAUSED' })
    await expect(by.client.testWebhook({ params, body })).rejects.toMatchObject({
      status: 409,
      code: 'LIQUIDITY_WEBHOOK_NOT_ACTIVE',
    })
    await change(by, { status: 'REVOKED' })
    const late = [by.client.testWebhook({ params, body }), by.client.resendWebhookDelivery(again)]
    const terminal = { status: 409, code: 'LIQUIDITY_WEBHOOK_TERMINAL' }
    await Promise.all(late.map((one) => expect(one).rejects.toMatchObject(terminal)))
  })

  it('that is revoked gets nothing more, not even what waited', async ({
    service,
    receiver,
    dispatcher,
  }) => {
    const by = await subscriber(service, receiver, ['platform_project.saved'])
    await save(by)
    await change(by, { status: 'REVOKED' })
    await save(by)
    service.clock.advance(dayMilliseconds)
    await dispatcher.dispatch()
    expect(receivedBy(receiver, by)).toEqual([])
    await expect(change(by, { status: 'ACTIVE' })).rejects.toMatchObject({
      code: 'LIQUIDITY_WEBHOOK_TERMINAL',
    })
  })

  it('signs with both secrets for a day after a rotation, then with the new one', async ({
    service,
    receiver,
    dispatcher,
  }) => {
    const by = await subscriber(service, receiver, ['platform_project.saved'])
    const { secret } = await change(by, { payload: { rotateSecret: true } })
    const verdicts = async () => {
      await save(by)
      await dispatcher.dispatch()
      const message = receivedBy(receiver, by).at(-1)!
      return [by.secret, secret!].map((one) => isVerified(message, one, service.clock.read()))
    }
    expect(secret).not.toBe(by.secret)
    expect(await verdicts()).toEqual([true, true])
    service.clock.advance(dayMilliseconds - 1)
    expect(await verdicts()).toEqual([true, true])
    service.clock.advance(1)
    expect(await verdicts()).toEqual([false, true])
  })

  it('is stored without its secret in the clear', async ({ service, receiver }) => {
    const by = await subscriber(service, receiver)
    for (const table of ['webhook_subscriptions', 'records', 'events', 'idempotency']) {
      const { rows } = await service.database.pool.query(
        `select count(*) as found from ${table} t where t::text like '%' || $1 || '%'`,
        [by.secret.slice('whsec_'.length)],
      )
      expect([table, rows[0].found]).toEqual([table, '0'])
    }
  })

  it('accepts only a public https address', async ({ service, inside }) => {
    const { client } = await newOrganization(service)
    for (const url of [
      'http://hooks.example.com/',
      'ftp://hooks.example.com/',
      'https://user:password@hooks.example.com/',
      'https://hooks.example.com/#fragment',
      inside.url,
    ]) {
      const body = { payload: { url, eventKinds: ['*'] }, reason: 'For the test' }
      const status = await client.createWebhooks({ body }).catch((error) => error.status)
      expect([url, [400, 422].includes(status)]).toEqual([url, true])
    }
  })

  it('to an inside address that slipped through is refused on the socket', async ({
    service,
    receiver,
    inside,
    dispatcher,
  }) => {
    const by = await subscriber(service, receiver, ['platform_project.saved'])
    await service.database.pool.query('update webhook_subscriptions set url = $2 where id = $1', [
      by.webhookId,
      inside.url,
    ])
    await save(by)
    await dispatcher.dispatch()
    expect(inside.received).toEqual([])
    expect(await deliveriesOf(service, by)).toMatchObject([{ status: 'WAITING', attempts: 1 }])
  })
})
