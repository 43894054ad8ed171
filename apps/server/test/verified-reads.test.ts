// @module-tag postgres

import { type LooseRequest, send } from '@liquidity-os/client'
import { operationById } from '@liquidity-os/contract'
import { EvidenceError } from '@liquidity-os/evidence'
import { describe, expect } from 'vitest'
import { WebhookDispatcher } from '../src/integrations/webhooks/webhook-dispatcher.ts'
import { recordsOf } from './support/admissible.ts'
import { venueBody } from './support/bodies.ts'
import { hostOf } from './support/chain.ts'
import { conformingFetch } from './support/conforming-fetch.ts'
import { started, test } from './support/fixtures.ts'
import { startReceiver } from './support/receiver.ts'
import { newOrganization, type TestMember, type TestService } from './support/service.ts'

const it = test
  .extend('receiver', { scope: 'file' }, started(startReceiver))
  .extend('settings', { scope: 'file' }, ({ receiver }) => ({
    OUTBOUND_ALLOW: hostOf(receiver.url),
  }))

/** Writes past the service, as whoever holds the database can. */
const tamper = (service: TestService, text: string, values: unknown[] = []) =>
  service.database.pool.query(text, values)

async function ask(by: TestMember, id: string, request: LooseRequest = {}): Promise<number> {
  const operation = operationById.get(id)!
  const answer = await send({ ...by.options, fetch: conformingFetch }, operation, request)
  await answer.bytes()
  return answer.status
}

interface Venue {
  id: string
  resourceVersion: string
}

/** An organization with two venues; no other test reads what is done to them. */
async function twoVenues(service: TestService): Promise<{ owner: TestMember; a: Venue; b: Venue }> {
  const owner = await newOrganization(service)
  const made = async (index: number) =>
    (await owner.client.createVenues({ body: venueBody(index) })).body.data
  return { owner, a: await made(1), b: await made(2) }
}

const revoke = (owner: TestMember, { id, resourceVersion }: Venue) =>
  ask(owner, 'supersedeVenues', {
    params: { id },
    ifMatch: resourceVersion,
    body: { status: 'REVOKED', reason: 'For the test' },
  })

describe('altered data in the store is never returned', () => {
  it('to a repeated key, neither with other words nor as another record', async ({ service }) => {
    const { owner, a, b } = await twoVenues(service)
    const again = { body: venueBody(3), idempotencyKey: 'asked-again-1' }
    const { body } = await owner.client.createVenues(again)
    const { id } = body.data
    expect(await ask(owner, 'createVenues', again)).toBe(201)
    await tamper(
      service,
      `update records set body = replace(body, '"reason":"', '"reason":"X') where id = $1`,
      [id],
    )
    expect(await ask(owner, 'createVenues', again)).toBe(500)
    await tamper(
      service,
      'update records set body = (select body from records where id = $2 and sequence = 1) where id = $1',
      [id, a.id],
    )
    expect(await ask(owner, 'createVenues', again)).toBe(500)
    expect(await ask(owner, 'getVenues', { params: { id: b.id } })).toBe(200)
  })

  it('as a record in the place of another, under its own hash', async ({ service }) => {
    const { owner, a, b } = await twoVenues(service)
    await tamper(
      service,
      'update records set body = (select body from records where id = $2) where id = $1',
      [a.id, b.id],
    )
    await tamper(service, 'update record_heads set resource_version = $2 where id = $1', [
      a.id,
      b.resourceVersion,
    ])
    for (const [id, request] of [
      ['getVenues', { params: { id: a.id } }],
      ['listVenues', {}],
    ] as const) {
      expect([id, await ask(owner, id, request)]).toEqual([id, 500])
    }
    expect(await revoke(owner, { id: a.id, resourceVersion: b.resourceVersion })).toBe(500)
    expect(await ask(owner, 'getVenues', { params: { id: b.id } })).toBe(200)
  })

  it('as a version with other words, or of another record', async ({ service }) => {
    const { owner, a, b } = await twoVenues(service)
    const records = recordsOf(service, owner)
    expect(await records.versions('VenueProfile', a.id, { limit: 9 })).toHaveLength(1)
    const reword = (from: string, to: string) =>
      tamper(service, 'update records set body = replace(body, $2, $3) where id = $1', [
        a.id,
        from,
        to,
      ])
    await reword('"reason":"', '"reason":"X')
    await expect(records.versions('VenueProfile', a.id, { limit: 9 })).rejects.toThrow(
      EvidenceError,
    )
    await tamper(
      service,
      'update records set body = (select body from records where id = $2) where id = $1',
      [a.id, b.id],
    )
    const misplaced = /is stored in place of version 1 of/
    await expect(records.versions('VenueProfile', a.id, { limit: 9 })).rejects.toThrow(misplaced)
    await expect(records.version('VenueProfile', a.id, b.resourceVersion)).rejects.toThrow(
      misplaced,
    )
  })

  it('as a head that says another state, or another version than its text', async ({ service }) => {
    const { owner, a, b } = await twoVenues(service)
    await tamper(service, `update record_heads set status = 'VALIDATED' where id = $1`, [a.id])
    await tamper(service, 'update record_heads set resource_version = $2 where id = $1', [
      b.id,
      `0x${'1'.repeat(64)}`,
    ])
    expect(await ask(owner, 'getVenues', { params: { id: a.id } })).toBe(500)
    expect(await ask(owner, 'getVenues', { params: { id: b.id } })).toBe(500)
  })

  it('as the current version after a head was reset', async ({ service }) => {
    const { owner, a } = await twoVenues(service)
    expect(await revoke(owner, a)).toBe(200)
    await tamper(
      service,
      `update record_heads set sequence = 1, resource_version = $2, status = 'DRAFT' where id = $1`,
      [a.id, a.resourceVersion],
    )
    expect(await revoke(owner, a)).toBe(500)
  })

  it('as an event to a receiver, or in the list of deliveries', async ({ service, receiver }) => {
    const owner = await newOrganization(service)
    const payload = { url: receiver.url, eventKinds: ['venue.created'] }
    const { body } = await owner.client.createWebhooks({
      body: { payload, reason: 'For the test' },
    })
    const params = { id: body.data.webhook.id }
    const venue = (await owner.client.createVenues({ body: venueBody(1) })).body.data
    expect(await ask(owner, 'listWebhookDeliveries', { params })).toBe(200)
    await tamper(
      service,
      `update events set body = replace(body, 'venue.created', 'venue.indexed') where subject_id = $1`,
      [venue.id],
    )
    await new WebhookDispatcher(service.services).dispatch()
    expect(receiver.received).toEqual([])
    expect(await ask(owner, 'listWebhookDeliveries', { params })).toBe(500)
  })
})

it('a cursor of one record’s list is no cursor of another’s', async ({ service, receiver }) => {
  const owner = await newOrganization(service)
  const hook = async () => {
    const payload = { url: receiver.url, eventKinds: ['venue.created'] }
    const { body } = await owner.client.createWebhooks({
      body: { payload, reason: 'For the test' },
    })
    return body.data.webhook.id
  }
  const [one, other] = [await hook(), await hook()]
  for (const index of [1, 2]) await owner.client.createVenues({ body: venueBody(index) })
  const { body } = await owner.client.listWebhookDeliveries({
    params: { id: one },
    query: { limit: 1 },
  })
  const query = { limit: 1, cursor: body.meta.nextCursor! }
  expect(await ask(owner, 'listWebhookDeliveries', { params: { id: one }, query })).toBe(200)
  expect(await ask(owner, 'listWebhookDeliveries', { params: { id: other }, query })).toBe(400)
})
