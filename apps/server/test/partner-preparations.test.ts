// @module-tag long
// @covers apps/server/src/families/platform/partners

import { randomUUID } from 'node:crypto'
import { H, importPublicKey, sha256Hex, verify } from '@liquidity-os/evidence'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { limits } from '../src/limits.ts'
import { sql } from '../src/store/database/sql.ts'
import {
  agree,
  contextOf,
  endConsent,
  faultsOfHistories,
  inbox,
  inboxed,
  inDays,
  kindsOf,
  mentions,
  newPartner,
  type PreparingScene,
  packetOf,
  prepare,
  prepared,
  refusal,
  type Submitted,
  scene,
  someHash,
  startPreparing,
  statusOf,
  terms,
  withPartner,
} from './support/preparing.ts'
import { callOperation } from './support/requests.ts'
import { newMember, type TestMember } from './support/service.ts'

// Bound before every test.
let service: PreparingScene['service']
let test: PreparingScene['test']
let desk: PreparingScene['desk']
let issuer: PreparingScene['issuer']
let partnerOwner: PreparingScene['partnerOwner']
let rival: PreparingScene['rival']
let partner: PreparingScene['partner']
let consent: PreparingScene['consent']
const bind = () => {
  ;({ service, test, desk, issuer, partnerOwner, rival, partner, consent } = scene)
}
beforeAll(startPreparing, 120_000)
afterAll(() => scene.stop())
beforeEach(async () => {
  await agree()
  bind()
})

const reason = 'For the test'

describe('a preparation', () => {
  it('is stored by both with a signed receipt, in the inbox of the issuer', async () => {
    const { eventId, receipt } = await prepared()
    const { serviceSignature, ...signedContent } = receipt
    const key = importPublicKey(signedContent.servicePublicKey)
    expect(verify(key, 'preparation-receipt/v1', signedContent, serviceSignature)).toBe(true)
    expect(signedContent).toMatchObject({
      eventId,
      partnerId: partner.id,
      vaultId: desk.vault.id,
      partnerOrganizationId: partnerOwner.organizationId,
      issuerOrganizationId: issuer.organizationId,
      packetHash: H('partner-packet/v1', { packet: packetOf(), note: 'As agreed in the call' }),
      submittedBy: { kind: 'SESSION', id: partnerOwner.userId },
      executionAuthorityGranted: false,
    })
    const item = await inboxed(eventId)
    expect(item?.payload).toMatchObject({
      packet: packetOf(),
      note: 'As agreed in the call',
      state: 'SUBMITTED',
      partnerName: 'Partner AG',
      receipt,
      settled: null,
    })
    expect(item?.preview).toMatchObject({ moved: [], gaps: [], policyChecks: [null] })
    expect(item?.preview?.simulation?.state).toBe('COMPLETE')
    expect(item?.preview?.decodedCalls[0]?.[0]?.words).toContain('Transfer 7 of the base')
    // Nobody of the partner is an actor of the issuer.
    expect(item?.createdBy).toEqual({ kind: 'SYSTEM', id: 'partner-preparations' })
    expect(await kindsOf(issuer, eventId)).toEqual(['partner_preparation.submitted'])
    expect(await kindsOf(partnerOwner, withPartner(eventId))).toEqual([
      'partner_preparation.submitted',
    ])
  })

  it('is made against exactly the members of the consent', async () => {
    const { vaults: shown, isWhole } = await contextOf(partnerOwner, partner)
    expect([shown.length, isWhole]).toEqual([1, true])
    const { context, contextHash } = shown[0]!
    expect(contextHash).toBe(H('partner-preparation-context/v1', context))
    expect(context).toMatchObject({
      issuerOrganizationId: issuer.organizationId,
      consentId: consent.id,
      vaultId: desk.vault.id,
      chainId: 31_337,
      safeAddress: desk.safe,
      policyLimits: null,
      controlEpoch: desk.vault.payload.controlEpoch,
    })
    const text = JSON.stringify(shown)
    const { control } = desk.vault.payload
    for (const kept of [...control.owners, desk.entryId]) expect(text).not.toContain(kept)
    const unnamed = await callOperation<{ vaults: unknown[] }>(
      partnerOwner,
      'getPartnerPreparationContext',
      {
        params: { partnerId: partner.id },
        query: { issuerOrganizationId: rival.organizationId },
      },
    )
    expect(unnamed.data.vaults).toEqual([])
  })

  it('names a member for each part, or is rejected', async () => {
    const hashes = new Set<string>()
    const changes: Record<string, unknown>[] = [
      ...[{}, { note: 'Another note' }, { note: undefined }],
      { packet: packetOf({ title: 'Another title' }) },
      { packet: packetOf({ summary: 'Another summary' }) },
      { packet: packetOf({ action: { actionType: 'VENUE_CALLS' } }) },
      { packet: packetOf({ action: { nonce: '3' } }) },
      { packet: packetOf({ action: { route: 'PRIVATE' } }) },
      { packet: packetOf({ action: { calls: [{ ...packetOf().action.calls[0]!, value: '1' }] } }) },
      { packet: packetOf({ series: [{ calls: packetOf().action.calls }] }) },
      {
        packet: packetOf({
          expectedEffects: [{ asset: 'native', minimumDelta: '-1', maximumDelta: '0' }],
        }),
      },
    ]
    for (const change of changes) {
      const { eventId, receipt } = await prepared(change)
      hashes.add(receipt.packetHash)
      const item = (await inboxed(eventId))!
      const { packet = packetOf() } = change as { packet?: object }
      expect([item.payload.packet, item.payload.note]).toEqual([
        packet,
        'note' in change ? (change.note ?? '') : 'As agreed in the call',
      ])
    }
    expect(hashes.size).toBe(changes.length)
    const response = await prepare(
      {},
      { body: { evidenceHashes: [someHash], reason: 'With evidence' } },
    )
    const item = await inboxed(response.data.eventId)
    expect([item?.evidenceHashes, item?.reason]).toEqual([[someHash], 'With evidence'])
  })

  it('is rejected if any value differs from the shown one', async () => {
    const { calls } = packetOf().action
    const [call] = calls
    const foreign = { resourceType: 'QualifiedVault', id: desk.vault.id, resourceVersion: someHash }
    const secret = { ...foreign, resourceType: 'TreasuryBucket', id: desk.entryId }
    const base = test.markets.tokens[0] as string
    const cases: [Record<string, unknown>, number, string, string][] = [
      [{ contextHash: someHash }, 412, 'LIQUIDITY_PARTNER_CONTEXT_MOVED', 'payload.contextHash'],
      [
        { consent: { id: consent.id, resourceVersion: someHash } },
        409,
        'LIQUIDITY_PARTNER_CONSENT_NOT_CURRENT',
        'payload.consent.resourceVersion',
      ],
      [
        { consent: { id: 'partner_consent_none', resourceVersion: someHash } },
        409,
        'LIQUIDITY_PARTNER_CONSENT_NOT_CURRENT',
        'payload.consent',
      ],
      [
        { issuerOrganizationId: rival.organizationId },
        409,
        'LIQUIDITY_PARTNER_CONSENT_NOT_CURRENT',
        'payload.consent',
      ],
      [
        { packet: packetOf({ vaultId: `vault_${'0'.repeat(32)}` }) },
        409,
        'LIQUIDITY_PARTNER_CONSENT_NOT_CURRENT',
        'payload.packet.vaultId',
      ],
      [{ expiresAt: inDays(15) }, 400, 'LIQUIDITY_INVALID_REQUEST', 'payload.expiresAt'],
      [{ expiresAt: inDays(-1) }, 400, 'LIQUIDITY_INVALID_REQUEST', 'payload.expiresAt'],
      [
        { packet: packetOf({ action: { chainId: 1 } }) },
        422,
        'LIQUIDITY_PROPOSAL_SAFE_MISMATCH',
        'payload.packet.action.chainId',
      ],
      [
        { packet: packetOf({ action: { safeAddress: base } }) },
        422,
        'LIQUIDITY_PROPOSAL_SAFE_MISMATCH',
        'payload.packet.action.safeAddress',
      ],
      [
        { packet: packetOf({ action: { safeAddress: desk.safe.toLowerCase() } }) },
        422,
        'LIQUIDITY_PARTNER_PACKET_NOT_CANONICAL',
        'payload.packet.action.safeAddress',
      ],
      [
        { packet: packetOf({ action: { calls: [{ ...call, value: '007' }] } }) },
        422,
        'LIQUIDITY_PARTNER_PACKET_NOT_CANONICAL',
        'payload.packet.action.calls.0.value',
      ],
      [
        {
          packet: packetOf({
            expectedEffects: [{ asset: base.toLowerCase(), minimumDelta: '0', maximumDelta: '0' }],
          }),
        },
        422,
        'LIQUIDITY_PARTNER_PACKET_NOT_CANONICAL',
        'payload.packet.expectedEffects.0.asset',
      ],
      [
        {
          packet: packetOf({
            expectedEffects: [{ asset: base, minimumDelta: '1', maximumDelta: '0' }],
          }),
        },
        422,
        'LIQUIDITY_PROPOSAL_EFFECTS_INVERTED',
        'payload.packet.expectedEffects.0.minimumDelta',
      ],
      [
        { packet: packetOf({ action: { calls: [{ ...call, data: '0xAB' }] } }) },
        400,
        'LIQUIDITY_INVALID_REQUEST',
        'payload.packet.action.calls.0.data',
      ],
      [
        { packet: packetOf({ action: { actionType: 'OWNER_CHANGE' } }) },
        400,
        'LIQUIDITY_INVALID_REQUEST',
        'payload.packet.action.actionType',
      ],
      [
        { packet: packetOf({ review: { required: 1, expiresAt: inDays(1) } }) },
        400,
        'LIQUIDITY_INVALID_REQUEST',
        'payload.packet.review',
      ],
      [
        { packet: packetOf({ sources: [foreign] }) },
        422,
        'LIQUIDITY_PARTNER_SOURCE_NOT_SHARED',
        'payload.packet.sources.0',
      ],
      // What the issuer has and does not show is told in the same words as what nobody has.
      [
        { packet: packetOf({ sources: [secret] }) },
        422,
        'LIQUIDITY_PARTNER_SOURCE_NOT_SHARED',
        'payload.packet.sources.0',
      ],
    ]
    for (const [change, status, code, field] of cases) {
      const response = await prepare(change)
      expect([...refusal(response), Object.keys(response.fieldErrors)]).toEqual([
        ...[status, code, expect.arrayContaining([field])],
      ])
    }
    expect(await inbox(issuer, { partnerId: partner.id })).toEqual([])
  })

  it('is rejected for users of other organizations, and for a viewer', async () => {
    const viewer = await newMember(service, partnerOwner.organizationId, 'VIEWER')
    const payload = await terms()
    const body = { payload, reason }
    const of = (by: TestMember) =>
      callOperation(by, 'preparePartnerProposal', { params: { partnerId: partner.id }, body })
    expect(refusal(await of(viewer))).toEqual([403, 'LIQUIDITY_ROLE_REQUIRED'])
    for (const by of [rival, issuer]) {
      expect(refusal(await of(by))).toEqual([404, 'LIQUIDITY_RESOURCE_NOT_FOUND'])
    }
  })

  it('is answered once for one key, and its receipt is found again by that key', async () => {
    const key = `key-${randomUUID()}`
    const payload = await terms()
    const request = {
      params: { partnerId: partner.id },
      body: { payload, reason },
      idempotencyKey: key,
    }
    const first = await callOperation<Submitted>(partnerOwner, 'preparePartnerProposal', request)
    const again = await callOperation<Submitted>(partnerOwner, 'preparePartnerProposal', request)
    expect([again.isReplayed, again.data]).toEqual([true, first.data])
    const other = await callOperation(partnerOwner, 'preparePartnerProposal', {
      ...request,
      body: { payload: { ...payload, note: 'Another' }, reason },
    })
    expect(refusal(other)).toEqual([409, 'LIQUIDITY_IDEMPOTENCY_KEY_REUSED'])
    await prepared()
    const idempotencyKeyHash = `0x${sha256Hex(key).replace(/^0x/, '')}`
    const found = await receipts({ idempotencyKeyHash })
    expect(found.data).toEqual({
      partnerId: partner.id,
      isWhole: true,
      receipts: [{ idempotencyKeyHash, eventId: first.data.eventId, receipt: first.data.receipt }],
    })
    expect((await receipts()).data.receipts).toHaveLength(2)
    const issuerOrganizationId = rival.organizationId
    expect((await receipts({ issuerOrganizationId })).data.receipts).toEqual([])
    expect(refusal(await receipts({}, rival))).toEqual([404, 'LIQUIDITY_RESOURCE_NOT_FOUND'])
  })

  const receipts = (query: Record<string, string> = {}, by = partnerOwner) =>
    callOperation<{ receipts: unknown[] }>(by, 'getPartnerPreparationReceiptRecovery', {
      params: { partnerId: partner.id },
      query,
    })

  it('is limited to 50 open per issuer under concurrency', async () => {
    const body = { payload: await terms(), reason }
    const one = () =>
      callOperation<Submitted>(partnerOwner, 'preparePartnerProposal', {
        params: { partnerId: partner.id },
        body,
      })
    for (let count = 0; count < limits.partnerPreparationsOfPair - 1; count += 1) {
      expect((await one()).status).toBe(201)
    }
    const both = await Promise.all([one(), one()])
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 429])
    const full = both.find(({ status }) => status === 429)!
    expect([full.code, full.fieldErrors]).toEqual([
      'LIQUIDITY_PARTNER_PREPARATION_LIMIT',
      { partnerId: ['has 50 open preparations with this issuer'] },
    ])
    expect(full.headers.get('retry-after')).not.toBeNull()
    // Only the first of a page are derived anew, and the others say so.
    const page = await inbox(issuer, { partnerId: partner.id, limit: 12 })
    const gaps = page.map(({ preview }) => preview?.gaps.map(({ code }) => code))
    expect(gaps.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => []))
    expect(gaps.slice(10)).toEqual([['PREVIEW_NOT_ASKED'], ['PREVIEW_NOT_ASKED']])
    // All of them end with their consent, in one commit.
    expect((await endConsent(issuer, consent)).status).toBe(200)
    const states = await inbox(issuer, {
      partnerId: partner.id,
      state: 'CONSENT_REVOKED',
      limit: 100,
    })
    expect(states).toHaveLength(50)
  })
})

describe('another organization', () => {
  it('finds nothing by any id of these', async () => {
    const { eventId } = await prepared()
    const own = await newPartner(scene, rival)
    const params = { partnerId: partner.id, eventId }
    for (const id of [
      ...['getPartnerPortfolio', 'getPartnerPreparationContext'],
      ...['getPartnerPreparationReceiptRecovery', 'getPartnerPreparationStatus'],
    ]) {
      const { eventId: _, ...only } = params
      const request = id === 'getPartnerPreparationStatus' ? params : only
      for (const by of [rival, issuer]) {
        expect([id, ...refusal(await callOperation(by, id, { params: request }))]).toEqual([
          ...[id, 404, 'LIQUIDITY_RESOURCE_NOT_FOUND'],
        ])
      }
    }
    // Its own partner leads it no further, whatever it names.
    expect(refusal(await statusOf(rival, own, eventId))).toEqual([
      ...[404, 'LIQUIDITY_RESOURCE_NOT_FOUND'],
    ])
    expect((await contextOf(rival, own)).vaults).toEqual([])
    const stolen = await prepare({ ...(await terms()) }, { by: rival, of: own })
    expect(refusal(stolen)).toEqual([409, 'LIQUIDITY_PARTNER_CONSENT_NOT_CURRENT'])
    expect(await mentions(rival, desk.vault.id)).toBe(0)
  })

  it('of the same partner organization is another partner', async () => {
    const { eventId } = await prepared()
    const second = await newPartner(scene, partnerOwner)
    expect((await contextOf(partnerOwner, second)).vaults).toEqual([])
    expect(refusal(await statusOf(partnerOwner, second, eventId))).toEqual([
      ...[404, 'LIQUIDITY_RESOURCE_NOT_FOUND'],
    ])
    const stolen = await prepare(await terms(), { of: second })
    expect(refusal(stolen)).toEqual([409, 'LIQUIDITY_PARTNER_CONSENT_NOT_CURRENT'])
  })

  it('sees no row of a consent but at a moment at which it is open', async () => {
    const countGrants = async (
      moment: number | null,
      organizationId = partnerOwner.organizationId,
    ) => {
      const results = await service.database.tenant(organizationId, [
        ...(moment === null ? [] : [sql`select set_config('app.moment', ${`${moment}`}, true)`]),
        sql`select consent_id from partner_grants where consent_id = ${consent.id}`,
      ])
      return results.at(-1)?.length
    }
    const now = service.clock.read()
    const end = Date.parse(consent.payload.expiresAt)
    expect([
      await countGrants(null),
      await countGrants(now),
      await countGrants(end - 1),
      await countGrants(end),
    ]).toEqual([...[0, 1, 1, 0]])
    expect(await countGrants(now, rival.organizationId)).toBe(0)
  })
})

it('leaves histories in which names and rows follow from the records', async () => {
  expect(await faultsOfHistories()).toEqual([])
})
