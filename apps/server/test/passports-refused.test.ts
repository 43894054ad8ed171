// @module-tag long
// @covers apps/server/src/families/prove/passports

import { generatePrivateKey, printSeconds } from '@liquidity-os/evidence'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sweepPassports } from '../src/families/prove/passports/passport-sweep.ts'
import type { Change } from '../src/store/records/change.ts'
import { dayMilliseconds } from '../src/units.ts'
import { diversify, hashOf } from './support/legacy-documents.ts'
import {
  draft,
  type PassportScene,
  type Payload,
  possessionOf,
  publishSigned,
  registerKey,
  startPassportScene,
  stopPassportScene,
  withReceipt,
} from './support/passporting.ts'
import { callOperation } from './support/requests.ts'
import { newMember, newOrganization } from './support/service.ts'
import { execute, observed } from './support/vaults.ts'

let scene: PassportScene
beforeAll(async () => {
  scene = await startPassportScene()
})
afterAll(() => stopPassportScene(scene))

const other = `0x${'1'.repeat(64)}`
const secondsAhead = (seconds: number) =>
  printSeconds(Math.floor(scene.service.clock.read() / 1000) + seconds)
const codeOf = async (payload: object, by: Pick<PassportScene, 'owner' | 'key'> = scene) => {
  const { status, code } = await publishSigned(by, payload)
  return [status, code]
}
const changed = (payload: Awaited<ReturnType<typeof draft>>, change: Partial<Payload>) => ({
  ...payload,
  ...change,
})

describe('a publication', () => {
  it('refuses what does not fit its schema, at every level', async () => {
    const payload = await draft(scene)
    for (const odd of [
      { ...payload, extra: 1 },
      { ...payload, disclosure: { ...payload.disclosure, extra: true } },
      { ...payload, sourceBindings: { ...payload.sourceBindings, keys: {} } },
      { ...payload, slug: 'Not a slug' },
    ]) {
      expect((await codeOf(odd))[0]).toBe(400)
    }
    const more = { body: { payload, reason: 'For the test', status: 'ACTIVE' } }
    expect((await callOperation(scene.owner, 'publishLiquidityPassport', more)).status).toBe(400)
  })

  it('refuses a signer that is not the current one, before anything else of the passport', async () => {
    const payload = await draft(scene)
    const stale = changed(payload, { signerKeyResourceVersion: other, slug: 'later' })
    for (const [payloadOf, member] of [
      [stale, 'signerKeyResourceVersion'],
      [changed(payload, { signerProviderId: 'nobody' }), 'signerProviderId'],
    ] as const) {
      const { status, code, fieldErrors } = await publishSigned(scene, payloadOf)
      expect([status, code]).toEqual([422, 'LIQUIDITY_PASSPORT_SIGNATURE_INVALID'])
      expect(Object.keys(fieldErrors)).toEqual([`payload.${member}`, 'payload.signature'])
    }
    const next = await registerKey(scene.service, scene.owner, {
      kind: 'SIGNER_ED25519',
      key: scene.key,
      ifMatch: scene.signerVersion,
    })
    expect(await codeOf(payload)).toEqual([409, 'LIQUIDITY_PASSPORT_PROVIDER_GENERATION'])
    scene = { ...scene, signerVersion: next }
  })

  it('refuses another vault, times, bindings, a brand and reports, each by its name', async () => {
    const payload = await draft(scene)
    const { sourceBindings } = payload
    expect(
      await codeOf(changed(payload, { vaultId: 'vault_0198f0f0c0de7000800000000000a001' })),
    ).toEqual([...[409, 'LIQUIDITY_PASSPORT_VAULT_UNQUALIFIED']])
    const epoch = { ...sourceBindings, controlEpoch: '2' }
    expect(await codeOf(changed(payload, { sourceBindings: epoch }))).toEqual([
      ...[409, 'LIQUIDITY_PASSPORT_VAULT_UNQUALIFIED'],
    ])
    for (const times of [
      { generatedAt: '2026-01-05T11:00:00Z' },
      { validUntil: payload.generatedAt },
      { validUntil: '2026-03-05T11:00:00Z' },
    ]) {
      expect(await codeOf(changed(payload, times))).toEqual([
        ...[409, 'LIQUIDITY_PASSPORT_FRESHNESS_WINDOW'],
      ])
    }
    const receipts = { ...sourceBindings, receipts: { count: 1, root: other } }
    const bound = await publishSigned(scene, changed(payload, { sourceBindings: receipts }))
    expect([bound.status, bound.code, Object.keys(bound.fieldErrors)]).toEqual([
      ...[409, 'LIQUIDITY_PASSPORT_SOURCE_BINDING'],
      ['payload.sourceBindings.receipts.count', 'payload.sourceBindings.receipts.root'],
    ])
    const scored = changed(payload, { marketQualityScoreId: 'score_other' })
    expect(await codeOf(scored)).toEqual([409, 'LIQUIDITY_PASSPORT_SOURCE_BINDING'])
    const reportBrand = {
      partnerId: 'partner',
      name: 'Partner',
      accentColor: '#112233',
      sourceBinding: {
        partnerOrganizationId: 'org_x',
        consentId: 'consent_x',
        partnerConfigurationResourceVersion: other,
        consentResourceVersion: other,
        partnerConfigurationArtifactHash: other,
        consentArtifactHash: other,
      },
    }
    expect(await codeOf(changed(payload, { reportBrand }))).toEqual([
      ...[409, 'LIQUIDITY_PASSPORT_BRAND_CONSENT'],
    ])
    const [report] = sourceBindings.reports
    const reports = [report!, { hash: other, source: report!.source }]
    const none = await publishSigned(scene, changed(payload, { reportHashes: [other] }))
    expect([none.code, Object.keys(none.fieldErrors)]).toEqual([
      ...['LIQUIDITY_PASSPORT_SOURCE_BINDING', ['payload.reportHashes']],
    ])
    const unknown = changed(payload, {
      reportHashes: [...payload.reportHashes, other],
      sourceBindings: { ...sourceBindings, reports },
    })
    const unusable = await publishSigned(scene, unknown)
    expect([unusable.status, unusable.code, Object.keys(unusable.fieldErrors)]).toEqual([
      ...[409, 'LIQUIDITY_PASSPORT_REPORT_UNUSABLE', ['payload.reportHashes.1']],
    ])
  })

  it('is prepared for at most 60 s ahead', async () => {
    const params = { id: scene.vault.id }
    const statusOf = async (generatedAt: string) =>
      (await callOperation(scene.owner, 'preparePassport', { params, query: { generatedAt } }))
        .status
    expect(await statusOf(secondsAhead(60))).toBe(200)
    expect(await statusOf(secondsAhead(61))).toBe(400)
  })

  it('takes a receipt of the registry for just this payload', async () => {
    const key = generatePrivateKey()
    const provider = { kind: 'RESULTS_REGISTRY', key } as const
    await registerKey(scene.service, scene.owner, provider)
    const payload = await draft(scene, {
      slug: 'with-receipt',
      resultsRegistryProviderId: 'results-registry',
    })
    const receipt = (by = key, subject: object = payload) =>
      withReceipt(scene, payload, by, subject)
    const { resultsRegistryReceipt: _, ...some } = await receipt()
    expect(await codeOf(some)).toEqual([422, 'LIQUIDITY_PASSPORT_REGISTRY_INCOMPLETE'])
    for (const wrong of [
      await receipt(key, { ...payload, slug: 'another' }),
      await receipt(generatePrivateKey()),
    ]) {
      expect(await codeOf(wrong)).toEqual([422, 'LIQUIDITY_PASSPORT_REGISTRY_RECEIPT_INVALID'])
    }
  })

  it('is checked again if a source changes before the commit', async () => {
    const payload = await draft(scene, { slug: 'raced' })
    const { committer } = scene.service.services
    const commit = committer.commit.bind(committer)
    let moved = 0
    committer.commit = async (change: Change) => {
      const isPublication = change.records.some(
        ({ record }) => record.resourceType === 'LiquidityPassport',
      )
      if (isPublication && moved === 0) {
        moved += 1
        committer.commit = commit
        // An entry of the ledger that the passport binds is closed while its publication is on the way.
        const entry = (await scene.owner.client.listTreasuryEntries()).body.data[0]!
        const gone = await callOperation(scene.owner, 'refreshTreasuryLedgerEntry', {
          params: { id: entry.id },
          ifMatch: entry.resourceVersion,
          body: { label: 'Depth, renamed', reason: 'Meanwhile' },
        })
        expect([gone.status, gone.code]).toEqual([200, ''])
      }
      return commit(change)
    }
    const refused = await publishSigned(scene, payload)
    committer.commit = commit
    expect([moved, refused.status, refused.code]).toEqual([
      ...[1, 409, 'LIQUIDITY_PASSPORT_SOURCE_BINDING'],
    ])
    expect(Object.keys(refused.fieldErrors).join()).toMatch(/vault|ledgerEntries/)
  })

  it('counts what wrapped strategies of v1 say happened in the last ninety days', async () => {
    const { venues, pair } = scene.vault.payload
    const document = diversify()
    const hash = (byte: string) => `0x${byte.repeat(32)}`
    const daysAgo = (days: number) =>
      new Date(scene.service.clock.read() - days * 86_400_000).toISOString()
    const incident = (byte: string, severity: string, opened: number, ended: number | null) => ({
      evidenceHash: hash(byte),
      severity,
      openedAt: daysAgo(opened),
      endedAt: ended === null ? null : daysAgo(ended),
    })
    const before = await draft(scene, { shows: ['showIncidentDetails'] })
    const wrapped = await callOperation(scene.owner, 'wrapLegacyStrategyDefinition', {
      body: {
        payload: {
          v1Kind: 'DIVERSIFY',
          v1Document: document,
          v1EvidenceHash: hashOf(document),
          pair,
          venue: venues[0],
          incidents: [
            incident('c3', 'WARNING', 200, null),
            incident('c2', 'CRITICAL', 40, 39),
            incident('c1', 'CRITICAL', 200, 91),
          ],
        },
        reason: 'From v1',
      },
    })
    expect([wrapped.status, wrapped.code, wrapped.fieldErrors]).toEqual([201, '', {}])
    const after = await draft(scene, { shows: ['showIncidentDetails'] })
    expect(after.majorIncidentCount).toBe(before.majorIncidentCount + 1)
    expect(after.incidentDetails?.v1IncidentEvidenceHashes).toEqual([hash('c2'), hash('c3')])
    // The newest statement ends an incident; it does not make it less severe.
    scene.service.clock.advance(1000)
    const again = await callOperation(scene.owner, 'wrapLegacyStrategyDefinition', {
      body: {
        payload: {
          v1Kind: 'DIVERSIFY',
          v1Document: document,
          v1EvidenceHash: hashOf(document),
          pair,
          venue: venues[0],
          incidents: [incident('c3', 'WARNING', 200, 150), incident('c2', 'WARNING', 40, 39)],
        },
        reason: 'It has ended',
      },
    })
    expect(again.status).toBe(201)
    const ended = await draft(scene, { shows: ['showIncidentDetails'] })
    expect(ended.majorIncidentCount).toBe(after.majorIncidentCount)
    expect(ended.incidentDetails?.v1IncidentEvidenceHashes).toEqual([hash('c2')])
    const hidden = await publishSigned(scene, {
      ...ended,
      majorIncidentCount: before.majorIncidentCount,
    })
    expect([hidden.code, Object.keys(hidden.fieldErrors)]).toEqual([
      'LIQUIDITY_PASSPORT_CLAIM_MISMATCH',
      ['payload.majorIncidentCount'],
    ])
  })

  it('of two at once makes one generation', async () => {
    await observed(scene.service, scene.vaulted)
    const payload = await draft(scene, { slug: 'one-of-two' })
    const both = await Promise.all([publishSigned(scene, payload), publishSigned(scene, payload)])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 428])
    const { data } = await callOperation<{ id: string }[]>(scene.owner, 'listPassports')
    expect(data).toHaveLength(1)
    const foreignOwner = await newOrganization(scene.service)
    const key = generatePrivateKey()
    await registerKey(scene.service, foreignOwner, { kind: 'SIGNER_ED25519', key })
    const viewer = await newMember(scene.service, scene.owner.organizationId, 'ANALYST')
    expect((await publishSigned({ owner: viewer, key: scene.key }, payload)).status).toBe(403)
  })

  it('becomes stale after a control change, with one notice, and expires automatically', async () => {
    const { owner, service, test, vaulted } = scene
    // Any change of the owners begins an epoch; here the threshold is set again.
    const data = '0x694e80c30000000000000000000000000000000000000000000000000000000000000001'
    await execute(test, vaulted.safe, { to: vaulted.safe, data, nonce: 0n })
    await observed(service, vaulted)
    const open = async () => {
      const answer = await fetch(
        `${service.baseUrl}/api/liquidity-studio/v2/public/passports/one-of-two`,
      )
      return ((await answer.json()) as { data: { state: string } }).data.state
    }
    expect(await open()).toBe('STALE_CONTROL')
    await sweepPassports(service.services)
    await sweepPassports(service.services)
    const response = await callOperation<{ events: { payload: object }[] }>(owner, 'listEvents', {
      query: { kind: 'passport.stale' },
    })
    expect(response.data.events.map(({ payload }) => payload)).toMatchObject([
      { state: 'STALE_CONTROL' },
    ])
    service.clock.advance(2 * dayMilliseconds)
    expect(await open()).toBe('EXPIRED')
    await sweepPassports(service.services)
    const { data: found } = await callOperation<{ status: string }[]>(
      await newMember(service, owner.organizationId, 'OWNER'),
      'listPassports',
    )
    expect(found.map(({ status }) => status)).toEqual(['EXPIRED'])
  })
})

describe('a provider of a key', () => {
  const put = (configuration: object, change: object = {}, by = scene.owner) =>
    callOperation(by, 'putOperatingSystemProvider', {
      body: {
        payload: {
          providerId: 'another-key',
          kind: 'SIGNER_ED25519',
          displayName: 'Another',
          publicKeys: [key.publicKey.raw],
          configuration,
          ...change,
        },
        reason: 'For the test',
      },
    })
  const key = generatePrivateKey()
  const provider = { kind: 'SIGNER_ED25519', key, providerId: 'another-key' } as const

  it('is admitted only with a current proof of possession', async () => {
    const by = await newOrganization(scene.service)
    const shown = (change: object = {}, who = by) =>
      possessionOf(scene.service, who, provider, change).possession
    for (const possession of [
      shown({ purpose: 'RESULTS_REGISTRY' }),
      shown({ providerId: 'issuer-key' }),
      shown({}, scene.owner),
      shown({ expiresAt: '2026-01-20T12:00:00Z' }),
      shown({ issuedAt: '2025-12-05T12:00:00Z', expiresAt: '2025-12-05T13:00:00Z' }),
    ]) {
      const refused = await put({ possession }, {}, by)
      expect([refused.status, refused.code]).toEqual([422, 'LIQUIDITY_PROVIDER_PROBE_FAILED'])
      expect(Object.keys(refused.fieldErrors)[0]).toMatch(/^POSSESSION/)
    }
    const two = await put(
      { possession: shown() },
      { publicKeys: [key.publicKey.raw, scene.key.publicKey.raw] },
      by,
    )
    expect([two.status, two.fieldErrors['payload.publicKeys']]).toEqual([422, ['must be one key']])
    const reached = await put({ possession: shown() }, { endpoint: 'https://example.com/' }, by)
    expect(Object.keys(reached.fieldErrors)).toEqual(['payload.endpoint'])
    const admitted = await put({ possession: shown() }, {}, by)
    expect([admitted.status, admitted.code]).toEqual([201, ''])
    expect(admitted.data).toMatchObject({
      payload: {
        capabilities: ['PASSPORT_SIGNATURES'],
        attestation: { purpose: 'PASSPORT_SIGNER', publicKey: key.publicKey.raw },
      },
    })
  })
})
