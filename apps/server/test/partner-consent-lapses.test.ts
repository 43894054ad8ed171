// @module-tag postgres

import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expireConsents } from '../src/families/platform/partners/consents/consent-expiry.ts'
import { WebhookDispatcher } from '../src/integrations/webhooks/webhook-dispatcher.ts'
import { sql } from '../src/store/database/sql.ts'
import { dayMilliseconds } from '../src/units.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { hostOf } from './support/chain.ts'
import {
  boundHost,
  configuration,
  consentTerms,
  type Partner,
  type PartnerScene,
  recordedVault,
  startPartnerScene,
} from './support/partnering.ts'
import { waitForEvents } from './support/published-events.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { callOperation, versionOf } from './support/requests.ts'
import { anotherNode, newMember, newOrganization, type TestMember } from './support/service.ts'

type Consent = VersionedRecord<contract.PartnerConsent>

const reason = 'For the test'

let scene: PartnerScene
let receiver: Receiver
let partnerOwner: TestMember
let issuer: TestMember
/** Of the test that runs. */
let partner: Partner
let vaultId: string
beforeAll(async () => {
  receiver = await startReceiver()
  scene = await startPartnerScene(8, [hostOf(receiver.url)])
  partnerOwner = await newOrganization(scene.service)
  issuer = await newOrganization(scene.service)
})
afterAll(async () => {
  await scene?.stop()
  await receiver?.stop()
})
beforeEach(async () => {
  const bound = await boundHost(scene, partnerOwner, scene.hosts.shift()!)
  partner = await partnerOf(configuration(bound))
  vaultId = await recordedVault(scene, issuer)
})

const partnerOf = async (body: object) =>
  (await callOperation<Partner>(partnerOwner, 'createVerifiedPartnerTenant', { body })).data
const grant = (by = issuer, vault = vaultId) =>
  callOperation<Consent>(by, 'grantPartnerConsent', { body: consentTerms(scene, partner, [vault]) })
const readConsent = async (id: string, by = issuer) =>
  (await callOperation<Consent>(by, 'getPartnerConsents', { params: { id } })).data

/** Thirty days go by, in which consents run out and sessions, too. */
async function afterThirtyDays(): Promise<void> {
  scene.service.clock.advance(30 * dayMilliseconds)
  issuer = await newMember(scene.service, issuer.organizationId, 'OWNER')
  partnerOwner = await newMember(scene.service, partnerOwner.organizationId, 'OWNER')
}

interface Event {
  kind: string
  payload: { consentId?: string; partnerId?: string; expiresAt?: string }
}

/** What the record of an organization says of one of its own, in order. */
async function eventsOf({ organizationId }: TestMember, subjectId: string): Promise<Event[]> {
  const [rows = []] = await scene.service.database.tenant(organizationId, [
    sql`select body from events where organization_id = ${organizationId}
      and subject_id = ${subjectId} order by sequence`,
  ])
  return rows.map(({ body }) => JSON.parse(String(body)))
}
const kindsOf = async (by: TestMember, subjectId: string) =>
  (await eventsOf(by, subjectId)).map(({ kind }) => kind)

async function subscribe(by: TestMember, path: string): Promise<void> {
  const payload = { url: `${receiver.url}${path}`, eventKinds: ['partner_consent.expired'] }
  const { status } = await callOperation(by, 'createWebhooks', { body: { payload, reason } })
  expect(status).toBe(201)
}

describe('an expired consent', () => {
  it('notifies its issuer and its partner once, and their subscribers, from any node', async () => {
    await subscribe(issuer, '/issuer')
    await subscribe(partnerOwner, '/partner')
    const { data } = await grant()
    const { expiresAt } = data.payload
    const other = await anotherNode(scene.service)
    await expireConsents(scene.service.services)
    expect(await kindsOf(issuer, data.id)).toEqual(['partner_consent.granted'])
    await afterThirtyDays()
    const revoked = await callOperation(issuer, 'revokePartnerConsent', {
      params: { id: data.id },
      ifMatch: await versionOf(issuer, 'getPartnerConsents', data.id),
      body: { reason },
    })
    expect(revoked.code).toBe('LIQUIDITY_PARTNER_CONSENT_TERMINAL')
    await Promise.all(
      [scene.service, other, scene.service].map(({ services }) => expireConsents(services)),
    )
    await expireConsents(other.services)
    const { status, payload } = await readConsent(data.id)
    expect([status, payload.ended?.because]).toEqual(['EXPIRED', 'Expired'])
    expect(await kindsOf(issuer, data.id)).toEqual([
      ...['partner_consent.granted', 'partner_consent.expired'],
    ])
    const events = await eventsOf(partnerOwner, partner.id)
    expect(events.map(({ kind }) => kind)).toEqual([
      ...['partner.created', 'partner_consent.granted', 'partner_consent.expired'],
    ])
    expect(events.at(-1)?.payload).toMatchObject({ consentId: data.id, expiresAt })
    await waitForEvents(scene.service)
    await new WebhookDispatcher(scene.service.services).dispatch()
    const seen = receiver.received.map(({ path, body }) => {
      const { type, data } = JSON.parse(body)
      return [path, type, data.subject.id]
    })
    expect(seen.toSorted()).toEqual([
      ['/issuer', 'partner_consent.expired', data.id],
      ['/partner', 'partner_consent.expired', partner.id],
    ])
  })

  it('has no effect: the same can be granted again before any sweep, after its end is announced', async () => {
    const { data: first } = await grant()
    expect((await grant()).code).toBe('LIQUIDITY_PARTNER_CONSENT_EXISTS')
    await afterThirtyDays()
    const again = await grant()
    expect([again.status, again.data.status]).toEqual([201, 'ACTIVE'])
    expect((await readConsent(first.id)).status).toBe('EXPIRED')
    const events = await eventsOf(partnerOwner, partner.id)
    expect(events.slice(1).map(({ kind, payload }) => [kind, payload.consentId])).toEqual([
      ['partner_consent.granted', first.id],
      ['partner_consent.expired', first.id],
      ['partner_consent.granted', again.data.id],
    ])
    await expireConsents(scene.service.services)
    expect(await kindsOf(issuer, first.id)).toHaveLength(2)
    expect((await readConsent(again.data.id)).status).toBe('ACTIVE')
    expect((await grant()).code).toBe('LIQUIDITY_PARTNER_CONSENT_EXISTS')
  })

  it('is reported if an organization grants to itself', async () => {
    const own = await recordedVault(scene, partnerOwner)
    const { data } = await grant(partnerOwner, own)
    await afterThirtyDays()
    await expireConsents(scene.service.services)
    expect((await readConsent(data.id, partnerOwner)).status).toBe('EXPIRED')
    expect((await kindsOf(partnerOwner, data.id)).at(-1)).toBe('partner_consent.expired')
    expect((await kindsOf(partnerOwner, partner.id)).at(-1)).toBe('partner_consent.expired')
  })
})

it('leaves histories in which names and rows follow from the records', async () => {
  const { database, services } = scene.service
  for (const { organizationId } of [partnerOwner, issuer]) {
    const { faults } = await verifyHistory(database, organizationId, services.artifacts)
    expect(faults).toEqual([])
  }
})
