// @module-tag long
// @covers apps/server/src/families/intelligence/alerts apps/server/src/integrations/mail

import { describe, expect } from 'vitest'
import type { HandledAlert } from '../src/families/intelligence/alerts/alert-notices.ts'
import { sweepAlerts } from '../src/families/intelligence/alerts/alert-sweep.ts'
import { MessageDispatcher } from '../src/families/intelligence/alerts/messages/message-dispatcher.ts'
import { WebhookDispatcher } from '../src/integrations/webhooks/webhook-dispatcher.ts'
import { limits } from '../src/limits.ts'
import { emptyChange } from '../src/store/records/change.ts'
import { newId } from '../src/store/records/ids.ts'
import { dayMilliseconds, hourMilliseconds, minuteMilliseconds } from '../src/units.ts'
import { hostOf } from './support/chain.ts'
import { started, test } from './support/fixtures.ts'
import { startMailbox } from './support/mailbox.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { callOperation } from './support/requests.ts'
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
  .extend('mailbox', { scope: 'file' }, started(startMailbox))
  .extend('settings', { scope: 'file' }, ({ receiver, mailbox }) => ({
    SMTP_URL: mailbox.url,
    OUTBOUND_ALLOW: hostOf(receiver.url),
  }))
  .extend('dispatcher', { scope: 'file' }, ({ service }) => new MessageDispatcher(service.services))

it.afterEach(async ({ service, receiver }) => {
  // A message of one test is none of the next one's business.
  await service.database.pool.query(`update alert_messages set status = 'CANCELLED'
    where status in ('WAITING', 'HELD')`)
  receiver.received.length = 0
  receiver.answer = () => 200
})

let number = 0

async function organization(service: TestService): Promise<TestMember> {
  const member = await newOrganization(service)
  // These tests let days pass; that sessions end is another file's subject.
  await service.database.global([
    { text: `update sessions set expires_at = 9999999999999 where user_id = '${member.userId}'` },
  ])
  return member
}

/** A channel on a path of its own, and a rule that tells it of everything. */
async function createChannel(
  receiver: Receiver,
  by: TestMember,
  target: object = {},
  rule: object = {},
) {
  number += 1
  const path = `/channel/${number}`
  const channel = await callOperation<{ id: string; resourceVersion: string; payload: object }>(
    by,
    'createAlertChannel',
    {
      body: {
        payload: {
          label: 'Team',
          target: { kind: 'WEBHOOK', url: `${receiver.url}${path}`, ...target },
        },
        reason: 'For the test',
      },
    },
  )
  expect([channel.status, channel.fieldErrors]).toEqual([201, {}])
  const payload = {
    name: 'All',
    match: { kinds: [], minimumSeverity: 'INFO' },
    forSeconds: 0,
    channels: [channel.data.id],
    repeatSeconds: 3600,
    ...rule,
  }
  const made = await callOperation(by, 'createAlertRule', {
    body: { payload, reason: 'For the test' },
  })
  expect([made.status, made.fieldErrors]).toEqual([201, {}])
  return { channel: channel.data, path }
}

/** A job of a subject that has ended so: what failed is an alert until one like it has ended well. */
async function endJob(
  service: TestService,
  by: TestMember,
  subject: string,
  status: 'FAILED' | 'COMPLETED',
) {
  service.clock.advance(1)
  const now = service.clock.read()
  const id = newId('job', now)
  const resource = {
    resourceType: 'VenueProfile',
    id: subject,
    resourceVersion: `0x${'a'.repeat(64)}`,
  }
  await service.services.committer.commit({
    ...emptyChange(by.organizationId, now),
    jobs: [{ id, kind: 'TEST', subject: resource, input: {} }],
  })
  await service.database.tenant(by.organizationId, [
    {
      text: `update jobs set status = '${status}', finished_at = ${now},
        error = '{"code":"LIQUIDITY_CHAIN_UNAVAILABLE","message":"<away> & gone"}' where id = '${id}'`,
    },
  ])
}
const venue = (digit: number) => `venue_${String(digit).padStart(32, '0')}`

/** What the sweep and the dispatcher do by themselves. */
async function look(service: TestService, dispatcher: MessageDispatcher): Promise<void> {
  await sweepAlerts(service.services)
  await dispatcher.dispatch()
}
const seenAt = (receiver: Receiver, path: string) =>
  receiver.received.filter((one) => one.path === path).map(({ body }) => JSON.parse(body))
const idsAt = (receiver: Receiver, path: string) =>
  receiver.received.filter((one) => one.path === path).map(({ headers }) => headers['webhook-id'])
const kindsAt = (receiver: Receiver, path: string) => seenAt(receiver, path).map(({ kind }) => kind)
const rowsOf = async (service: TestService, { organizationId }: TestMember) =>
  (
    await service.database.pool.query(
      `select kind, status, attempts::text, last_outcome from alert_messages where organization_id = $1
        order by created_at, message_id`,
      [organizationId],
    )
  ).rows as { kind: string; status: string; attempts: string; last_outcome: string }[]
const alertsOf = async (by: TestMember) =>
  (await callOperation<HandledAlert[]>(by, 'listAlertsV2')).data
const eventsOf = async (service: TestService, { organizationId }: TestMember) =>
  (
    await service.database.pool.query(
      `select body::jsonb ->> 'kind' as kind from events where organization_id = $1
        and subject_id like 'alert\\_0%' order by sequence`,
      [organizationId],
    )
  ).rows.map(({ kind }) => kind)

describe('an alert', () => {
  it('opens, escalates and resolves once each, as webhook events', async ({
    service,
    receiver,
    dispatcher,
  }) => {
    const by = await organization(service)
    await callOperation(by, 'createWebhooks', {
      body: {
        payload: {
          url: `${receiver.url}/hook/${by.organizationId}`,
          eventKinds: ['alert.opened', 'alert.escalated', 'alert.resolved'],
        },
        reason: 'For the test',
      },
    })
    const hooks = new WebhookDispatcher(service.services)
    for (const status of ['FAILED', 'FAILED', 'FAILED', 'COMPLETED'] as const) {
      await endJob(service, by, venue(1), status)
      await look(service, dispatcher)
      await look(service, dispatcher)
    }
    const kinds = ['alert.opened', 'alert.escalated', 'alert.resolved']
    expect(await eventsOf(service, by)).toEqual(kinds)
    await hooks.dispatch()
    await hooks.dispatch()
    const hooked = receiver.received.filter(({ path }) => path.startsWith('/hook/'))
    expect(hooked.map(({ body }) => JSON.parse(body).type)).toEqual(kinds)
    expect(JSON.parse(hooked[1]!.body).data.payload).toMatchObject({
      kind: 'JOB_FAILED',
      severity: 'CRITICAL',
      previousSeverity: 'WARNING',
    })
  })

  it('is sent by one of two nodes that check at once', async ({
    service,
    receiver,
    dispatcher,
  }) => {
    const by = await organization(service)
    const { path } = await createChannel(receiver, by)
    const other = await anotherNode(service)
    await endJob(service, by, venue(1), 'FAILED')
    await Promise.all([sweepAlerts(service.services), sweepAlerts(other.services)])
    const second = new MessageDispatcher(other.services)
    await Promise.all([dispatcher.dispatch(), second.dispatch()])
    expect(await eventsOf(service, by)).toEqual(['alert.opened'])
    expect(kindsAt(receiver, path)).toEqual(['OPEN'])
  })

  it('an acknowledged alert is not repeated until it escalates, and names the user', async ({
    service,
    receiver,
    dispatcher,
  }) => {
    const by = await organization(service)
    const { path } = await createChannel(receiver, by)
    await endJob(service, by, venue(1), 'FAILED')
    const [{ id }] = (await alertsOf(by)) as [HandledAlert]
    const request = { params: { id }, body: { reason: 'On it' } }
    const viewer = await newMember(service, by.organizationId, 'VIEWER')
    expect((await callOperation(viewer, 'acknowledgeAlert', request)).status).toBe(403)
    // Nobody has looked yet: that it opened is told with what is said of it.
    expect((await callOperation(by, 'acknowledgeAlert', request)).status).toBe(200)
    expect(await eventsOf(service, by)).toEqual(['alert.opened', 'alert.acknowledged'])
    const [acknowledged] = await alertsOf(by)
    expect(acknowledged).toMatchObject({
      acknowledged: { by: { id: by.userId }, severity: 'WARNING' },
    })
    await look(service, dispatcher)
    expect(seenAt(receiver, path)).toEqual([])
    await endJob(service, by, venue(1), 'FAILED')
    await endJob(service, by, venue(1), 'FAILED')
    await look(service, dispatcher)
    expect(seenAt(receiver, path)).toMatchObject([
      { alerts: [{ alert: { severity: 'CRITICAL' } }] },
    ])
    await endJob(service, by, venue(1), 'COMPLETED')
    await look(service, dispatcher)
    expect((await callOperation(by, 'acknowledgeAlert', request)).code).toBe(
      'LIQUIDITY_ALERT_NOT_OPEN',
    )
    const unknown = { ...request, params: { id: 'JOB_FAILED:nothing' } }
    expect((await callOperation(by, 'acknowledgeAlert', unknown)).status).toBe(404)
  })

  it('a muted alert stays listed, is marked, and is sent once after the mute ends', async ({
    service,
    receiver,
    dispatcher,
  }) => {
    const by = await organization(service)
    const { path } = await createChannel(receiver, by)
    await endJob(service, by, venue(1), 'FAILED')
    const [{ id }] = (await alertsOf(by)) as [HandledAlert]
    const mute = (milliseconds: number | null, as = by) =>
      callOperation(as, 'muteAlert', {
        params: { id },
        body: {
          until:
            milliseconds === null
              ? null
              : new Date(service.clock.read() + milliseconds).toISOString(),
          reason: 'For the test',
        },
      })
    expect((await mute(31 * dayMilliseconds)).fieldErrors).toHaveProperty('until')
    expect((await mute(-1)).status).toBe(400)
    const analyst = await newMember(service, by.organizationId, 'ANALYST')
    expect((await mute(hourMilliseconds, analyst)).status).toBe(403)
    expect((await mute(hourMilliseconds)).status).toBe(200)
    await look(service, dispatcher)
    expect(seenAt(receiver, path)).toEqual([])
    expect((await alertsOf(by))[0]!.mutedUntil).not.toBeNull()
    service.clock.advance(hourMilliseconds)
    await look(service, dispatcher)
    expect(kindsAt(receiver, path)).toEqual(['OPEN'])
    expect((await alertsOf(by))[0]!.mutedUntil).toBeNull()
  })
})

describe('a message', () => {
  it('goes once for each severity, again after its time, and once when the alert is over', async ({
    service,
    receiver,
    dispatcher,
  }) => {
    const by = await organization(service)
    const { path } = await createChannel(receiver, by)
    await endJob(service, by, venue(1), 'FAILED')
    await look(service, dispatcher)
    await look(service, dispatcher)
    expect(kindsAt(receiver, path)).toEqual(['OPEN'])
    service.clock.advance(hourMilliseconds)
    await look(service, dispatcher)
    await look(service, dispatcher)
    expect(kindsAt(receiver, path)).toEqual(['OPEN', 'OPEN'])
    await endJob(service, by, venue(1), 'COMPLETED')
    await look(service, dispatcher)
    await look(service, dispatcher)
    expect(kindsAt(receiver, path)).toEqual(['OPEN', 'OPEN', 'RESOLVED'])
    const ids = idsAt(receiver, path)
    expect(new Set(ids).size).toBe(3)
  })

  it('has the form that its receiver reads, and its target is shown as a host', async ({
    service,
    receiver,
    dispatcher,
  }) => {
    const by = await organization(service)
    const url = (path: string) => `${receiver.url}${path}/secret-token`
    const slack = await createChannel(receiver, by, { kind: 'SLACK', url: url('/slack') })
    await createChannel(receiver, by, {
      kind: 'TELEGRAM',
      url: url('/telegram'),
      chatId: '-100123',
    })
    await createChannel(receiver, by, {
      kind: 'PAGERDUTY',
      url: url('/pager'),
      routingKey: 'k'.repeat(32),
    })
    await endJob(service, by, venue(1), 'FAILED')
    await look(service, dispatcher)
    await endJob(service, by, venue(1), 'COMPLETED')
    await look(service, dispatcher)
    const [{ id }] = (await alertsOf(by)) as [HandledAlert]
    const [open] = seenAt(receiver, '/slack/secret-token')
    expect(open.text).toContain('&lt;away&gt; &amp; gone')
    expect(open.blocks[0].text).toMatchObject({ type: 'plain_text' })
    expect(seenAt(receiver, '/telegram/secret-token')[0]).toMatchObject({ chat_id: '-100123' })
    expect(seenAt(receiver, '/pager/secret-token')).toMatchObject([
      {
        routing_key: 'k'.repeat(32),
        event_action: 'trigger',
        dedup_key: id,
        payload: { severity: 'warning', class: 'JOB_FAILED' },
      },
      { event_action: 'resolve', dedup_key: id },
    ])
    const shown = await callOperation(by, 'getAlertChannel', { params: { id: slack.channel.id } })
    expect(JSON.stringify(shown.data)).not.toContain('secret-token')
    expect(shown.data).toMatchObject({ payload: { target: hostOf(receiver.url) } })
  })

  it('reaches a mail address', async ({ service, receiver, mailbox, dispatcher }) => {
    const by = await organization(service)
    const address = `team-${by.organizationId}@example.org`
    const target = { kind: 'EMAIL', address, url: undefined }
    await createChannel(receiver, by, target)
    await endJob(service, by, venue(1), 'FAILED')
    await look(service, dispatcher)
    const mail = await mailbox.mailTo(address)
    expect(mail.subject).toContain('Warning: Test failed: <away> & gone')
    expect(mail.html).toContain('&#60;away&#62;')
    expect(mail.messageId).toMatch(/^<alert_message_[0-9a-f]{32}@liquidity-os>$/)
  })

  it('waits in quiet time for one digest, except critical alerts', async ({
    service,
    receiver,
    dispatcher,
  }) => {
    const by = await organization(service)
    const start = new Date(service.clock.read())
    const at = (hours: number) =>
      new Date(start.getTime() + hours * hourMilliseconds).toISOString().slice(11, 16)
    const quiet = {
      timeZone: 'UTC',
      from: at(-1),
      to: at(2),
      days: ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'],
    }
    const { path } = await createChannel(receiver, by, {}, { quiet })
    await endJob(service, by, venue(1), 'FAILED')
    await endJob(service, by, venue(2), 'FAILED')
    await look(service, dispatcher)
    expect(seenAt(receiver, path)).toEqual([])
    for (let times = 0; times < 3; times += 1) await endJob(service, by, venue(3), 'FAILED')
    await endJob(service, by, venue(2), 'COMPLETED')
    await look(service, dispatcher)
    expect(seenAt(receiver, path)).toMatchObject([
      { alerts: [{ alert: { severity: 'CRITICAL' } }] },
    ])
    service.clock.advance(2 * hourMilliseconds)
    await dispatcher.dispatch()
    await dispatcher.dispatch()
    expect(kindsAt(receiver, path)).toEqual(['OPEN', 'DIGEST'])
    const [, digest] = seenAt(receiver, path)
    expect(digest.alerts.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual([
      ...['OPEN', 'OPEN', 'RESOLVED'],
    ])
    expect(digest.text).toContain('Resolved: Test failed')
  })

  it('beyond thirty in ten minutes waits for a digest', async ({
    service,
    receiver,
    dispatcher,
  }) => {
    const by = await organization(service)
    const { path } = await createChannel(receiver, by)
    for (let index = 0; index < 35; index += 1) await endJob(service, by, venue(index), 'FAILED')
    await look(service, dispatcher)
    expect(seenAt(receiver, path)).toHaveLength(limits.alertFloodMessages)
    service.clock.advance(limits.alertFloodMilliseconds)
    await dispatcher.dispatch()
    expect(kindsAt(receiver, path).slice(limits.alertFloodMessages)).toEqual(['DIGEST'])
    expect(seenAt(receiver, path).at(-1).alerts).toHaveLength(5)
  })

  it('that arrives nowhere is tried five times in two hours, then the owners are mailed once', async ({
    service,
    receiver,
    mailbox,
    dispatcher,
  }) => {
    const by = await organization(service)
    const { path } = await createChannel(receiver, by, {}, { repeatSeconds: 604_800 })
    receiver.answer = () => 503
    await endJob(service, by, venue(1), 'FAILED')
    await endJob(service, by, venue(2), 'FAILED')
    await look(service, dispatcher)
    for (const pause of limits.alertRetryMilliseconds) {
      service.clock.advance(pause - 1)
      await look(service, dispatcher)
      const before = seenAt(receiver, path).length
      service.clock.advance(1)
      await look(service, dispatcher)
      expect(seenAt(receiver, path)).toHaveLength(before + 2)
    }
    await look(service, dispatcher)
    expect(seenAt(receiver, path)).toHaveLength(10)
    const rows = await rowsOf(service, by)
    expect(rows.map(({ kind, status, attempts }) => [kind, status, attempts])).toEqual([
      ['OPEN', 'DEAD', '5'],
      ['OPEN', 'DEAD', '5'],
      ['OWNERS', 'DELIVERED', '1'],
    ])
    expect(rows[0]!.last_outcome).toBe('HTTP_503')
    const ids = idsAt(receiver, path)
    expect(new Set(ids).size).toBe(2)
    const [users] = await service.database.global([
      { text: `select email from users where id = '${by.userId}'` },
    ])
    const mail = await mailbox.mailTo(users![0]!.email!)
    expect(mail.subject).toContain('Delivery failed')
  })

  it('outlives the process that had begun it, under the same id', async ({
    service,
    receiver,
    dispatcher,
  }) => {
    const by = await organization(service)
    const { path } = await createChannel(receiver, by)
    receiver.answer = () => 'HANG'
    await endJob(service, by, venue(1), 'FAILED')
    await sweepAlerts(service.services)
    const dead = new MessageDispatcher((await anotherNode(service)).services)
    const abandoned = dead.dispatch()
    await until('the first attempt', () => seenAt(receiver, path).length === 1)
    receiver.answer = () => 200
    await dispatcher.dispatch()
    expect(seenAt(receiver, path)).toHaveLength(1)
    service.clock.advance(2 * limits.alertMessageTimeoutMilliseconds + 1)
    await dispatcher.dispatch()
    const ids = idsAt(receiver, path)
    expect([ids.length, new Set(ids).size]).toEqual([2, 1])
    receiver.release()
    await abandoned
    expect(await rowsOf(service, by)).toMatchObject([{ status: 'DELIVERED', attempts: '2' }])
  })

  it('to a receiver that hangs holds up no other organization', async ({
    service,
    receiver,
    dispatcher,
  }) => {
    const [slow, quick] = [await organization(service), await organization(service)]
    const slowly = await createChannel(receiver, slow)
    const quickly = await createChannel(receiver, quick)
    receiver.answer = ({ path }) => (path === slowly.path ? 'HANG' : 200)
    for (let index = 0; index < 20; index += 1) await endJob(service, slow, venue(index), 'FAILED')
    await endJob(service, quick, venue(1), 'FAILED')
    await sweepAlerts(service.services)
    const running = dispatcher.dispatch()
    await until('the quick one', () => seenAt(receiver, quickly.path).length === 1)
    expect(seenAt(receiver, slowly.path).length).toBeLessThanOrEqual(
      limits.alertMessagesOfOrganization,
    )
    receiver.answer = () => 200
    receiver.release()
    await running
  })

  it('is dropped with its channel, which stays revoked', async ({
    service,
    receiver,
    dispatcher,
  }) => {
    const by = await organization(service)
    const { path, channel } = await createChannel(receiver, by)
    await endJob(service, by, venue(1), 'FAILED')
    await sweepAlerts(service.services)
    const change = (ifMatch: string) =>
      callOperation<{ resourceVersion: string }>(by, 'supersedeAlertChannel', {
        params: { id: channel.id },
        ifMatch,
        body: { status: 'REVOKED', reason: 'For the test' },
      })
    const revoked = await change(channel.resourceVersion)
    expect(revoked.status).toBe(200)
    await look(service, dispatcher)
    expect(seenAt(receiver, path)).toEqual([])
    expect(await rowsOf(service, by)).toMatchObject([{ status: 'CANCELLED' }])
    const again = await change(revoked.data.resourceVersion)
    expect(again.code).toBe('LIQUIDITY_ALERT_CHANNEL_TERMINAL')
  })
})

describe('channels and rules', () => {
  it('refuse what cannot be reached, and say which member', async ({ service, receiver }) => {
    const by = await organization(service)
    const target = (one: object) =>
      callOperation(by, 'createAlertChannel', {
        body: { payload: { label: 'Team', target: one }, reason: 'For the test' },
      })
    for (const url of [
      'http://example.com/hook',
      'https://127.0.0.1/hook',
      'https://a:b@c.example/',
    ]) {
      const refused = await target({ kind: 'SLACK', url })
      expect([refused.status, Object.keys(refused.fieldErrors)]).toEqual([
        422,
        ['payload.target.url'],
      ])
    }
    const analyst = await newMember(service, by.organizationId, 'ANALYST')
    const request = { payload: { label: 'T', target: { kind: 'SLACK', url: receiver.url } } }
    const refused = await callOperation(analyst, 'createAlertChannel', {
      body: { ...request, reason: 'For the test' },
    })
    expect(refused.status).toBe(403)
  })

  it('of another organization are not there', async ({ service, receiver }) => {
    const [by, foreignOwner] = [await organization(service), await organization(service)]
    const { channel } = await createChannel(receiver, by)
    const payload = {
      name: 'All',
      match: { kinds: [], minimumSeverity: 'INFO' },
      forSeconds: 0,
      channels: [channel.id],
      repeatSeconds: 900,
      quiet: { timeZone: 'Mars/Olympus', from: '22:00', to: '07:00', days: ['MON'] },
    }
    const refused = await callOperation(foreignOwner, 'createAlertRule', {
      body: { payload, reason: 'For the test' },
    })
    expect(Object.keys(refused.fieldErrors)).toEqual([
      'payload.channels.0',
      'payload.quiet.timeZone',
    ])
  })

  it('are sent only after the minimum open time', async ({ service, receiver, dispatcher }) => {
    const by = await organization(service)
    const { path } = await createChannel(receiver, by, {}, { forSeconds: 300 })
    await endJob(service, by, venue(1), 'FAILED')
    await look(service, dispatcher)
    expect(seenAt(receiver, path)).toEqual([])
    service.clock.advance(5 * minuteMilliseconds)
    await look(service, dispatcher)
    expect(kindsAt(receiver, path)).toEqual(['OPEN'])
  })
})
