// @module-tag long
// @covers apps/server/src/families/operate/market-maker-mandates apps/server/src/families/platform/partners

import { contract } from '@liquidity-os/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sweepMandates } from '../src/families/operate/market-maker-mandates/mandate-sweep.ts'
import { sql } from '../src/store/database/sql.ts'
import { dayMilliseconds } from '../src/units.ts'
import { poolBody } from './support/chain.ts'
import { ingest, type Mandate, mandated, noon, samplesFrom, uptime } from './support/mandating.ts'
import { startPartnerWorld } from './support/partner-world.ts'
import type { Partner, PartnerScene } from './support/partnering.ts'
import { type PassportScene, startPassportScene, stopPassportScene } from './support/passporting.ts'
import { endConsent, grant, newPartner } from './support/preparing.ts'
import { callOperation } from './support/requests.ts'
import { newMember, newOrganization, type TestMember, type TestService } from './support/service.ts'

let published: PassportScene
let scene: PartnerScene
let service: TestService
/** Owners: of the issuer, of the organization of the partner, and of another issuer. */
let issuer: TestMember
let partnerOwner: TestMember
let rival: TestMember
let mandate: Mandate
beforeAll(async () => {
  const hosts = Array.from({ length: 30 }, (_, index) => `host${index}.partner.test`)
  const world = await startPartnerWorld(hosts)
  published = await startPassportScene({
    ...world.environment,
    OUTBOUND_ALLOW: world.allowed.join(','),
  })
  service = published.service
  issuer = published.owner
  world.leadTo(service.baseUrl)
  scene = { ...world, service, hosts }
  partnerOwner = await newOrganization(service, 'Partner')
  rival = await newOrganization(service, 'Rival')
  const { pair } = poolBody(published.test).payload
  mandate = await mandated(issuer, { pair })
  // Of the last day whose window is told: evidence may come for a day after its end.
  const lastSampleAt = noon - 43_200 - 2 * 86_400
  await ingest(issuer, mandate.id, { samples: samplesFrom(lastSampleAt, 144) })
  await sweepMandates(service.services)
})
afterAll(async () => {
  await stopPassportScene(published)
  await scene.stop()
})

let partner: Partner
beforeEach(async () => {
  partner = await newPartner(scene, partnerOwner)
})

const { consentScopes, scopeTerms } = contract
type Scope = contract.ConsentScope
const members = {
  PORTFOLIO_SUMMARY: 'summary',
  PROPOSAL_PREPARE: 'prepare',
  SCORE_READ: 'score',
  REPORT_READ: 'reports',
  MANDATE_KPIS_READ: 'mandates',
  POLICY_LIMITS_READ: 'policy',
  TREASURY_TOTALS_READ: 'treasury',
} as const satisfies Partial<Record<Scope, keyof contract.SharedVault>>
const granting = (scopes: readonly string[], expiresAt?: string) =>
  grant(service, issuer, partner, {
    vaultIds: [published.vault.id],
    scopes,
    ...(expiresAt ? { expiresAt } : {}),
  })
const portfolio = async (query: Record<string, string> = {}, by = partnerOwner) =>
  (
    await callOperation<contract.PartnerPortfolio>(by, 'getPartnerPortfolio', {
      params: { partnerId: partner.id },
      query,
    })
  ).data
const theVault = async () => (await portfolio()).vaults[0]!

/** The members that a value says of what a scope is called, lists and places left out. */
function pathsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(pathsOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.keys(value)
}

describe('a portfolio', () => {
  it('shows nothing without a consent, and of another issuer nothing at all', async () => {
    expect(await portfolio()).toMatchObject({ vaults: [], isWhole: true })
    await granting([...consentScopes])
    const other = await portfolio({ issuerOrganizationId: rival.organizationId })
    expect(other.vaults).toEqual([])
    const own = await portfolio({ issuerOrganizationId: issuer.organizationId })
    expect(own.vaults).toHaveLength(1)
  })

  it.each(Object.entries(members) as [Scope, keyof contract.SharedVault][])(
    'shows by %s its own members and withholds every other',
    async (scope, name) => {
      const { data: consent } = await granting([scope])
      const vault = await theVault()
      expect(vault).toMatchObject({
        issuerOrganizationId: issuer.organizationId,
        vaultId: published.vault.id,
        scopes: [scope],
        withheld: consentScopes.filter((one) => one !== scope),
      })
      const shown = Object.values(members).filter((member) => vault[member] !== null)
      expect(shown).toEqual([name])
      const figure = vault[name] as NonNullable<contract.SharedVault['summary']>
      expect(figure.consent).toEqual({ id: consent.id, resourceVersion: consent.resourceVersion })
      expect([figure.missing, figure.value === null]).toEqual(
        scope === 'POLICY_LIMITS_READ' ? ['The vault has no current policy.', true] : [null, false],
      )
      // What the receipt of the consent names is all that is there.
      const named = scopeTerms[scope].reveals.map((path) => path.split('.')[1])
      const keys = pathsOf(figure.value).filter((key) => !named.includes(key))
      expect(keys).toEqual([])
    },
  )

  it('says the figures that the issuer has', async () => {
    await granting([...consentScopes])
    const vault = await theVault()
    const { pair, chainId, snapshot, ledgerEntries, controlEpoch } = published.vault.payload
    expect(vault.withheld).toEqual([])
    expect(vault.summary?.value).toEqual({ chainId, pair, qualification: 'QUALIFIED', snapshot })
    expect(vault.prepare?.value).toEqual({
      chainId,
      safeAddress: published.vaulted.safe,
      pair,
      controlEpoch,
    })
    const [score] = (
      await callOperation<{ id: string; payload: contract.MarketQualityScore }[]>(
        issuer,
        'listScores',
        {
          query: { status: 'ACTIVE' },
        },
      )
    ).data
    const { state, scorePips, window, passportClaims } = score!.payload
    expect(vault.score?.value).toEqual({
      state,
      scorePips,
      window,
      usableDepthByTradeSize: passportClaims?.usableDepthByTradeSize,
    })
    expect(vault.score?.source?.id).toBe(score!.id)
    expect(vault.reports?.value).toMatchObject([{ formats: ['json', 'csv'] }])
    expect(vault.mandates?.value).toHaveLength(1)
    const [shown] = vault.mandates!.value!
    expect(shown?.obligations).toEqual([uptime])
    expect(shown?.windows[0]).toMatchObject({ kpiId: 'uptime', verdict: 'MET' })
    // The maker, its pay and its books are nobody's but the issuer's.
    expect(JSON.stringify(vault)).not.toContain('A maker')
    const [entry] = (
      await callOperation<{ id: string; payload: contract.TreasuryHolding }[]>(
        issuer,
        'listTreasuryEntries',
      )
    ).data.filter(({ id }) => ledgerEntries.some((one) => one.id === id))
    const { asset, observed, computation } = entry!.payload
    expect(vault.treasury?.value).toEqual([
      { assetKey: asset, total: observed?.quantity, asOf: computation.snapshot?.asOf },
    ])
    expect(JSON.stringify(vault.treasury)).not.toContain(entry!.id)
  })

  it('says until when a figure may be relied on: its own end, or that of the consent', async () => {
    const until = new Date(service.clock.read() + 600_000).toISOString()
    const { data: brief } = await granting(['SCORE_READ'], until)
    expect((await theVault()).score?.expiresAt).toBe(until)
    await endConsent(issuer, brief)
    await granting(['SCORE_READ', 'PORTFOLIO_SUMMARY', 'TREASURY_TOTALS_READ'])
    const { score, summary, treasury } = await theVault()
    const observed = Date.parse(treasury!.value![0]!.asOf)
    expect(Date.parse(treasury!.asOf!)).toBe(observed)
    expect(treasury!.expiresAt).toBe(new Date(observed + dayMilliseconds).toISOString())
    const snapshot = Date.parse(published.vault.payload.snapshot.timestamp)
    expect(summary?.expiresAt).toBe(new Date(snapshot + 3_600_000).toISOString())
    expect(Date.parse(score!.expiresAt!)).toBeGreaterThan(service.clock.read() + dayMilliseconds)
  })

  it('says of a report that is damaged that it could not be read, and shows everything else', async () => {
    await granting([...consentScopes])
    const [{ body } = { body: '' }] = (
      await service.database.tenant(issuer.organizationId, [
        sql`select body from events where organization_id = ${issuer.organizationId}
          and kind = 'study.report_signed'`,
      ])
    )[0]!
    const { reportHash } = JSON.parse(String(body)).payload as { reportHash: string }
    const update = (content: string) =>
      service.database.pool.query(
        `update artifacts set content = ${content} where content_hash = $1`,
        [reportHash],
      )
    await update(`content || 'x'::bytea`)
    const vault = await theVault()
    await update('substring(content from 1 for length(content) - 1)')
    expect(vault.reports).toMatchObject({
      value: null,
      missing: 'Unreadable signed reports of the issuer: 1.',
    })
    const { summary, score, mandates, treasury } = vault
    expect([summary, score, mandates, treasury].map((one) => one?.missing)).toEqual([
      ...[null, null, null, null],
    ])
    expect((await theVault()).reports).toMatchObject({ value: [{}], missing: null })
  })

  it('shows by each of several consents what that one grants', async () => {
    const first = (await granting(['SCORE_READ'])).data
    const second = (await granting(['PORTFOLIO_SUMMARY'])).data
    const vault = await theVault()
    expect([vault.score?.consent.id, vault.summary?.consent.id]).toEqual([first.id, second.id])
    await endConsent(issuer, first)
    const after = await theVault()
    expect([after.score, after.summary?.consent.id]).toEqual([null, second.id])
    expect(after.withheld).toContain('SCORE_READ')
  })

  it('is of the members of the partner alone, who may read it in any role', async () => {
    await granting(['SCORE_READ'])
    const viewer = await newMember(service, partnerOwner.organizationId, 'VIEWER')
    expect((await portfolio({}, viewer)).vaults).toHaveLength(1)
    for (const by of [issuer, rival]) {
      const response = await callOperation(by, 'getPartnerPortfolio', {
        params: { partnerId: partner.id },
      })
      expect([response.status, response.code]).toEqual([404, 'LIQUIDITY_RESOURCE_NOT_FOUND'])
    }
  })

  it('takes the sources of a preparation from the shown data', async () => {
    await granting(['PROPOSAL_PREPARE', 'SCORE_READ'])
    const vault = await theVault()
    const [first] = (
      await callOperation<{ vaults: { consent: object; contextHash: string }[] }>(
        partnerOwner,
        'getPartnerPreparationContext',
        { params: { partnerId: partner.id } },
      )
    ).data.vaults
    const packet = {
      title: 'Deepen',
      summary: 'Thin below.',
      vaultId: published.vault.id,
      action: {
        actionType: 'VENUE_CALLS',
        chainId: 31_337,
        safeAddress: published.vaulted.safe,
        calls: [{ to: published.test.markets.tokens[0] as string, value: '0', data: '0x' }],
      },
      sources: [vault.score!.source],
    }
    const response = await callOperation<{ eventId: string }>(
      partnerOwner,
      'preparePartnerProposal',
      {
        params: { partnerId: partner.id },
        body: {
          payload: {
            issuerOrganizationId: issuer.organizationId,
            ...first,
            context: undefined,
            consentExpiresAt: undefined,
            packet,
            expiresAt: new Date(service.clock.read() + dayMilliseconds).toISOString(),
          },
          reason: 'For the test',
        },
      },
    )
    expect([response.status, response.fieldErrors]).toEqual([201, {}])
  })
})
