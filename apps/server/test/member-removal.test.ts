// @module-tag postgres

import { basePath } from '@liquidity-os/contract'
import { describe, expect } from 'vitest'
import { addMember } from '../src/access/administration.ts'
import type { DepartedRecord } from '../src/access/departure.ts'
import { listRemovals } from '../src/access/remove-member.ts'
import { providers } from '../src/families/platform/providers/records.ts'
import { settings } from '../src/families/platform/schedules/records.ts'
import { WebhookDispatcher } from '../src/integrations/webhooks/webhook-dispatcher.ts'
import type { Change } from '../src/store/records/change.ts'
import { TenantRecords } from '../src/store/records/tenant-records.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { bookmarkBody, webhookBody } from './support/bodies.ts'
import { hostOf } from './support/chain.ts'
import { basic, bearer, grant, issue } from './support/credentials.ts'
import { started, test } from './support/fixtures.ts'
import { startReceiver } from './support/receiver.ts'
import {
  newMember,
  newOrganization,
  removeMember,
  signIn,
  type TestMember,
  type TestService,
} from './support/service.ts'
import { until } from './support/until.ts'

const it = test
  .extend('receiver', { scope: 'file' }, started(startReceiver))
  .extend('settings', { scope: 'file' }, ({ receiver }) => ({
    OUTBOUND_ALLOW: hostOf(receiver.url),
  }))
  .extend('dispatcher', { scope: 'file' }, ({ service }) => new WebhookDispatcher(service.services))

const emailOf = async (service: TestService, { userId }: TestMember): Promise<string> => {
  const text = `select email from users where id = '${userId}'`
  const [rows] = await service.database.global([{ text }])
  return rows![0]!.email!
}

/** Sends a request of a member to a route outside the contract. */
async function send(
  service: TestService,
  by: TestMember,
  method: string,
  path: string,
  body?: object,
) {
  const answer = await fetch(`${service.baseUrl}/auth/organizations/${by.organizationId}${path}`, {
    method,
    headers: {
      cookie: `${service.config.sessionCookie}=${by.cookie}`,
      origin: new URL(service.config.baseUrl).origin,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await answer.text()
  const json = text === '' ? null : JSON.parse(text)
  return { status: answer.status, data: json?.data, code: json?.error?.code }
}

const addAgain = async (
  service: TestService,
  to: TestMember,
  role: 'VIEWER' | 'OPERATOR' = 'VIEWER',
) => {
  const email = await emailOf(service, to)
  const { organizationId } = to
  await addMember(service.database, { organizationId, email, role }, service.clock.read())
  return signIn(service, organizationId, email)
}

/** Stores records as if a member had made them, without the work that the operation needs. */
async function stage(service: TestService, by: TestMember, make: (records: TenantRecords) => Made) {
  const { database, verified, artifacts, committer } = service.services
  const actor = { kind: 'SESSION', id: by.userId } as const
  const { organizationId } = by
  const now = service.clock.read()
  const { sealed, change } = make(
    new TenantRecords({
      purpose: 'REQUEST',
      organizationId,
      actor,
      now,
      database,
      verified,
      artifacts,
    }),
  )
  await committer.commit(change)
  return sealed.record
}

interface Made {
  readonly sealed: { readonly record: { readonly id: string } }
  readonly change: Change
}

const reason = 'For the test'

const provider = (service: TestService, by: TestMember, kind: 'MARKET_DATA' | 'CHAIN_RPC') =>
  stage(service, by, (records) =>
    providers.first(records, {
      status: 'ACTIVE',
      event: 'provider.registered',
      reason,
      payload: {
        providerId: kind.toLowerCase(),
        kind,
        displayName: kind,
        endpoint: null,
        configuration: {},
        credentialReference: null,
        publicKeys: [],
        attestation: null,
        capabilities: [],
        probe: null,
      },
    }),
  )

const schedule = (service: TestService, by: TestMember) =>
  stage(service, by, (records) =>
    settings.first(records, {
      status: 'ACTIVE',
      event: 'schedule.changed',
      reason,
      payload: {
        task: 'VENUE_INDEX',
        everySeconds: 60,
        subject: { resourceType: 'Venue', id: `venue_${'0'.repeat(32)}` },
      },
    }),
  )

async function share(service: TestService, by: TestMember) {
  const study = await stage(service, by, (records) =>
    records.create('SimulationStudy', {
      status: 'COMPLETED',
      payload: { name: 'Staged' },
      event: 'study.completed',
      reason,
    }),
  )
  const disclosure = {
    showOrganization: false,
    showAmounts: false,
    showVenueAddress: false,
    showStrategyParameters: false,
    showAssumptions: false,
  }
  const { body } = await by.client.createStudyShareLink({
    params: { id: study.id },
    body: { payload: { disclosure }, reason: 'For the test' } as never,
  })
  return body.data
}

const channel = async (by: TestMember) => {
  const target = { kind: 'EMAIL', address: 'desk@example.org' }
  const body = { payload: { label: 'Desk', target }, reason: 'For the test' } as never
  return (await by.client.createAlertChannel({ body })).body.data
}

const named = (some: readonly DepartedRecord[]) => some.map(({ id }) => id).sort()

describe('removing a member', () => {
  it('sends no further event to a webhook that the member made', async ({
    service,
    receiver,
    dispatcher,
  }) => {
    const owner = await newOrganization(service)
    const operator = await newMember(service, owner.organizationId, 'OPERATOR')
    const body = webhookBody(`${receiver.url}/of-operator`)
    const { webhook } = (await operator.client.createWebhooks({ body })).body.data
    await owner.client.savePlatformProject({ body: bookmarkBody(1) })
    await dispatcher.dispatch()
    await until('an event before the removal', () => receiver.received.length > 0)
    receiver.received.length = 0
    const removed = await send(
      service,
      owner,
      'DELETE',
      `/members/${await emailOf(service, operator)}`,
    )
    expect(removed.status).toBe(200)
    await owner.client.savePlatformProject({ body: bookmarkBody(2) })
    await dispatcher.dispatch()
    await addAgain(service, operator, 'OPERATOR')
    await owner.client.savePlatformProject({ body: bookmarkBody(3) })
    await dispatcher.dispatch()
    expect(receiver.received).toEqual([])
    const { data } = (await owner.client.getWebhooks({ params: { id: webhook.id } })).body
    expect([data.status, data.payload.pausedBecause]).toEqual(['PAUSED', 'MEMBER_REMOVED'])
  })

  it('refuses the old keys, tokens and sessions after the address is added again', async ({
    service,
  }) => {
    const owner = await newOrganization(service)
    const operator = await newMember(service, owner.organizationId, 'OPERATOR')
    const { secret } = await issue(operator, 'API_KEY', ['studies:read'])
    const client = await issue(operator, 'OAUTH_CLIENT', ['studies:read'])
    const token = async () => {
      const answer = await fetch(`${service.baseUrl}${basePath}/oauth/token`, {
        method: 'POST',
        headers: {
          authorization: basic(client.credential.id, client.secret),
          'content-type': 'application/x-www-form-urlencoded',
          'x-service-organization-id': owner.organizationId,
        },
        body: grant,
      })
      return { status: answer.status, body: (await answer.json()) as { access_token: string } }
    }
    const access = (await token()).body.access_token
    const keys = [secret, access].map((key) => bearer(key, owner.organizationId, service.baseUrl))
    for (const key of keys) expect((await key.listStudies()).status).toBe(200)
    await send(service, owner, 'DELETE', `/members/${await emailOf(service, operator)}`)
    const again = await addAgain(service, operator)
    for (const key of keys) {
      await expect(key.listStudies()).rejects.toMatchObject({
        status: 401,
        code: 'LIQUIDITY_STUDIO_INVALID_SERVICE_CREDENTIAL',
      })
    }
    expect((await token()).status).toBe(401)
    await expect(operator.client.listStudies()).rejects.toMatchObject({
      status: 403,
      code: 'LIQUIDITY_ORGANIZATION_ACCESS_DENIED',
    })
    // A mutation that trusts a caller of a moment ago is refused by its own transaction.
    await expect(
      operator.client.savePlatformProject({ body: bookmarkBody(4) }),
    ).rejects.toMatchObject({ status: 403 })
    expect((await send(service, operator, 'GET', '/members')).status).toBe(403)
    expect((await again.client.listStudies()).status).toBe(200)
  })

  it('lists every record that it revoked, paused or left for review', async ({ service }) => {
    const owner = await newOrganization(service)
    const operator = await newMember(service, owner.organizationId, 'OPERATOR')
    const { credential } = await issue(operator, 'API_KEY', ['webhooks:manage'])
    const { webhook } = (await operator.client.createWebhooks({ body: webhookBody() })).body.data
    const mails = await channel(operator)
    const link = await share(service, operator)
    const [feed, chain] = [
      await provider(service, operator, 'MARKET_DATA'),
      await provider(service, operator, 'CHAIN_RPC'),
    ]
    const setting = await schedule(service, operator)
    const kept = (await owner.client.createWebhooks({ body: webhookBody() })).body.data.webhook
    const email = await emailOf(service, operator)
    const { status, data } = await send(service, owner, 'DELETE', `/members/${email}`)
    expect(status).toBe(200)
    expect([data.userId, data.email]).toEqual([operator.userId, email])
    expect(named(data.revoked)).toEqual([credential.id, link.id].sort())
    expect(named(data.paused)).toEqual([webhook.id, mails.id, feed.id, setting.id].sort())
    expect(named(data.unchanged)).toEqual([chain.id])
    expect((await owner.client.getWebhooks({ params: { id: kept.id } })).body.data.status).toBe(
      'ACTIVE',
    )
    const shared = await fetch(link.payload.url.replace(service.config.baseUrl, service.baseUrl))
    expect(shared.status).toBe(404)
    // Each record has an event that names the reason and the owner who removed the member.
    // PostgreSQL shows them once every earlier transaction has ended, also those of other tests.
    const ended = [...named(data.revoked), ...named(data.paused)].sort()
    const because = await until('the events of the removal', async () => {
      const { body } = await owner.client.listEvents({ query: { limit: 100 } })
      const found = body.data.events.filter(({ payload }) => payload.because === 'MEMBER_REMOVED')
      return found.length >= ended.length ? found : null
    })
    expect(because.map(({ subject }) => subject.id).sort()).toEqual(ended)
    expect(new Set(because.map(({ actor }) => actor.id))).toEqual(new Set([owner.userId]))
    expect((await send(service, owner, 'GET', '/member-removals')).data).toMatchObject([
      { email, removedBy: owner.userId, paused: data.paused, revoked: data.revoked },
    ])
    const { faults } = await verifyHistory(
      service.database,
      owner.organizationId,
      service.services.artifacts,
    )
    expect(faults).toEqual([])
  })

  it('shows the removals to owners only', async ({ service }) => {
    const owner = await newOrganization(service)
    const viewer = await newMember(service, owner.organizationId, 'VIEWER')
    expect(await send(service, viewer, 'GET', '/member-removals')).toMatchObject({ status: 403 })
    expect(await send(service, owner, 'GET', '/member-removals')).toMatchObject({
      status: 200,
      data: [],
    })
  })

  it('stores who changed a role or removed a member, and why, for owners', async ({ service }) => {
    const owner = await newOrganization(service)
    const { organizationId } = owner
    const member = await newMember(service, organizationId, 'ANALYST')
    const email = await emailOf(service, member)
    const ownEmail = await emailOf(service, owner)
    const change = (body: object) => send(service, owner, 'POST', '/members', { email, ...body })
    expect((await change({ role: 'VIEWER', reason: ' Moved to sales ' })).status).toBe(201)
    // The same role is no change, and a refused change is none.
    expect((await change({ role: 'VIEWER', reason: 'Again' })).status).toBe(201)
    const demotion = { email: ownEmail, role: 'VIEWER', reason: 'Steps back' }
    expect((await send(service, owner, 'POST', '/members', demotion)).status).toBe(409)
    expect(await change({ role: 'OPERATOR', reason: ' x ' })).toMatchObject({ status: 400 })
    expect((await change({ role: 'OPERATOR' })).status).toBe(201)
    const path = `/members/${email}/removal`
    expect(await send(service, owner, 'POST', path, { reason: '' })).toMatchObject({ status: 400 })
    const removal = await send(service, owner, 'POST', path, { reason: 'Left the company' })
    expect(removal.status).toBe(200)
    const author = { email, changedBy: owner.userId, changedByEmail: ownEmail }
    expect((await send(service, owner, 'GET', '/member-changes')).data).toMatchObject([
      {
        ...author,
        kind: 'REMOVED',
        roleBefore: 'OPERATOR',
        roleAfter: null,
        reason: 'Left the company',
      },
      { ...author, kind: 'ROLE', roleBefore: 'VIEWER', roleAfter: 'OPERATOR', reason: null },
      {
        ...author,
        kind: 'ROLE',
        roleBefore: 'ANALYST',
        roleAfter: 'VIEWER',
        reason: 'Moved to sales',
      },
    ])
    const viewer = await newMember(service, organizationId, 'VIEWER')
    expect(await send(service, viewer, 'GET', '/member-changes')).toMatchObject({ status: 403 })
    const other = await newOrganization(service)
    expect((await send(service, other, 'GET', '/member-changes')).data).toEqual([])
  })

  it('pauses a webhook that a credential of the member made', async ({ service }) => {
    const owner = await newOrganization(service)
    const operator = await newMember(service, owner.organizationId, 'OPERATOR')
    const { secret } = await issue(operator, 'API_KEY', ['webhooks:manage'])
    const key = bearer(secret, owner.organizationId, service.baseUrl)
    const { webhook } = (await key.createWebhooks({ body: webhookBody() })).body.data
    const { data } = await send(
      service,
      owner,
      'DELETE',
      `/members/${await emailOf(service, operator)}`,
    )
    expect(named(data.paused)).toEqual([webhook.id])
  })

  it('leaves another organization of the same user unchanged', async ({ service }) => {
    const first = await newOrganization(service)
    const second = await newOrganization(service)
    const operator = await newMember(service, first.organizationId, 'OPERATOR')
    const email = await emailOf(service, operator)
    const { organizationId } = second
    await addMember(
      service.database,
      { organizationId, email, role: 'OPERATOR' },
      service.clock.read(),
    )
    const there = await signIn(service, organizationId, email)
    const { secret } = await issue(there, 'API_KEY', ['studies:read'])
    const { webhook } = (await there.client.createWebhooks({ body: webhookBody() })).body.data
    await send(service, first, 'DELETE', `/members/${email}`)
    expect((await there.client.listStudies()).status).toBe(200)
    const key = bearer(secret, organizationId, service.baseUrl)
    expect((await key.listStudies()).status).toBe(200)
    const read = await second.client.getWebhooks({ params: { id: webhook.id } })
    expect(read.body.data.status).toBe('ACTIVE')
    expect(await listRemovals(service.database, organizationId)).toEqual([])
  })

  it('keeps the last owner, and changes nothing of theirs', async ({ service }) => {
    const owner = await newOrganization(service)
    const { webhook } = (await owner.client.createWebhooks({ body: webhookBody() })).body.data
    const refused = await send(
      service,
      owner,
      'DELETE',
      `/members/${await emailOf(service, owner)}`,
    )
    expect(refused).toMatchObject({ status: 409, code: 'LIQUIDITY_MEMBERSHIP_REFUSED' })
    const read = await owner.client.getWebhooks({ params: { id: webhook.id } })
    expect(read.body.data.status).toBe('ACTIVE')
  })

  it('lets one of two owners remove the other, if both try at once', async ({ service }) => {
    const owner = await newOrganization(service)
    const other = await newMember(service, owner.organizationId, 'OWNER')
    const { organizationId } = owner
    const emails = [await emailOf(service, owner), await emailOf(service, other)]
    const ended = await Promise.allSettled(
      emails.map((email) => removeMember(service, { organizationId, email })),
    )
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})
