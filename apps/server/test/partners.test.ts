import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { crc32, deflateSync } from 'node:zlib'
import { basePath, type contract } from '@liquidity-os/contract'
import { importPublicKey, type VersionedRecord, verify } from '@liquidity-os/evidence'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { limits } from '../src/limits.ts'
import { join, sql } from '../src/store/database/sql.ts'
import { dayMilliseconds } from '../src/units.ts'
import { verifyHistory } from '../src/whole-history.ts'
import {
  act,
  boundHost,
  type Challenge,
  configuration,
  consentTerms,
  type Partner,
  type PartnerScene,
  recordedVault,
  startPartnerScene,
} from './support/partnering.ts'
import { callOperation, type TestResponse, versionOf } from './support/requests.ts'
import { newMember, newOrganization, type TestMember } from './support/service.ts'

type Consent = VersionedRecord<contract.PartnerConsent>

let scene: PartnerScene
/** Of the partner's organization, and of two that issue tokens. */
let partnerOwner: TestMember
let issuer: TestMember
let bystander: TestMember
let host: string
let bound: Challenge
beforeAll(async () => {
  scene = await startPartnerScene()
  partnerOwner = await newOrganization(scene.service)
  issuer = await newOrganization(scene.service)
  bystander = await newOrganization(scene.service)
})
afterAll(() => scene.stop())
beforeEach(async () => {
  host = scene.hosts.shift()!
  bound = await boundHost(scene, partnerOwner, host)
})

const reason = 'For the test'
const create = (changes = {}, by = partnerOwner): Promise<TestResponse<Partner>> =>
  callOperation<Partner>(by, 'createVerifiedPartnerTenant', { body: configuration(bound, changes) })
const update = ({ id, resourceVersion }: Partner, changes = {}, domain = bound) =>
  callOperation<Partner>(partnerOwner, 'updatePartnerConfiguration', {
    params: { id },
    ifMatch: resourceVersion,
    body: configuration(domain, changes),
  })
const revoke = async ({ id }: Partner) =>
  callOperation<Partner>(partnerOwner, 'revokePartnerTenant', {
    params: { id },
    ifMatch: await versionOf(partnerOwner, 'getPartners', id),
    body: { reason },
  })
const readPartner = async (id: string) =>
  (await callOperation<Partner>(partnerOwner, 'getPartners', { params: { id } })).data

/** What a visitor of a host is told, straight from the wire. */
function visit(
  path: string,
  as = host,
): Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }> {
  return new Promise((done, fail) => {
    const url = `${scene.service.baseUrl}${basePath}${path}`
    request(url, { headers: { host: as } }, async (answer) => {
      const chunks = (await Array.fromAsync(answer)) as Buffer[]
      const { statusCode = 0, headers } = answer
      done({ status: statusCode, headers, body: Buffer.concat(chunks) })
    })
      .on('error', fail)
      .end()
  })
}
const brandOn = async (as = host) =>
  JSON.parse((await visit('/public/brands/current', as)).body.toString()).data.brand

/** One pixel of a shade as a PNG, with a comment. */
function pixel(shade: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.from('00000001000000010802000000', 'hex')),
    chunk('tEXt', Buffer.from('Author\0Somebody')),
    chunk('IDAT', deflateSync(Buffer.from([0, shade, shade, shade]))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
const logoOf = (shade: number) => ({
  mediaType: 'image/png',
  base64: pixel(shade).toString('base64'),
})
const logo = logoOf(255)
const brand = { name: 'Partner', accentColor: '#0f7b6c' }

describe('a partner', () => {
  it('is public on its host with its brand, and nowhere else', async () => {
    expect(await brandOn()).toBeNull()
    const { status, data } = await create({ brand: { ...brand, logo } })
    expect([status, data.status]).toEqual([201, 'ACTIVE'])
    const shown = await brandOn()
    expect(shown).toEqual({
      partnerId: data.id,
      ...brand,
      logoContentHash: data.payload.brand.logo?.contentHash,
      configurationArtifactHash: data.payload.configurationArtifactHash,
    })
    expect(await brandOn(`sub.${host}`)).toBeNull()
    const { headers } = await visit('/public/brands/current')
    expect([headers['cache-control'], headers.vary]).toEqual(['public, max-age=60', 'Host'])
    const picture = await visit(`/public/partner-brand/logo/${shown.logoContentHash}`)
    expect(picture.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    const hash = `0x${createHash('sha256').update(picture.body).digest('hex')}`
    expect([hash, picture.body.includes('Somebody')]).toEqual([shown.logoContentHash, false])
  })

  it('is rejected without its own ACTIVE challenge for exactly this host', async () => {
    const foreign = await callOperation(issuer, 'createVerifiedPartnerTenant', {
      body: configuration(bound),
    })
    const elsewhere = await create({ host: 'other.partner.test' })
    const stale = await create({
      domainChallenge: { id: bound.id, resourceVersion: `0x${'1'.repeat(64)}` },
    })
    for (const response of [foreign, elsewhere, stale]) {
      expect([response.status, response.code]).toEqual([409, 'LIQUIDITY_PARTNER_DOMAIN_NOT_ACTIVE'])
    }
    const lost = await act(partnerOwner, 'revoke', bound)
    expect(lost.status).toBe(200)
    expect((await create()).code).toBe('LIQUIDITY_PARTNER_DOMAIN_NOT_ACTIVE')
  })

  it('is the only one of its host', async () => {
    const { data } = await create()
    const again = await create()
    expect([again.status, again.code]).toEqual([409, 'LIQUIDITY_PARTNER_HOST_BOUND'])
    expect(again.fieldErrors['payload.host']?.[0]).toContain(data.id)
  })

  it('is refused with a colour that cannot be seen, or a logo that is none', async () => {
    const pale = await create({ brand: { name: 'Pale', accentColor: '#ffff00' } })
    expect([pale.status, pale.code]).toEqual([422, 'LIQUIDITY_PARTNER_ACCENT_CONTRAST'])
    expect(pale.fieldErrors['payload.brand.accentColor']?.[0]).toMatch(/has 1\.07:1 and/)
    const base64 = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')
    const program = await create({ brand: { ...brand, logo: { mediaType: 'image/png', base64 } } })
    expect([program.status, program.code]).toEqual([422, 'LIQUIDITY_PARTNER_LOGO_INVALID'])
    const vector = { mediaType: 'image/svg+xml', base64 }
    expect((await create({ brand: { ...brand, logo: vector } })).status).toBe(400)
    const unknown = { logoContentHash: `0x${'2'.repeat(64)}` }
    expect((await create({ brand: { ...brand, logo: unknown } })).code).toBe(
      'LIQUIDITY_PARTNER_LOGO_INVALID',
    )
  })

  it('is replaced as a whole, keeps its logo by hash, and cannot move to another host', async () => {
    const { data: first } = await create({ brand: { ...brand, logo: logoOf(7) } })
    const kept = { logoContentHash: first.payload.brand.logo!.contentHash }
    const { data: second } = await update(first, {
      displayName: 'New',
      brand: { ...brand, logo: kept },
    })
    expect(second.payload.brand.logo).toEqual(first.payload.brand.logo)
    expect((await update(first, {})).status).toBe(412)
    const moved = await update(second, { host: 'other.partner.test' })
    expect([moved.status, moved.code]).toEqual([409, 'LIQUIDITY_PARTNER_HOST_IMMUTABLE'])
    const { data: bare } = await update(second, { legalName: undefined })
    expect([bare.payload.legalName, bare.payload.brand.logo]).toEqual([null, null])
    const gone = await visit(`/public/partner-brand/logo/${kept.logoContentHash}`)
    expect(gone.status).toBe(404)
  })

  it('binds every member of its configuration by one hash', async () => {
    let partner = (await create()).data
    const hashes = [partner.payload.configurationArtifactHash]
    const changes: object[] = [
      ...[{ displayName: 'A' }, { legalName: 'B' }, { supportEmail: 'c@partner.test' }],
      ...[{ privacyUrl: 'https://partner.test/d' }, { brand: { ...brand, name: 'E' } }],
      ...[{ brand: { ...brand, accentColor: '#767676' } }, { offers: ['SCORE_READ'] }],
      ...[
        { consentText: 'F'.repeat(50) },
        { dataRetentionDays: 31 },
        { brand: { ...brand, logo } },
      ],
    ]
    for (const change of changes) {
      const { status, data } = await update(partner, change)
      expect(status).toBe(200)
      partner = data
      hashes.push(partner.payload.configurationArtifactHash)
    }
    expect(new Set(hashes).size).toBe(hashes.length)
    // The same configuration again has the same hash, in whatever order its offers are sent.
    const offers = ['PORTFOLIO_SUMMARY', 'SCORE_READ', 'BRAND_ON_PASSPORT']
    const { data } = await update(partner, { offers })
    expect(data.payload.configurationArtifactHash).toBe(hashes[0])
  })

  it('loses its brand with its domain, and has it back with a new proof of the host', async () => {
    const { data: partner } = await create()
    await act(partnerOwner, 'revoke', bound)
    expect(await brandOn()).toBeNull()
    const paused = await readPartner(partner.id)
    expect(paused.status).toBe('PAUSED')
    expect((await update(paused)).code).toBe('LIQUIDITY_PARTNER_DOMAIN_NOT_ACTIVE')
    const anew = await boundHost(scene, partnerOwner, host)
    expect(await brandOn()).toBeNull()
    const { data } = await update(paused, {}, anew)
    expect([data.status, (await brandOn()).partnerId]).toEqual(['ACTIVE', partner.id])
  })

  it('is revoked for good, and its host is free for another', async () => {
    const { data: partner } = await create()
    expect((await revoke(partner)).data.status).toBe('REVOKED')
    expect(await brandOn()).toBeNull()
    expect((await revoke(partner)).code).toBe('LIQUIDITY_PARTNER_TERMINAL')
    expect((await create()).status).toBe(201)
  })
})

describe('a consent', () => {
  let partner: Partner
  let vaultId: string
  beforeEach(async () => {
    partner = (await create()).data
    vaultId = await recordedVault(scene, issuer)
  })

  const terms = (changes = {}) => consentTerms(scene, partner, [vaultId], changes)
  const grant = (changes = {}, by = issuer) =>
    callOperation<Consent>(by, 'grantPartnerConsent', { body: terms(changes) })
  const readConsent = async (id: string, by = issuer) =>
    (await callOperation<Consent>(by, 'getPartnerConsents', { params: { id } })).data
  const end = async (id: string, by = issuer) =>
    callOperation<Consent>(by, 'revokePartnerConsent', {
      params: { id },
      ifMatch: await versionOf(by, 'getPartnerConsents', id),
      body: { reason },
    })

  /** Consents that the database opens to an organization of a partner; the policy of the table decides. */
  const openTo = async ({ organizationId }: TestMember): Promise<string[]> => {
    const [, rows = []] = await scene.service.database.tenant(organizationId, [
      sql`select set_config('app.moment', ${`${scene.service.clock.read()}`}, true)`,
      sql`select consent_id from partner_grants where partner_id = ${partner.id} order by 1`,
    ])
    return rows.map(({ consent_id }) => String(consent_id))
  }
  const listPartnerEvents = async (): Promise<string[]> => {
    const { organizationId } = partnerOwner
    const [rows = []] = await scene.service.database.tenant(organizationId, [
      sql`select body from events where organization_id = ${organizationId}
        and subject_id = ${partner.id} order by sequence`,
    ])
    return rows.map(({ body }) => JSON.parse(String(body)).kind)
  }

  it('is granted by an owner on the reviewed version, with a signed receipt', async () => {
    const { status, data } = await grant()
    expect([status, data.status]).toEqual([201, 'ACTIVE'])
    const { serviceSignature, ...receipt } = data.payload.receipt
    const key = importPublicKey(receipt.servicePublicKey)
    expect(verify(key, 'consent-receipt/v1', receipt, serviceSignature)).toBe(true)
    expect(receipt).toMatchObject({
      issuerOrganizationId: issuer.organizationId,
      partnerName: 'Partner AG',
      partnerHost: host,
      consentText: partner.payload.consentText,
      vaultIds: [vaultId],
      executionAuthorityGranted: false,
    })
    expect(receipt.scopes.map(({ scope }) => scope)).toEqual(['BRAND_ON_PASSPORT', 'SCORE_READ'])
    expect(await listPartnerEvents()).toEqual(['partner.created', 'partner_consent.granted'])
  })

  it('is what opens a row to the partner, and its end closes it', async () => {
    const { data } = await grant()
    expect(await openTo(partnerOwner)).toEqual([data.id])
    expect(await openTo(bystander)).toEqual([])
    expect(
      (await callOperation(partnerOwner, 'getPartnerConsents', { params: { id: data.id } })).status,
    ).toBe(404)
    const operator = await newMember(scene.service, issuer.organizationId, 'OPERATOR')
    const revoked = await end(data.id, operator)
    expect([revoked.data.status, revoked.data.payload.ended?.because]).toEqual(['REVOKED', reason])
    expect(await openTo(partnerOwner)).toEqual([])
    expect(await listPartnerEvents()).toContain('partner_consent.revoked')
    expect((await end(data.id)).code).toBe('LIQUIDITY_PARTNER_CONSENT_TERMINAL')
    expect((await grant()).status).toBe(201)
  })

  it('cannot be written into the grants of another organization', async () => {
    const { data } = await grant()
    for (const { organizationId } of [partnerOwner, bystander]) {
      const [closed = []] = await scene.service.database.tenant(organizationId, [
        sql`update partner_grants set closed_at = 1 where consent_id = ${data.id} returning 1 as one`,
      ])
      const [freed = []] = await scene.service.database.tenant(bystander.organizationId, [
        sql`delete from partner_hosts where host = ${host} returning 1 as one`,
      ])
      expect([closed, freed]).toEqual([[], []])
    }
    expect(await openTo(partnerOwner)).toEqual([data.id])
  })

  it('needs an owner who has signed in lately', async () => {
    const operator = await newMember(scene.service, issuer.organizationId, 'OPERATOR')
    expect((await grant({}, operator)).status).toBe(403)
    const late = await newMember(scene.service, issuer.organizationId, 'OWNER')
    scene.service.clock.advance(dayMilliseconds / 144 + 1)
    const response = await grant({}, late)
    expect([response.status, response.code]).toEqual([
      401,
      'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED',
    ])
    partnerOwner = await newMember(scene.service, partnerOwner.organizationId, 'OWNER')
    issuer = await newMember(scene.service, issuer.organizationId, 'OWNER')
  })

  it('is rejected if any value differs from the read one', async () => {
    const hash = `0x${'3'.repeat(64)}`
    const version = {
      resourceVersion: hash,
      artifactHash: partner.payload.configurationArtifactHash,
    }
    const foreign = await recordedVault(scene, bystander)
    const cases: [object, number, string, string][] = [
      [{ partnerId: `partner_${'0'.repeat(32)}` }, 404, 'LIQUIDITY_PARTNER_UNKNOWN', 'partnerId'],
      [
        { partnerConfiguration: version },
        412,
        'LIQUIDITY_PARTNER_CONFIGURATION_MOVED',
        'partnerConfiguration.resourceVersion',
      ],
      [
        { scopes: ['SCORE_READ', 'TREASURY_TOTALS_READ'] },
        422,
        'LIQUIDITY_PARTNER_SCOPE_NOT_OFFERED',
        'scopes.1',
      ],
      [{ consentTextHash: hash }, 422, 'LIQUIDITY_PARTNER_CONSENT_TEXT', 'consentTextHash'],
      [{ vaultIds: [vaultId, foreign] }, 404, 'LIQUIDITY_PARTNER_VAULT_UNKNOWN', 'vaultIds.1'],
      [{ expiresAt: '2020-01-01T00:00:00Z' }, 400, 'LIQUIDITY_INVALID_REQUEST', 'expiresAt'],
      [{ vaultIds: ['*'] }, 400, 'LIQUIDITY_INVALID_REQUEST', 'vaultIds.0'],
    ]
    for (const [changes, status, code, field] of cases) {
      const response = await grant(changes)
      expect([response.status, response.code, Object.keys(response.fieldErrors)]).toEqual([
        ...[status, code, expect.arrayContaining([`payload.${field}`])],
      ])
    }
    await grant({ scopes: ['SCORE_READ'] })
    const twice = await grant()
    expect([twice.status, twice.code]).toEqual([409, 'LIQUIDITY_PARTNER_CONSENT_EXISTS'])
    expect(twice.fieldErrors['payload.scopes']).toHaveLength(1)
    expect((await grant({ scopes: ['BRAND_ON_PASSPORT'] })).status).toBe(201)
  })

  it('is refused beyond as many as can end in one commit', async () => {
    const filling = 'org_filling'
    const rows = Array.from(
      { length: limits.partnerConsentsLive },
      (_, index) => sql`(${filling}, ${`consent ${index}`}, ${partnerOwner.organizationId},
        ${partner.id}, ${scene.service.clock.read() + dayMilliseconds})`,
    )
    await scene.service.database.tenant(filling, [
      sql`insert into partner_grants
        (organization_id, consent_id, partner_organization_id, partner_id, expires_at)
        values ${join(rows)}`,
    ])
    const response = await grant()
    expect([response.status, response.code]).toEqual([409, 'LIQUIDITY_PARTNER_CONSENT_LIMIT'])
    await scene.service.database.tenant(filling, [sql`update partner_grants set closed_at = 1`])
    expect((await grant()).status).toBe(201)
  })

  it('pauses in one commit with the change of its partner that it does not cover', async () => {
    const { data } = await grant()
    partner = (await update(partner, { displayName: 'Another' })).data
    const branded = await readConsent(data.id)
    expect([branded.status, branded.payload.pausedScopes]).toEqual([
      'ACTIVE',
      ['BRAND_ON_PASSPORT'],
    ])
    expect(branded.createdBy).toEqual({ kind: 'SYSTEM', id: 'partner-consents' })
    // The scope that counts no more can be granted anew, and the other cannot be granted twice.
    expect((await grant({ scopes: ['SCORE_READ'] })).code).toBe('LIQUIDITY_PARTNER_CONSENT_EXISTS')
    expect((await grant({ scopes: ['BRAND_ON_PASSPORT'] })).status).toBe(201)
    partner = (await update(partner, { displayName: 'Another', legalName: 'Other AG' })).data
    const paused = await readConsent(data.id)
    expect([paused.status, paused.payload.ended?.because]).toEqual([
      ...['PAUSED', "the partner's legal name changed"],
    ])
    expect(await openTo(partnerOwner)).toEqual([])
  })

  it('ends with its partner, wherever it was granted, in one commit', async () => {
    const theirs = await recordedVault(scene, bystander)
    bystander = await newMember(scene.service, bystander.organizationId, 'OWNER')
    const first = (await grant()).data
    const second = (await grant({ vaultIds: [theirs] }, bystander)).data
    await revoke(partner)
    for (const [id, by] of [
      [first.id, issuer],
      [second.id, bystander],
    ] as const) {
      const { status, payload } = await readConsent(id, by)
      expect([status, payload.ended?.because]).toEqual(['REVOKED', 'The partner was revoked'])
    }
    expect((await grant()).code).toBe('LIQUIDITY_PARTNER_UNKNOWN')
  })

  it('is offered with its exact words, fields and hashes', async () => {
    const { data } = await callOperation<contract.PartnerConsentOptions>(
      issuer,
      'getPartnerConsentOptions',
      {
        query: { host },
      },
    )
    expect(data.partners).toHaveLength(1)
    expect(data.partners[0]).toMatchObject({
      partnerId: partner.id,
      host,
      consentTextHash: partner.payload.consentTextHash,
      partnerConfiguration: { resourceVersion: partner.resourceVersion },
    })
    expect(data.partners[0]?.offers[1]?.reveals).toContain('score.scorePips')
    const none = await callOperation<contract.PartnerConsentOptions>(
      issuer,
      'getPartnerConsentOptions',
      {
        query: { partnerId: partner.id, host: 'other.partner.test' },
      },
    )
    expect(none.data.partners).toEqual([])
  })
})

it('leaves histories in which names and rows follow from the records', async () => {
  const { database, services } = scene.service
  for (const { organizationId } of [partnerOwner, issuer, bystander]) {
    const { faults } = await verifyHistory(database, organizationId, services.artifacts)
    expect(faults).toEqual([])
  }
})
