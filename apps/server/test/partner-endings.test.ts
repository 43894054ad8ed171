import { randomUUID } from 'node:crypto'
import type { contract } from '@liquidity-os/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expireConsents } from '../src/families/platform/partners/consents/consent-expiry.ts'
import { expirePreparations } from '../src/families/platform/partners/preparations/preparation-expiry.ts'
import { StoreUnavailableError } from '../src/store/database/database.ts'
import { sql } from '../src/store/database/sql.ts'
import type { Change } from '../src/store/records/change.ts'
import { dayMilliseconds } from '../src/units.ts'
import { configuration, type Partner } from './support/partnering.ts'
import {
  agree,
  agreeAgain,
  bring,
  type Consent,
  contextOf,
  endConsent,
  faultsOfHistories,
  grant,
  inbox,
  inboxed,
  inDays,
  kindsOf,
  mentions,
  newPartner,
  type PreparingScene,
  prepare,
  prepared,
  refusal,
  type Submitted,
  scene,
  startPreparing,
  stateOf,
  statusOf,
  terms,
  withPartner,
} from './support/preparing.ts'
import { callOperation, versionOf } from './support/requests.ts'
import { newMember, type TestMember } from './support/service.ts'
import { observed } from './support/vaults.ts'

// Bound before every test.
let service: PreparingScene['service']
let desk: PreparingScene['desk']
let issuer: PreparingScene['issuer']
let partnerOwner: PreparingScene['partnerOwner']
let partner: PreparingScene['partner']
let consent: PreparingScene['consent']
const bind = () => {
  ;({ service, desk, issuer, partnerOwner, partner, consent } = scene)
}
beforeAll(startPreparing, 120_000)
afterAll(() => scene.stop())
beforeEach(async () => {
  await agree()
  bind()
})

const reason = 'For the test'

describe('open work', () => {
  it('ends with its consent in one commit, with a notice to both', async () => {
    const { eventId, receipt } = await prepared()
    const ended = await endConsent(issuer, consent)
    expect(ended.status).toBe(200)
    expect(await stateOf(eventId)).toEqual(['CONSENT_REVOKED', 'CONSENT_REVOKED'])
    const kinds = ['partner_preparation.submitted', 'partner_preparation.declined']
    expect(await kindsOf(issuer, eventId)).toEqual(kinds)
    expect(await kindsOf(partnerOwner, withPartner(eventId))).toEqual(kinds)
    expect(refusal(await bring({ eventId, receipt }))).toEqual([
      ...[409, 'LIQUIDITY_PARTNER_PREPARATION_SETTLED'],
    ])
    expect((await contextOf(partnerOwner, partner)).vaults).toEqual([])
    expect(refusal(await prepare())).toEqual([409, 'LIQUIDITY_PARTNER_CONSENT_NOT_CURRENT'])
  })

  it('ends where the partner drops the offer, and with the partner itself', async () => {
    const { eventId } = await prepared()
    const { payload } = partner
    const domain = { id: payload.domainChallenge.id, payload: { host: payload.host } }
    const changed = await callOperation<Partner>(partnerOwner, 'updatePartnerConfiguration', {
      params: { id: partner.id },
      ifMatch: partner.resourceVersion,
      body: configuration(
        { ...domain, resourceVersion: payload.domainChallenge.resourceVersion } as never,
        { offers: ['SCORE_READ'] },
      ),
    })
    expect(refusal(changed)).toEqual([200, ''])
    expect(await stateOf(eventId)).toEqual(['CONSENT_REVOKED', 'CONSENT_REVOKED'])

    await agree()
    bind()
    const last = await prepared()
    const revoked = await callOperation(partnerOwner, 'revokePartnerTenant', {
      params: { id: partner.id },
      ifMatch: await versionOf(partnerOwner, 'getPartners', partner.id),
      body: { reason },
    })
    expect(revoked.status).toBe(200)
    expect(await stateOf(last.eventId)).toEqual(['CONSENT_REVOKED', 'CONSENT_REVOKED'])
    for (const id of ['getPartnerPreparationContext', 'getPartnerPortfolio']) {
      const response = await callOperation(partnerOwner, id, { params: { partnerId: partner.id } })
      expect(refusal(response)).toEqual([409, 'LIQUIDITY_PARTNER_NOT_ACTIVE'])
    }
    expect(refusal(await prepare())).toEqual([409, 'LIQUIDITY_PARTNER_NOT_ACTIVE'])
  })

  it('waits while the host of its partner is not proven: nothing is shown, prepared or imported', async () => {
    const submitted = await prepared()
    const { id, resourceVersion } = partner.payload.domainChallenge
    const given = await callOperation(partnerOwner, 'revokePartnerDomainChallenge', {
      params: { id },
      body: { reason, resourceVersion },
    })
    expect(refusal(given)).toEqual([200, ''])
    const paused = [409, 'LIQUIDITY_PARTNER_NOT_ACTIVE']
    expect(refusal(await bring(submitted))).toEqual(paused)
    expect(refusal(await prepare())).toEqual(paused)
    const params = { partnerId: partner.id }
    expect(refusal(await callOperation(partnerOwner, 'getPartnerPortfolio', { params }))).toEqual(
      paused,
    )
    const item = await inboxed(submitted.eventId)
    expect(item?.preview).toMatchObject({
      simulation: null,
      gaps: [{ code: 'LIQUIDITY_PARTNER_NOT_ACTIVE' }],
    })
    // Its own receipts and states stay its own.
    expect(await stateOf(submitted.eventId)).toEqual(['SUBMITTED', 'SUBMITTED'])
    const response = await callOperation<{ receipts: unknown[] }>(
      partnerOwner,
      'getPartnerPreparationReceiptRecovery',
      { params },
    )
    expect(response.data.receipts).toHaveLength(1)
  })

  it('is never left behind by a consent that ends at the same moment', async () => {
    const sent = { payload: await terms(), reason }
    const send = () =>
      callOperation<Submitted>(partnerOwner, 'preparePartnerProposal', {
        params: { partnerId: partner.id },
        body: sent,
      })
    // The preparation has read that the consent stands, and is written once that has ended.
    const late = held(partnerOwner)
    const first = send()
    await late.arrived
    const ending = await endConsent(issuer, consent)
    late.go()
    expect([ending.status, ...refusal(await first)]).toEqual([
      ...[200, 409, 'LIQUIDITY_PARTNER_CONSENT_NOT_CURRENT'],
    ])
    expect(await inbox(issuer, { partnerId: partner.id })).toEqual([])

    await agreeAgain()
    bind()
    sent.payload = await terms()
    // The other way round: the end has read that nothing is open, and is written once something is.
    const end = held(issuer)
    const ends = endConsent(issuer, consent)
    await end.arrived
    const second = await send()
    end.go()
    expect([second.status, (await ends).status]).toEqual([201, 200])
    expect(await stateOf(second.data.eventId)).toEqual(['CONSENT_REVOKED', 'CONSENT_REVOKED'])
  })

  it('is not imported under a consent that ends at the same moment', async () => {
    const submitted = await prepared()
    const late = held(issuer)
    const importing = bring(submitted)
    await late.arrived
    const ended = await endConsent(issuer, consent)
    late.go()
    expect([ended.status, ...refusal(await importing)]).toEqual([
      ...[200, 409, 'LIQUIDITY_PARTNER_PREPARATION_SETTLED'],
    ])
    expect(await stateOf(submitted.eventId)).toEqual(['CONSENT_REVOKED', 'CONSENT_REVOKED'])
  })

  it('is there for both or for none, whatever becomes of the transaction', async () => {
    const { committer } = service.services
    const commit = committer.commit.bind(committer)
    const fail = { text: 'select require_expected(1 / (select 0) = 1)' }
    const body = { payload: await terms(), reason }
    const key = `key-${randomUUID()}`
    const request = { params: { partnerId: partner.id }, body, idempotencyKey: key }
    // The database fails in the part of the other organization.
    committer.commit = (change: Change) =>
      commit({
        ...change,
        otherTenants: change.otherTenants.map((one) => ({
          ...one,
          statements: [...one.statements, fail],
        })),
      })
    const broken = await callOperation(partnerOwner, 'preparePartnerProposal', request)
    committer.commit = commit
    expect(broken.status).toBe(500)
    expect(await inbox(issuer, { partnerId: partner.id })).toEqual([])
    expect(await mentions(partnerOwner, 'As agreed in the call')).toBe(
      await mentionsOfOthers(partnerOwner),
    )
    // It is written, and the answer is lost on its way.
    committer.commit = async (change: Change) => {
      await commit(change)
      throw new StoreUnavailableError(new Error('cut'), { mayBeWritten: true })
    }
    const lost = await callOperation(partnerOwner, 'preparePartnerProposal', request)
    committer.commit = commit
    // The service looks for itself what has become of it, and so may whoever heard nothing.
    expect([lost.status, lost.isReplayed]).toEqual([201, true])
    const again = await callOperation<Submitted>(partnerOwner, 'preparePartnerProposal', request)
    expect([again.status, again.isReplayed]).toEqual([201, true])
    expect(await inbox(issuer, { partnerId: partner.id })).toHaveLength(1)
    expect(await stateOf(again.data.eventId)).toEqual(['SUBMITTED', 'SUBMITTED'])
  })

  /** Of preparations of other partners of the same organization. */
  const mentionsOfOthers = async ({ organizationId }: TestMember): Promise<number> => {
    const [rows = []] = await service.database.tenant(organizationId, [
      sql`select id from records where organization_id = ${organizationId}
        and strpos(body, 'As agreed in the call') > 0 and strpos(body, ${partner.id}) = 0`,
    ])
    return rows.length
  }

  /** Holds the next change of an organization back until it is let go. */
  function held({ organizationId }: TestMember): { arrived: Promise<void>; go: () => void } {
    const { committer } = service.services
    const commit = committer.commit.bind(committer)
    const arrived = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    committer.commit = async (change: Change) => {
      if (change.organizationId !== organizationId) return commit(change)
      committer.commit = commit
      arrived.resolve()
      await gate.promise
      return commit(change)
    }
    return { arrived: arrived.promise, go: gate.resolve }
  }
})

describe('after days', () => {
  /** Time goes by, so that everybody signs in anew and the vault is read again. */
  const later = async (days: number) => {
    service.clock.advance(days * dayMilliseconds)
    scene.issuer = await newMember(service, issuer.organizationId, 'OWNER')
    scene.partnerOwner = await newMember(service, partnerOwner.organizationId, 'OWNER')
    bind()
    await observed(service, { ...desk, owner: issuer })
  }

  it('an expired preparation is over, swept or not, with a notice to both', async () => {
    const { eventId, receipt } = await prepared({ expiresAt: inDays(1) })
    await later(1)
    expect((await statusOf(partnerOwner, partner, eventId)).data.state).toBe('EXPIRED')
    expect(refusal(await bring({ eventId, receipt }))).toEqual([
      ...[409, 'LIQUIDITY_PARTNER_PREPARATION_SETTLED'],
    ])
    expect(await inbox(issuer, { partnerId: partner.id, state: 'SUBMITTED' })).toEqual([])
    const expired = await inbox(issuer, { partnerId: partner.id, state: 'EXPIRED' })
    expect(expired.map(({ id }) => id)).toEqual([eventId])
    await expirePreparations(service.services)
    expect(await stateOf(eventId)).toEqual(['EXPIRED', 'EXPIRED'])
    const kinds = ['partner_preparation.submitted', 'partner_preparation.expired']
    expect(await kindsOf(partnerOwner, withPartner(eventId))).toEqual(kinds)
  })

  it('an expired consent grants nothing before the sweep, and its open work ends with it', async () => {
    const other = await newPartner(scene, partnerOwner)
    const expiresAt = inDays(2)
    const granted = await grant(service, issuer, other, { vaultIds: [desk.vault.id], expiresAt })
    const beyond = await prepare({ expiresAt: inDays(3) }, { of: other })
    expect([beyond.status, Object.keys(beyond.fieldErrors)]).toEqual([400, ['payload.expiresAt']])
    const response = await prepare({ expiresAt }, { of: other })
    expect(response.status).toBe(201)
    await later(2)
    expect((await contextOf(partnerOwner, other)).vaults).toEqual([])
    const portfolio = await callOperation<contract.PartnerPortfolio>(
      partnerOwner,
      'getPartnerPortfolio',
      {
        params: { partnerId: other.id },
      },
    )
    expect(portfolio.data.vaults).toEqual([])
    expect(refusal(await prepare({}, { of: other }))).toEqual([
      ...[409, 'LIQUIDITY_PARTNER_CONSENT_NOT_CURRENT'],
    ])
    await expireConsents(service.services)
    const { status } = (
      await callOperation<Consent>(issuer, 'getPartnerConsents', {
        params: { id: granted.data.id },
      })
    ).data
    expect(status).toBe('EXPIRED')
    const [item] = await inbox(issuer, { partnerId: other.id })
    expect(item?.payload.state).toBe('EXPIRED')
    expect((await statusOf(partnerOwner, other, response.data.eventId)).data.state).toBe('EXPIRED')
  })
})

it('leaves histories in which names and rows follow from the records', async () => {
  expect(await faultsOfHistories()).toEqual([])
})
