import type { contract } from '@liquidity-os/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { vaults } from '../src/families/prove/vaults/records.ts'
import { TenantRecords } from '../src/store/records/tenant-records.ts'
import {
  agree,
  agreeAgain,
  bring,
  contextOf,
  decline,
  endConsent,
  faultsOfHistories,
  inbox,
  inboxed,
  inDays,
  kindsOf,
  mentions,
  type PreparingScene,
  packetOf,
  prepared,
  refusal,
  scene,
  someHash,
  startPreparing,
  stateOf,
  statusOf,
  terms,
  withPartner,
} from './support/preparing.ts'
import { approved, decide } from './support/proposing.ts'
import { callOperation } from './support/requests.ts'
import { theVault } from './support/vaults.ts'

// Bound before every test.
let service: PreparingScene['service']
let desk: PreparingScene['desk']
let issuer: PreparingScene['issuer']
let partnerOwner: PreparingScene['partnerOwner']
let rival: PreparingScene['rival']
let partner: PreparingScene['partner']
let consent: PreparingScene['consent']
const bind = () => {
  ;({ service, desk, issuer, partnerOwner, rival, partner, consent } = scene)
}
beforeAll(startPreparing, 120_000)
afterAll(() => scene.stop())
beforeEach(async () => {
  await agree()
  bind()
})

const reason = 'For the test'

describe('an import', () => {
  it('creates a proposal without approvals for the issuer; the partner sees only a phase', async () => {
    const { eventId, receipt } = await prepared()
    const response = await bring({ eventId, receipt })
    expect(refusal(response)).toEqual([201, ''])
    const { payload, status } = response.data
    expect([status, payload.phase, payload.approvals]).toEqual(['VALIDATED', 'OPEN', []])
    expect(payload).toMatchObject({
      importedFrom: { partnerId: partner.id, eventId, packetHash: receipt.packetHash },
      preparedBy: { userId: issuer.userId },
      title: 'Pay the auditor',
    })
    expect(await stateOf(eventId)).toEqual(['IMPORTED', 'IMPORTED'])
    const item = await inboxed(eventId)
    expect(item?.payload.settled?.proposal).toEqual({
      id: response.data.id,
      resourceVersion: response.data.resourceVersion,
    })
    expect(item?.preview).toBeNull()
    const phase = async () => (await statusOf(partnerOwner, partner, eventId)).data.phase
    expect(await phase()).toBe('OPEN')
    // Whoever imports has prepared it: that approval counts for nothing where two are asked for.
    expect((await decide(issuer, response.data.id, 'APPROVE')).data.approvals.count).toBe(0)
    await approved(desk, response.data.id)
    expect(await phase()).toBe('APPROVED')
    expect(await mentions(partnerOwner, response.data.id)).toBe(0)
    expect(await mentions(partnerOwner, 'Matches our request')).toBe(0)
    const again = await bring({ eventId, receipt })
    expect(refusal(again)).toEqual([409, 'LIQUIDITY_PARTNER_PREPARATION_SETTLED'])
    expect(refusal(await decline(issuer, eventId))).toEqual(refusal(again))
    expect(await kindsOf(partnerOwner, withPartner(eventId))).toEqual([
      ...['partner_preparation.submitted', 'partner_preparation.imported'],
    ])
    // Once the consent has ended the partner is not told how it goes on.
    await endConsent(issuer, consent)
    expect((await statusOf(partnerOwner, partner, eventId)).data).toMatchObject({
      state: 'IMPORTED',
      phase: null,
    })
  })

  it('reports an ended proposal as closed', async () => {
    const submitted = await prepared()
    const { data } = await bring(submitted)
    await decide(desk.reviewers[0], data.id, 'REJECT')
    expect((await statusOf(partnerOwner, partner, submitted.eventId)).data.phase).toBe('CLOSED')
  })

  it('acts by each of its members, or is refused for it', async () => {
    const submitted = await prepared()
    const changed = await bring(submitted, { expectedPacketHash: someHash })
    expect([...refusal(changed), Object.keys(changed.fieldErrors)]).toEqual([
      ...[412, 'LIQUIDITY_PARTNER_PACKET_CHANGED', ['expectedPacketHash']],
    ])
    const far = await bring(submitted, { review: { required: 1, expiresAt: inDays(40) } })
    expect([far.code, Object.keys(far.fieldErrors)]).toEqual([
      ...['LIQUIDITY_PROPOSAL_EXPIRY', ['review.expiresAt']],
    ])
    const many = await bring(submitted, { review: { required: 20, expiresAt: inDays(1) } })
    expect([many.code, Object.keys(many.fieldErrors)]).toEqual([
      ...['LIQUIDITY_PROPOSAL_QUORUM_IMPOSSIBLE', ['review.required']],
    ])
    const unknownReviewer = { required: 1, reviewers: ['nobody'], expiresAt: inDays(1) }
    const unfit = await bring(submitted, { review: unknownReviewer })
    expect([unfit.code, Object.keys(unfit.fieldErrors)]).toEqual([
      ...['LIQUIDITY_PROPOSAL_REVIEWER_INELIGIBLE', ['review.reviewers']],
    ])
    expect(await stateOf(submitted.eventId)).toEqual(['SUBMITTED', 'SUBMITTED'])
    const reviewers = [desk.reviewers[0].userId]
    const review = { required: 1, reviewers, expiresAt: inDays(1) }
    const { data } = await bring(submitted, { review, reason: 'Reviewed by one' })
    expect([data.payload.review, data.reason]).toEqual([
      { ...review, expiresAt: data.payload.review.expiresAt },
      'Reviewed by one',
    ])
  })

  it('is refused to an analyst and to everybody else', async () => {
    const submitted = await prepared()
    expect(refusal(await bring(submitted, {}, desk.analyst))).toEqual([
      ...[403, 'LIQUIDITY_ROLE_REQUIRED'],
    ])
    for (const by of [partnerOwner, rival]) {
      const responses = [await bring(submitted, {}, by), await decline(by, submitted.eventId)]
      for (const one of responses)
        expect(refusal(one)).toEqual([404, 'LIQUIDITY_RESOURCE_NOT_FOUND'])
      expect(await inbox(by)).toEqual([])
    }
  })

  it('continues after a new read of its vault, and rejects another changed source by name', async () => {
    await newPolicy()
    await endConsent(issuer, consent)
    await agreeAgain(['PROPOSAL_PREPARE', 'PORTFOLIO_SUMMARY', 'POLICY_LIMITS_READ'])
    const before = await theVault(issuer)
    const { data: shown } = await callOperation<contract.PartnerPortfolio>(
      partnerOwner,
      'getPartnerPortfolio',
      { params: { partnerId: partner.id } },
    )
    const [first] = shown.vaults
    const [ofVault, ofPolicy] = [first!.summary!.source!, first!.policy!.source!]
    const submitted = await prepared({ packet: packetOf({ sources: [ofVault, ofPolicy] }) })
    const other = await prepared({ packet: packetOf({ sources: [ofVault] }) })
    await writeVault()
    expect((await theVault(issuer)).resourceVersion).not.toBe(before.resourceVersion)
    expect((await inboxed(other.eventId))?.preview?.moved).toEqual([])
    expect(refusal(await bring(other))).toEqual([201, ''])
    const paused = await callOperation<{ resourceVersion: string }>(
      issuer,
      'supersedeAutonomyPolicies',
      {
        params: { id: ofPolicy.id },
        ifMatch: ofPolicy.resourceVersion,
        body: { status: 'PAUSED', reason },
      },
    )
    expect(refusal(paused)).toEqual([200, ''])
    const [was, is] = [ofPolicy.resourceVersion, paused.data.resourceVersion]
    const moved = await bring(submitted)
    expect([...refusal(moved), moved.fieldErrors]).toEqual([
      ...[412, 'LIQUIDITY_PARTNER_PREPARATION_MOVED'],
      { 'packet.sources.1': [`must be ${was} as prepared, got ${is}`] },
    ])
    expect((await inboxed(submitted.eventId))?.preview?.moved).toEqual([
      { at: 'packet.sources.1', prepared: was, now: is },
    ])
    expect(await stateOf(submitted.eventId)).toEqual(['SUBMITTED', 'SUBMITTED'])
    // The limits of a policy that is paused are told by no figure.
    const after = await callOperation<contract.PartnerPortfolio>(
      partnerOwner,
      'getPartnerPortfolio',
      {
        params: { partnerId: partner.id },
      },
    )
    expect(after.data.vaults[0]?.policy).toMatchObject({
      value: null,
      missing: 'The policy of the vault is paused.',
      source: null,
    })
    await endPolicy({ id: ofPolicy.id, resourceVersion: is })
  })

  it('has nothing of a vault that is retired: it is not shown, and not prepared for', async () => {
    await endConsent(issuer, consent)
    await agreeAgain(['PROPOSAL_PREPARE', 'PORTFOLIO_SUMMARY'])
    const shown = async () => {
      const params = { partnerId: partner.id }
      const { data } = await callOperation<contract.PartnerPortfolio>(
        partnerOwner,
        'getPartnerPortfolio',
        {
          params,
        },
      )
      return [data.vaults.length, (await contextOf(partnerOwner, partner)).vaults.length]
    }
    const payload = await terms()
    expect(await shown()).toEqual([1, 1])
    const { status } = await theVault(issuer)
    await writeVault({}, 'RETIRED')
    expect(await shown()).toEqual([0, 0])
    const response = await callOperation(partnerOwner, 'preparePartnerProposal', {
      params: { partnerId: partner.id },
      body: { payload, reason },
    })
    expect([...refusal(response), response.fieldErrors]).toEqual([
      ...[409, 'LIQUIDITY_PARTNER_CONSENT_NOT_CURRENT'],
      {
        'payload.packet.vaultId': [
          `must be a vault of the issuer that is not RETIRED, got ${desk.vault.id}`,
        ],
      },
    ])
    await writeVault({}, status)
    expect((await bring(await prepared())).status).toBe(201)
  })

  it('rejects a preparation under outdated limits that the partner saw', async () => {
    const policy = await newPolicy()
    await endConsent(issuer, consent)
    await agreeAgain(['PROPOSAL_PREPARE', 'POLICY_LIMITS_READ'])
    const shown = {
      level: 1,
      maximumSlippagePips: 5000,
      expiresAt: policyLimits.expiresAt,
      caps: { maximumAmountPerTransaction: '1000000', maximumDailyTurnover: '5000000' },
    }
    const submitted = await prepared()
    const item = await inboxed(submitted.eventId)
    expect(item?.payload.context.policyLimits).toEqual(shown)
    expect(item?.preview?.policyChecks[0]?.verdict).toBe('DENY')
    await endPolicy(policy)
    const response = await bring(submitted)
    expect([...refusal(response), Object.keys(response.fieldErrors)]).toEqual([
      ...[412, 'LIQUIDITY_PARTNER_PREPARATION_MOVED', ['context.policyLimits']],
    ])
    expect(response.fieldErrors['context.policyLimits']?.[0]).toMatch(/, got null$/)
  })

  it('rejects a preparation for another control of the vault', async () => {
    const submitted = await prepared()
    const kept = await theVault(issuer)
    const epoch = kept.payload.controlEpoch
    await writeVault({ controlEpoch: `${BigInt(epoch) + 1n}` })
    const response = await bring(submitted)
    expect([...refusal(response), response.fieldErrors]).toEqual([
      412,
      'LIQUIDITY_PARTNER_PREPARATION_MOVED',
      {
        'context.controlEpoch': [`must be ${epoch} as prepared, got ${BigInt(epoch) + 1n}`],
      },
    ])
    await writeVault({ controlEpoch: epoch })
    expect((await bring(submitted)).status).toBe(201)
  })

  it('happens once under concurrency', async () => {
    const submitted = await prepared()
    const both = await Promise.all([bring(submitted), bring(submitted)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
    const mixed = await prepared()
    const [brought, declined] = await Promise.all([bring(mixed), decline(issuer, mixed.eventId)])
    const won = brought.status === 201 ? 'IMPORTED' : 'DECLINED'
    expect([brought.status, declined.status].toSorted()).toEqual([
      ...(won === 'IMPORTED' ? [201, 409] : [200, 409]),
    ])
    expect(await stateOf(mixed.eventId)).toEqual([won, won])
  })

  const policyLimits = {
    level: 1,
    maximumAmountPerTransaction: '1000000',
    maximumDailyTurnover: '5000000',
    maximumSlippagePips: 5000,
    expiresAt: '2026-06-01T00:00:00Z',
  }
  interface Policy {
    readonly id: string
    readonly resourceVersion: string
  }

  async function newPolicy(): Promise<Policy> {
    const response = await callOperation<Policy>(issuer, 'createAutonomyPolicies', {
      body: {
        payload: {
          ...policyLimits,
          vaultId: desk.vault.id,
          publicMempoolFallbackAllowed: false,
          approvedContracts: [],
          approvedAssets: [],
          approvedAdapterIds: [],
          minimumSecondsBetweenActions: 3600,
          oracleMaximumAgeSeconds: 300,
          controlEpoch: desk.vault.payload.controlEpoch,
        },
        reason,
      },
    })
    expect(refusal(response)).toEqual([201, ''])
    return response.data
  }

  async function endPolicy({ id, resourceVersion }: Policy): Promise<void> {
    const response = await callOperation(issuer, 'supersedeAutonomyPolicies', {
      params: { id },
      ifMatch: resourceVersion,
      body: { status: 'REVOKED', reason },
    })
    expect(refusal(response)).toEqual([200, ''])
  }

  /** Another version of the vault, as its next reading would write it. */
  async function writeVault(change: Partial<contract.QualifiedVault> = {}, state?: string) {
    const { database, verified, artifacts, clock, committer } = service.services
    const { organizationId } = issuer
    const actor = { kind: 'SYSTEM', id: 'test' } as const
    const terms = { organizationId, actor, now: clock(), database, verified, artifacts }
    const records = new TenantRecords({ ...terms, purpose: 'REQUEST' })
    const current = (await vaults.current(records, desk.vault.id))!
    const { status, payload } = current.record
    await committer.commit(
      vaults.next(records, current, {
        status: state ?? status,
        reason,
        event: 'vault.snapshot',
        payload: { ...payload, ...change },
      }).change,
    )
  }
})

describe('a decline', () => {
  it('shows the partner only its own data', async () => {
    const { eventId } = await prepared()
    const visibleReason = 'Please prepare two packets'
    const response = await decline(issuer, eventId, {
      reason: 'We do not trust them',
      visibleReason,
    })
    expect([response.status, response.data.status]).toEqual([200, 'REVOKED'])
    expect(response.data.payload.settled).toMatchObject({ because: 'We do not trust them' })
    expect((await statusOf(partnerOwner, partner, eventId)).data).toMatchObject({
      state: 'DECLINED',
      phase: null,
      visibleReason,
    })
    expect(await mentions(partnerOwner, 'We do not trust them')).toBe(0)
    const silent = await prepared()
    await decline(issuer, silent.eventId)
    expect((await statusOf(partnerOwner, partner, silent.eventId)).data).toMatchObject({
      state: 'DECLINED',
      visibleReason: null,
    })
    expect(refusal(await decline(issuer, eventId))).toEqual([
      ...[409, 'LIQUIDITY_PARTNER_PREPARATION_SETTLED'],
    ])
  })
})

it('leaves histories in which names and rows follow from the records', async () => {
  expect(await faultsOfHistories()).toEqual([])
})
