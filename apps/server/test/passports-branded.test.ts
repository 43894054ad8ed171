// @module-tag long
// @covers apps/server/src/families/prove/passports

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Change } from '../src/store/records/change.ts'
import { verifyBundle } from '../verifier/verify.mjs'
import { type PartnerWorld, startPartnerWorld } from './support/partner-world.ts'
import {
  boundHost,
  type Challenge,
  configuration,
  consentTerms,
  type Partner,
} from './support/partnering.ts'
import {
  draft,
  type PassportScene,
  prepared,
  publishSigned,
  settled,
  startPassportScene,
  stopPassportScene,
} from './support/passporting.ts'
import { callOperation, versionOf } from './support/requests.ts'
import { newMember, newOrganization, type TestMember } from './support/service.ts'

const host = 'brand.partner.test'
const reason = 'For the test'
const accentColor = '#0f7b6c'

let world: PartnerWorld
let scene: PassportScene
let partnerOwner: TestMember
let bound: Challenge
let partner: Partner
beforeAll(async () => {
  world = await startPartnerWorld([host])
  const environment = { ...world.environment, OUTBOUND_ALLOW: world.allowed.join(',') }
  scene = await startPassportScene(environment)
  world.leadTo(scene.service.baseUrl)
  partnerOwner = await newOrganization(scene.service)
  bound = await boundHost(world, partnerOwner, host)
})
afterAll(async () => {
  await stopPassportScene(scene)
  await world.stop()
})
beforeEach(async () => {
  const made = await callOperation<Partner>(partnerOwner, 'createVerifiedPartnerTenant', {
    body: configuration(bound),
  })
  expect([made.status, made.fieldErrors]).toEqual([201, {}])
  partner = made.data
  return async () => {
    await callOperation(partnerOwner, 'revokePartnerTenant', {
      params: { id: partner.id },
      ifMatch: await versionOf(partnerOwner, 'getPartners', partner.id),
      body: { reason },
    })
  }
})

const update = async (changes: Record<string, unknown>) => {
  const response = await callOperation<Partner>(partnerOwner, 'updatePartnerConfiguration', {
    params: { id: partner.id },
    ifMatch: partner.resourceVersion,
    body: configuration(bound, changes),
  })
  expect([response.status, response.fieldErrors]).toEqual([200, {}])
  partner = response.data
}

const grant = async (changes: Record<string, unknown> = {}): Promise<string> => {
  const body = consentTerms(scene, partner, [scene.vault.id], changes)
  const response = await callOperation<{ id: string }>(scene.owner, 'grantPartnerConsent', { body })
  expect([response.status, response.fieldErrors]).toEqual([201, {}])
  return response.data.id
}

/** A payload that bears the brand as it may be borne now. */
const branded = (slug: string) => draft(scene, { slug, brandPartnerId: partner.id })

const refusalOf = async (payload: object) => {
  const { status, code, fieldErrors } = await publishSigned(scene, payload)
  return [status, code, Object.keys(fieldErrors)]
}

const refusedFor = (...members: string[]) => [
  ...[409, 'LIQUIDITY_PASSPORT_BRAND_CONSENT', members.map((one) => `payload.reportBrand.${one}`)],
]

/** Lets something happen once a publication was judged and before it is written. */
function onceJudged(happen: () => Promise<void>): void {
  const { committer } = scene.service.services
  const commit = committer.commit.bind(committer)
  committer.commit = async (change: Change) => {
    if (change.records.some(({ record }) => record.resourceType === 'LiquidityPassport')) {
      committer.commit = commit
      await happen()
    }
    return commit(change)
  }
}

describe('a passport with the brand of a partner', () => {
  it('contains it byte for byte, bound to the current state, and rejects each differing member', async () => {
    const consentId = await grant()
    const payload = await branded('differing')
    const brand = payload.reportBrand!
    expect(brand).toMatchObject({
      partnerId: partner.id,
      name: 'Partner',
      accentColor,
      sourceBinding: {
        partnerOrganizationId: partnerOwner.organizationId,
        partnerConfigurationResourceVersion: partner.resourceVersion,
        partnerConfigurationArtifactHash: partner.payload.configurationArtifactHash,
        consentId,
      },
    })
    for (const [member, value] of [
      ['name', 'Partner.'],
      ['accentColor', accentColor.toUpperCase()],
      ['logoContentHash', `0x${'1'.repeat(64)}`],
    ] as const) {
      const reportBrand = { ...brand, [member]: value }
      expect(await refusalOf({ ...payload, reportBrand })).toEqual(refusedFor(member))
    }
    const bindings = Object.keys(brand.sourceBinding)
    expect(bindings).toHaveLength(6)
    const off = (value: string) => value.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    for (const binding of bindings as (keyof typeof brand.sourceBinding)[]) {
      const sourceBinding = { ...brand.sourceBinding, [binding]: off(brand.sourceBinding[binding]) }
      const reportBrand = { ...brand, sourceBinding }
      expect(await refusalOf({ ...payload, reportBrand })).toEqual(
        refusedFor(`sourceBinding.${binding}`),
      )
    }
    const claimed = { ...payload, majorIncidentCount: payload.majorIncidentCount + 1 }
    const both = { ...claimed, reportBrand: { ...brand, name: 'Partner.' } }
    expect((await refusalOf(both))[1]).toBe('LIQUIDITY_PASSPORT_CLAIM_MISMATCH')
  })

  it('holds no longer than the consent', async () => {
    const now = scene.service.clock.read()
    await grant({ expiresAt: new Date(now + 3_600_000).toISOString() })
    const payload = await branded('too-long')
    expect(await refusalOf(payload)).toEqual([
      ...[409, 'LIQUIDITY_PASSPORT_FRESHNESS_WINDOW', ['payload.validUntil']],
    ])
    const found = await prepared(scene, { brandPartnerId: partner.id })
    expect(Date.parse(found.latestValidUntil!)).toBe(now - (now % 1000) + 3_600_000)
  })

  it('needs a consent for just this brand and vault that counts', async () => {
    const ask = () =>
      callOperation(scene.owner, 'preparePassport', {
        params: { id: scene.vault.id },
        query: { brandPartnerId: partner.id },
      })
    const none = await ask()
    expect([none.status, none.code, Object.keys(none.fieldErrors)]).toEqual([
      ...[409, 'LIQUIDITY_PASSPORT_BRAND_CONSENT', ['query.brandPartnerId']],
    ])
    await grant({ scopes: ['SCORE_READ'] })
    expect((await ask()).code).toBe('LIQUIDITY_PASSPORT_BRAND_CONSENT')
  })

  it('is checked again if the partner or the consent changes before the commit', async () => {
    const consentId = await grant()
    const payload = await branded('raced')
    // What changes no brand pauses nothing; the configuration is another all the same.
    onceJudged(() => update({ supportEmail: 'other@partner.test' }))
    expect(await refusalOf(payload)).toEqual(
      refusedFor(
        'sourceBinding.partnerConfigurationResourceVersion',
        'sourceBinding.partnerConfigurationArtifactHash',
      ),
    )
    const next = await branded('raced')
    onceJudged(async () => {
      const ended = await callOperation(scene.owner, 'revokePartnerConsent', {
        params: { id: consentId },
        ifMatch: await versionOf(scene.owner, 'getPartnerConsents', consentId),
        body: { reason },
      })
      expect(ended.status).toBe(200)
    })
    expect(await refusalOf(next)).toEqual(refusedFor('partnerId'))
  })

  it('is shown with it, and stays true when the consent pauses, ends or runs out; the next is refused', async () => {
    const consentId = await grant()
    const published = await publishSigned(scene, await branded('shown'))
    expect([published.status, published.fieldErrors]).toEqual([201, {}])
    await settled(scene, published.data.reportJob.id)
    const base = `${scene.service.baseUrl}/api/liquidity-studio/v2/public/passports/shown`
    const shown = async (path: string, accept = '*/*') =>
      (await fetch(`${base}${path}`, { headers: { accept } })).text()
    for (const page of [await shown('', 'text/html'), await shown('/formats/html')]) {
      expect(page).toContain('Brand: Partner')
      expect(page).toContain(`fill="${accentColor}"`)
      expect(page).toContain(consentId)
    }
    expect(await shown('/formats/csv')).toContain(consentId)
    const bundle = await (await fetch(`${base}/verification-bundle`)).arrayBuffer()
    const checked = verifyBundle(Buffer.from(bundle), {})
    const line = checked.lines.find(({ detail }) => detail.startsWith('brand: '))
    expect([checked.ok, line?.result]).toEqual([true, 'ASSERTED'])

    const next = async () => {
      const { resourceVersion, payload } = published.data.passport
      const after = { ...(await draft(scene, { slug: 'shown' })), reportBrand: payload.reportBrand }
      return (await publishSigned(scene, after, { ifMatch: resourceVersion })).code
    }
    const stateNow = async () => JSON.parse(await shown('')).data.state
    await update({ displayName: 'Another' })
    expect([await next(), await stateNow()]).toEqual([
      ...['LIQUIDITY_PASSPORT_BRAND_CONSENT', 'CURRENT'],
    ])
    const again = await grant({ scopes: ['BRAND_ON_PASSPORT'] })
    await callOperation(scene.owner, 'revokePartnerConsent', {
      params: { id: again },
      ifMatch: await versionOf(scene.owner, 'getPartnerConsents', again),
      body: { reason },
    })
    expect([await next(), await stateNow()]).toEqual([
      ...['LIQUIDITY_PASSPORT_BRAND_CONSENT', 'CURRENT'],
    ])
    const last = await grant({
      scopes: ['BRAND_ON_PASSPORT'],
      expiresAt: new Date(scene.service.clock.read() + 60_000).toISOString(),
    })
    scene.service.clock.advance(61_000)
    scene = { ...scene, owner: await newMember(scene.service, scene.owner.organizationId, 'OWNER') }
    const found = await callOperation<{ status: string }>(scene.owner, 'getPartnerConsents', {
      params: { id: last },
    })
    // The clock ends a consent, whether the sweep has written it down or not.
    expect(found.data.status).toBe('ACTIVE')
    expect([await next(), await stateNow()]).toEqual([
      ...['LIQUIDITY_PASSPORT_BRAND_CONSENT', 'CURRENT'],
    ])
  })
})
