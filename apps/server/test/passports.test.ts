// @module-tag long
// @covers apps/server/src/families/prove/passports apps/server/src/families/prove/proof

import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  canonicalize,
  generatePrivateKey,
  hexToBytes,
  merkleRoot,
  noteKeyId,
  parseCheckpoint,
  parseNote,
  printCheckpoint,
  printSeconds,
  sha256Hex,
  signLogKeyHandover,
  signNote,
  signPassport,
  signRevocations,
  storedRoot,
} from '@liquidity-os/evidence'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { zipOf } from '../src/families/prove/passports/bundle/zip.ts'
import { handoverConsistency } from '../src/families/prove/proof/api.ts'
import { WitnessAsker } from '../src/families/prove/proof/ask-witnesses.ts'
import { fromStored } from '../src/families/prove/proof/log-store.ts'
import { assembleVerifierPage } from '../src/http/routes/assemble-verifier-page.ts'
import { internals, verifyBundle } from '../verifier/verify.mjs'
import { mandated, timeOf } from './support/mandating.ts'
import {
  draft,
  type PassportScene,
  type Payload,
  publish,
  publishSigned,
  settled,
  startPassportScene,
  stopPassportScene,
} from './support/passporting.ts'
import { callOperation } from './support/requests.ts'
import { logKeyOf, nodeWith, runWitness } from './support/witnesses.ts'

let scene: PassportScene
/** That of the first publication, as anybody downloads it. */
let bundle: Buffer
beforeAll(async () => {
  scene = await startPassportScene()
})
afterAll(() => stopPassportScene(scene))

/** With UPDATE_BUNDLE=1 the bundle becomes the example that the documentation and the tests of the verifiers read. */
function keepExample(bytes: Uint8Array, { publicKey }: PassportScene['key']): void {
  if (!process.env.UPDATE_BUNDLE) return
  const folder = fileURLToPath(new URL('../verifier/example/', import.meta.url))
  writeFileSync(`${folder}passport.zip`, bytes)
  writeFileSync(`${folder}issuer-key.txt`, `${sha256Hex(Buffer.from(publicKey.raw, 'base64'))}\n`)
}

const base = '/api/liquidity-studio/v2/public/passports'
const open = (path: string, accept = 'application/json') =>
  fetch(`${scene.service.baseUrl}${base}/${path}`, { headers: { accept } })

describe('a page of another origin', () => {
  it('may read the view, the formats and the bundle of a passport', async () => {
    for (const path of [
      'unknown-slug',
      'unknown-slug/formats/json',
      'unknown-slug/verification-bundle',
    ]) {
      const preflight = await fetch(`${scene.service.baseUrl}${base}/${path}`, {
        method: 'OPTIONS',
        headers: { origin: 'https://a.example' },
      })
      expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
        ...[204, 'GET'],
      ])
      const answer = await open(path)
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([404, '*'])
    }
  })
})

describe('a passport', () => {
  it('is refused for every claim that is off by one, all of them named at once', async () => {
    const payload = await draft(scene, { shows: ['showTreasuryOwnership', 'showIncidentDetails'] })
    const [row] = payload.usableDepthByTradeSize
    const off = {
      ...payload,
      issuerName: `${payload.issuerName}.`,
      usableDepthByTradeSize: [
        {
          tradeSizeQuote: `${BigInt(row!.tradeSizeQuote) + 1n}`,
          buySlippagePips: row!.buySlippagePips + 1,
          sellSlippagePips: row!.sellSlippagePips - 1,
        },
        ...payload.usableDepthByTradeSize.slice(1),
      ],
      historicalReliabilityPips: (payload.historicalReliabilityPips + 1) % 1_000_000,
      policyCompliancePips: 1_000_000,
      reconciledPositionCount: payload.reconciledPositionCount + 1,
      majorIncidentCount: payload.majorIncidentCount + 1,
      treasuryOwnedLiquidityQuote: `${BigInt(payload.treasuryOwnedLiquidityQuote!) + 1n}`,
      rentedLiquidityQuote: '1',
      externalManagerExposureQuote: '1',
      dataFreshnessSeconds: payload.dataFreshnessSeconds + 1,
    }
    const refused = await publishSigned(scene, off)
    expect([refused.status, refused.code]).toEqual([409, 'LIQUIDITY_PASSPORT_CLAIM_MISMATCH'])
    expect(Object.keys(refused.fieldErrors).sort()).toEqual([
      'payload.dataFreshnessSeconds',
      'payload.externalManagerExposureQuote',
      'payload.historicalReliabilityPips',
      'payload.issuerName',
      'payload.majorIncidentCount',
      'payload.policyCompliancePips',
      'payload.reconciledPositionCount',
      'payload.rentedLiquidityQuote',
      'payload.treasuryOwnedLiquidityQuote',
      'payload.usableDepthByTradeSize.0.buySlippagePips',
      'payload.usableDepthByTradeSize.0.sellSlippagePips',
      'payload.usableDepthByTradeSize.0.tradeSizeQuote',
    ])
    expect(refused.fieldErrors['payload.rentedLiquidityQuote']).toEqual(['expected "0", got "1"'])
  })

  it('discloses by its flags exactly, neither more nor less', async () => {
    const shown = await draft(scene, { shows: ['showIncidentDetails'] })
    const { incidentDetails: _, ...without } = shown
    const missing = await publishSigned(scene, without)
    expect(missing.fieldErrors).toEqual({
      'payload.incidentDetails': [
        'expected {"v1IncidentEvidenceHashes":[],"anomalies":[]}, got nothing',
      ],
      'payload.disclosure.showIncidentDetails': ['is true, but incidentDetails is left out'],
    })
    const added = await publishSigned(scene, { ...shown, externalManagerNames: [] })
    expect(added.fieldErrors).toEqual({
      'payload.externalManagerNames': ['expected nothing, got []'],
      'payload.disclosure.showExternalManagerNames': [
        'is false, but externalManagerNames is there',
      ],
    })
    // A flag that says what is shown is right; of a vault without a policy only the claim is refused.
    const limited = await publishSigned(scene, {
      ...shown,
      disclosure: { ...shown.disclosure, showPolicyLimits: true },
      policyLimits: {
        level: 1,
        maximumAmountPerTransaction: '1',
        maximumDailyTurnover: '1',
        maximumSlippagePips: 1,
        minimumSecondsBetweenActions: 1,
        oracleMaximumAgeSeconds: 60,
        approvedContracts: [],
        approvedAssets: [],
        approvedAdapterIds: [],

        expiresAt: '2099-01-01T00:00:00Z',
        controlEpoch: '1',
        publicMempoolFallbackAllowed: false,
      },
    })
    expect(Object.keys(limited.fieldErrors).map((name) => name.split('.')[1])).not.toContain(
      'disclosure',
    )
    expect(limited.fieldErrors).toHaveProperty(['payload.policyLimits'])
  })

  it('names the market makers with a mandate in force for the pair, and binds the mandates', async () => {
    const { owner, vault, service } = scene
    const { pair } = vault.payload
    const inDays = (days: number) => timeOf(service.clock.read() / 1000 + days * 86_400)
    const mandate = (name: string, [from, to]: [number, number], changes: object = {}) =>
      mandated(owner, {
        pair,
        marketMaker: { name, signerKeys: [], wallets: [] },
        period: { from: inDays(from), to: inDays(to) },
        ...changes,
      })
    const inForce = [
      await mandate('Zeta Markets', [-1, 30]),
      await mandate('Alpha Trading', [-40, 5]),
      await mandate('Zeta Markets', [-2, 90]),
    ]
    await mandate('Not yet', [10, 30])
    await mandate('Another pair', [-1, 30], { pair: { ...pair, chainId: 1 } })
    const payload = await draft(scene, { shows: ['showExternalManagerNames'] })
    expect(payload.externalManagerNames).toEqual(['Alpha Trading', 'Zeta Markets'])
    expect(payload.sourceBindings.mandates).toEqual(
      inForce.map(({ id, resourceVersion }) => ({ id, resourceVersion })),
    )
    const silent = await publishSigned(scene, { ...payload, externalManagerNames: [] })
    expect([silent.status, silent.code]).toEqual([409, 'LIQUIDITY_PASSPORT_CLAIM_MISMATCH'])
    expect(Object.keys(silent.fieldErrors)).toEqual([
      'payload.externalManagerNames.0',
      'payload.externalManagerNames.1',
    ])
    const sourceBindings = { ...payload.sourceBindings, mandates: [] }
    const unbound = await publishSigned(scene, { ...payload, sourceBindings })
    expect([unbound.status, unbound.code]).toEqual([409, 'LIQUIDITY_PASSPORT_SOURCE_BINDING'])
    for (const { id, resourceVersion } of inForce) {
      await callOperation(owner, 'supersedeMarketMakerMandates', {
        params: { id },
        ifMatch: resourceVersion,
        body: { status: 'REVOKED', reason: 'For the other tests' },
      })
    }
    expect((await draft(scene)).sourceBindings.mandates).toEqual([])
  })

  it('is published, public, superseded, and revoked permanently', async () => {
    const payload = await draft(scene)
    const first = await publishSigned(scene, payload)
    expect([first.status, first.code, first.fieldErrors]).toEqual([201, '', {}])
    expect(first.data).toMatchObject({
      signedFormatsReady: ['json'],
      artifactState: 'PENDING_IMMUTABLE_OBJECT_REGISTRATION',
      executionAuthorityGranted: false,
    })
    const early = await open('example-dao/formats/pdf')
    expect([early.status, early.headers.get('retry-after')]).toEqual([404, '5'])
    expect((await open('example-dao/verification-bundle')).status).toBe(404)
    await settled(scene, first.data.reportJob.id)
    const seen = await open('example-dao')
    expect([seen.status, seen.headers.get('cache-control')]).toEqual([200, 'public, max-age=60'])
    const { data } = (await seen.json()) as { data: Record<string, unknown> }
    expect(data).toMatchObject({
      state: 'CURRENT',
      passport: first.data.passport.payload,
      history: [{ contentHash: first.data.passport.payload.contentHash, state: 'CURRENT' }],
      keys: { issuer: { authority: 'ORGANIZATION' } },
      simulated: { mark: 'SIMULATED', words: 'Local test chain: simulated market' },
      executions: { compliant: 0, violating: 0, indeterminate: 0 },
    })
    expect(seen.headers.get('evidence-mark')).toBe('SIMULATED;chains="31337"')
    expect((data.formats as { ready: boolean }[]).every(({ ready }) => ready)).toBe(true)
    expect(data.log).not.toBeNull()

    const json = await open('example-dao/formats/json')
    expect(await json.text()).toBe(canonicalize(first.data.passport.payload))
    for (const [format, type] of [
      ['html', 'text/html; charset=utf-8'],
      ['pdf', 'application/pdf'],
      ['csv', 'text/csv; charset=utf-8'],
      ['svg', 'image/svg+xml; charset=utf-8'],
      ['png', 'image/png'],
    ] as const) {
      const file = await open(`example-dao/formats/${format}`)
      expect([file.status, file.headers.get('content-type')], format).toEqual([200, type])
      expect(file.headers.get('content-digest')).toMatch(/^sha-256=:/)
      if (format !== 'png' && format !== 'pdf') expect(await file.text()).toContain('SIMULATED')
    }

    bundle = Buffer.from(await (await open('example-dao/verification-bundle')).arrayBuffer())
    const page = await (await open('example-dao', 'text/html')).text()
    expect(page).toMatch(/Inconclusive<[^>]*>[^<]*<[^>]*>0</)
    expect(page).toMatch(/SIMULATED<small>Local test chain: simulated market/)
    expect(bundle.includes('SIMULATED · Local test chain: simulated market\n')).toBe(true)
    const [, verifier = ''] = /href="[a-z]+:\/\/[^/"]+([^"]*verify\.html)"/.exec(page) ?? []
    const served = await fetch(`${scene.service.baseUrl}${verifier}`)
    expect([served.status, served.headers.get('content-type')]).toEqual([
      ...[200, 'text/html; charset=utf-8'],
    ])
    expect(await served.text()).toBe(assembleVerifierPage())
    keepExample(bundle, scene.key)
    const pictures = `/api/liquidity-studio/v2/pictures/passports/${first.data.passport.id}`
    const drawn = await fetch(`${scene.service.baseUrl}${pictures}`, {
      headers: {
        cookie: `${scene.service.config.sessionCookie}=${scene.owner.cookie}`,
        'x-service-organization-id': scene.owner.organizationId,
      },
    })
    const response = (await drawn.json()) as { data: { name: string }[] }
    expect(response.data.map(({ name }) => name)).toEqual(['passport-depth', 'passport-proof'])

    // A second generation names the first, by its version and by its hash.
    const next = await draft(scene)
    const blind = await publishSigned(scene, next)
    expect([blind.status, blind.code]).toEqual([428, 'LIQUIDITY_STUDIO_PRECONDITION_REQUIRED'])
    const { id } = first.data.passport
    const { resourceVersion } = (
      await callOperation<{ resourceVersion: string }>(scene.owner, 'getPassports', {
        params: { id },
      })
    ).data
    const { supersedesPassportHash: _, ...orphan } = next
    const unnamed = await publishSigned(scene, orphan, { ifMatch: resourceVersion })
    expect(unnamed.status).toBe(412)
    const stale = await publishSigned(scene, next, { ifMatch: `0x${'1'.repeat(64)}` })
    expect(stale.status).toBe(412)
    const nothing = await publishSigned(
      scene,
      { ...next, slug: 'never-published' },
      { ifMatch: resourceVersion },
    )
    expect([nothing.status, Object.keys(nothing.fieldErrors)]).toEqual([412, ['payload.slug']])
    const elsewhere = await draft(scene, { slug: 'another-slug' })
    const { supersedesPassportHash: __, ...another } = elsewhere as Payload
    const twice = await publishSigned(scene, another)
    expect([twice.status, twice.code]).toEqual([409, 'LIQUIDITY_PASSPORT_VAULT_PUBLISHED'])
    const second = await publishSigned(scene, next, { ifMatch: resourceVersion })
    expect([second.status, second.code]).toEqual([201, ''])

    const revoke = (contentHash: string, ifMatch = second.data.passport.resourceVersion) =>
      callOperation(scene.owner, 'revokeLiquidityPassport', {
        params: { id },
        ifMatch,
        body: { contentHash, code: 'CLAIM_WRONG', reason: 'It was not so' },
      })
    expect((await revoke(next.supersedesPassportHash!)).status).toBe(412)
    const revoked = await revoke(second.data.passport.payload.contentHash)
    expect([revoked.status, revoked.code]).toEqual([200, ''])
    const { resourceVersion: gone } = revoked.data as { resourceVersion: string }
    const again = await revoke(second.data.passport.payload.contentHash, gone)
    expect([again.status, again.code]).toEqual([409, 'LIQUIDITY_PASSPORT_TERMINAL'])
    const after = ((await (await open('example-dao')).json()) as { data: Record<string, unknown> })
      .data
    expect(after).toMatchObject({
      state: 'REVOKED',
      revocation: { code: 'CLAIM_WRONG' },
      history: [{ state: 'REVOKED' }, { state: 'SUPERSEDED' }],
    })
    expect('passport' in after).toBe(false)
    expect((await open('example-dao/formats/json')).status).toBe(404)
  })

  it('uses an issuer key: rejects foreign signatures and non-canonical bytes', async () => {
    const payload = await draft(scene, { slug: 'signed-otherwise' })
    const { supersedesPassportHash: _, ...own } = payload as Payload
    const foreignPassport = signPassport({ ...own }, generatePrivateKey())
    const forged = await publish(scene.owner, foreignPassport)
    expect([forged.status, forged.code]).toEqual([422, 'LIQUIDITY_PASSPORT_SIGNATURE_INVALID'])
    const changed = await publish(scene.owner, { ...foreignPassport, issuerName: 'Another' })
    expect([changed.status, changed.code]).toEqual([422, 'LIQUIDITY_PASSPORT_HASH_MISMATCH'])
    const late = await publishSigned(scene, { ...own, validUntil: '2026-01-06T12:00:00.000Z' })
    expect([late.status, late.code]).toEqual([422, 'LIQUIDITY_PASSPORT_NOT_CANONICAL'])
    expect(Object.keys(late.fieldErrors)).toEqual(['payload.validUntil'])
    expect(merkleRoot([])).toBe(own.sourceBindings.receipts.root)
  })
})

interface Line {
  code: string
  result: 'PASS' | 'FAIL' | 'NOT_CHECKED' | 'ASSERTED'
  detail: string
}

/** A bundle with other files, in a container and under a manifest that are right for them. */
function rewritten(change: (files: Map<string, Buffer>) => void): Buffer {
  const files = new Map(internals.readZip(bundle) as Map<string, Buffer>)
  change(files)
  files.delete('manifest.json')
  const hashes = [...files].map(([path, bytes]) => [path, sha256Hex(bytes)])
  const manifest = canonicalize({ files: Object.fromEntries(hashes) })
  files.set('manifest.json', Buffer.from(manifest))
  return Buffer.from(zipOf(files))
}

const flipped = (bytes: Buffer, at: number) => {
  const other = Buffer.from(bytes)
  other[at] = (other[at] ?? 0) ^ (1 << (at % 8))
  return other
}

describe('the bundle of a passport', () => {
  const issuerKey = () => sha256Hex(Buffer.from(scene.key.publicKey.raw, 'base64'))
  const check = (bytes: Buffer, options: object = {}) =>
    verifyBundle(bytes, { issuerKey: issuerKey(), ...options }) as {
      ok: boolean
      results: Record<string, string>
      answers: { text: string }[]
      lines: Line[]
    }
  const failing = ({ lines }: { lines: Line[] }) =>
    lines.filter(({ result }) => result === 'FAIL').map(({ code, detail }) => `${code} ${detail}`)

  it('is verified offline, every figure that its sources are in for, and the chain behind them', () => {
    const found = check(bundle)
    expect(failing(found)).toEqual([])
    const passed = found.lines
      .filter(({ result }) => result === 'PASS')
      .map(({ code, detail }) => `${code} ${detail.split(':')[0]}`)
    for (const name of [
      ...['B1 manifest', 'B2 schema and canonical form', 'B3 contentHash'],
      ...['B4 signature of the issuer', 'B5 key of the issuer', 'B6 inclusion in the log'],
      ...['B7 signature of the log', 'B10 vault', 'B10 score', 'B10 signer', 'B10 receipts'],
      ...['B11 depth', 'B11 age of the sources', 'B11 compliance', 'B12 control of the vault'],
      ...['B14 formats', 'B15 time', 'B15 revocations'],
    ]) {
      expect(passed).toContain(name)
    }
    const state = found.lines.filter(
      ({ code, detail }) => code === 'B12' && detail.startsWith('state'),
    )
    expect(state.map(({ result }) => result)).toEqual(['PASS'])
    expect(found.results).toMatchObject({ freshness: 'PASS', status: 'PASS' })
    expect(found.answers.map(({ text }) => text)).toEqual([
      'you did not give --known-checkpoint',
      'you did not give --rpc',
      expect.stringMatching(/^PASS as of /),
    ])
  })

  it('marks claims without a trusted signer, and finds another key', () => {
    const unknown = check(bundle, { issuerKey: undefined })
    expect(unknown.ok).toBe(true)
    const open_ = unknown.lines.filter(({ result }) => result === 'NOT_CHECKED')
    expect(open_.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['B5', 'B7', 'B14', 'B15']),
    )
    expect(failing(check(bundle, { issuerKey: '0'.repeat(64) }))[0]).toMatch(/^B5/)
    const late = check(bundle, { at: '2027-01-01T00:00:00Z' })
    expect(failing(late)).toEqual([expect.stringMatching(/^B15 .*expired/)])
  })

  it('holds against a checkpoint that was kept, and finds a log that was forked', () => {
    const files = internals.readZip(bundle) as Map<string, Buffer>
    const note = files
      .get('log/passport.tlog-proof')!
      .toString()
      .split('\n\n')
      .slice(1)
      .join('\n\n')
    expect(failing(check(bundle, { knownCheckpoint: note }))).toEqual([])
    const other = note.replace(/\n([A-Za-z0-9+/]{43}=)\n/, `\n${'A'.repeat(43)}=\n`)
    expect(failing(check(bundle, { knownCheckpoint: other }))[0]).toMatch(/^B8/)
  })

  it('never passes with a byte of its container changed', () => {
    for (let at = 0; at < bundle.length; at += 1 + Math.floor(bundle.length / 400)) {
      expect(check(flipped(bundle, at)).ok, `byte ${at}`).toBe(false)
    }
  })

  it('does not pass without a source, a revocation that was made, or under a log of another', () => {
    const without = (path: string) => check(rewritten((all) => all.delete(path)))
    const vault = `sources/${scene.vault.id}.json`
    const missing = without(vault).lines.find(({ detail }) => detail.startsWith('vault'))
    expect(missing?.result).toBe('FAIL')
    const added = check(rewritten((all) => all.set('sources/other.exe', Buffer.from('x'))))
    expect(failing(added)[0]).toMatch(/no file of a bundle/)
    const key = generatePrivateKey()
    const foreign = check(
      rewritten((all) => {
        const keys = JSON.parse(all.get('keys.json')!.toString())
        keys.log.publicKey = key.publicKey.raw
        all.set('keys.json', Buffer.from(canonicalize(keys)))
        const proof = all.get('log/passport.tlog-proof')!.toString()
        const split = proof.indexOf('\n\n')
        const { text } = parseNote(proof.slice(split + 2))
        const note = signNote(text, keys.log.name, key)
        all.set('log/passport.tlog-proof', Buffer.from(`${proof.slice(0, split)}\n\n${note}`))
      }),
    )
    expect(failing(foreign)).toEqual([expect.stringMatching(/^B7 .*issuer signed for/)])
  })

  it('shows who cosigned its head, to those who name that witness', async () => {
    const headOf = (bytes: Buffer) =>
      parseNote(
        internals
          .readZip(bytes)
          .get('log/passport.tlog-proof')!
          .toString()
          .replace(/^[\s\S]*?\n\n/, ''),
      )
    const { origin } = parseCheckpoint(headOf(bundle).text)
    const published = await publishSigned(scene, await draft(scene, { slug: 'witnessed-dao' }))
    await settled(scene, published.data.reportJob.id)
    const keys = [await logKeyOf(scene.service, origin)]
    const witness = await runWitness('witness.example/passports', keys)
    const node = await nodeWith(scene.service, [witness.configured()])
    const asker = new WitnessAsker(node.services)
    await asker.look()
    await asker.settled()
    const answer = await open('witnessed-dao/verification-bundle')
    const cosigned = Buffer.from(await answer.arrayBuffer())
    expect(headOf(cosigned).signatures.map(({ name }) => name)).toEqual([
      origin,
      'witness.example/passports',
    ])
    const seenBy = (bytes: Buffer, given: string) => {
      const found = check(bytes, { witness: given })
      return [found.ok, found.lines.find(({ code }) => code === 'B9')?.result]
    }
    expect(seenBy(cosigned, witness.vkey)).toEqual([true, 'PASS'])
    expect(seenBy(bundle, witness.vkey)).toEqual([true, 'NOT_CHECKED'])
    // The witness's line says another second than the one it signed.
    const forged = rewritten((all) => {
      const path = 'log/passport.tlog-proof'
      const proof = internals.readZip(cosigned).get(path)!.toString()
      for (const [name, bytes] of internals.readZip(cosigned)) all.set(name, Buffer.from(bytes))
      const [line = '', encoded = ''] = /^— witness\S+ (\S+)$/m.exec(proof) ?? []
      const raw = Buffer.from(encoded, 'base64')
      raw[11]! ^= 1
      const changed = proof.replace(line, line.replace(encoded, raw.toString('base64')))
      all.set(path, Buffer.from(changed))
    })
    expect(seenBy(forged, witness.vkey)).toEqual([false, 'FAIL'])
    const python = fileURLToPath(new URL('../verifier/verify.py', import.meta.url))
    const options = ['--issuer-key', issuerKey(), '--witness', witness.vkey]
    const run = spawnSync('python3', [python, '-', ...options], {
      input: [cosigned, bundle, forged].map((one) => `${one.toString('base64')}\n`).join(''),
      encoding: 'utf8',
    })
    // No interpreter, no second opinion.
    if (!run.error) {
      const outputs = run.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      const resultOf = (code: string) => (one: { lines: string[][] }) =>
        one.lines.find(([of]) => of === code)?.[1]
      expect(outputs.map(resultOf('B9'))).toEqual(['PASS', 'NOT_CHECKED', 'FAIL'])
      expect(outputs.map(({ ok }) => ok)).toEqual([true, true, false])
    }
    await scene.service.database.pool.query('delete from log_cosignatures')
  })

  it('keeps its sources in the version that it was made of', async () => {
    scene.service.clock.advance(1000)
    const entry = (await scene.owner.client.listTreasuryEntries()).body.data[0]!
    const renamed = await callOperation(scene.owner, 'refreshTreasuryLedgerEntry', {
      params: { id: entry.id },
      ifMatch: entry.resourceVersion,
      body: { label: 'Depth, renamed', reason: 'After the publication' },
    })
    expect([renamed.status, renamed.code]).toEqual([200, ''])
    const answer = await open('witnessed-dao/verification-bundle')
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect([...internals.readZip(bytes).keys()]).toContain('sources/ledgerEntries.json')
    expect(failing(check(bytes))).toEqual([])
  })

  it('fails with revocation data from before its creation', async () => {
    const { signingKeys, clock } = scene.service.services
    const key = await signingKeys.current(clock())
    const { signature: _, ...revocations } = JSON.parse(
      internals.readZip(bundle).get('revocations.json')!.toString(),
    )
    const { generatedAt } = JSON.parse(internals.readZip(bundle).get('passport.json')!.toString())
    const cases = [60, 61].map((early) => {
      const asOf = printSeconds(Date.parse(generatedAt) / 1000 - early)
      const earlier = signRevocations({ ...revocations, asOf }, key)
      const bytes = Buffer.from(canonicalize(earlier))
      return rewritten((all) => all.set('revocations.json', bytes))
    })
    expect(cases.map((one) => failing(check(one)))).toEqual([
      [],
      [expect.stringMatching(/^B15 .*before the passport was made/)],
    ])
    const python = fileURLToPath(new URL('../verifier/verify.py', import.meta.url))
    const input = `${cases.map((one) => one.toString('base64')).join('\n')}\n`
    const run = spawnSync('python3', [python, '-', '--issuer-key', issuerKey()], {
      input,
      encoding: 'utf8',
    })
    // No interpreter, no second opinion.
    if (!run.error) {
      const texts = run.stdout.trim().split('\n')
      expect(texts.map((one) => JSON.parse(one).ok)).toEqual([true, false])
    }
  })

  it('is valid after a key handover, and invalid without the signature of the earlier key', async () => {
    const { logKeys, clock } = scene.service.services
    const earlier = await logKeys.current(clock())
    const [later, other] = [generatePrivateKey(), generatePrivateKey()]
    const known = internals.readZip(bundle).get('log/passport.tlog-proof') as Buffer
    const note = known.toString().split('\n\n').slice(1).join('\n\n')
    const { text } = parseNote(note)
    const { origin, size, root } = parseCheckpoint(text)
    const { database } = scene.service
    const [rootBefore] = await fromStored(database, [storedRoot(size - 1)])
    const proofs = await handoverConsistency(database, size, [size - 1])
    // Who has the earlier key begins a log of its own with this leaf, and signs its head.
    const [, encoded = ''] = /^extra (.+)$/m.exec(known.toString()) ?? []
    const leaf = Buffer.from(encoded, 'base64')
    const forgedRoot = sha256Hex(Buffer.concat([Uint8Array.of(0), leaf]))
    const forgedText = printCheckpoint({ origin, size: 1, root: Buffer.from(forgedRoot, 'hex') })
    const forged = known
      .toString()
      .replace(/index [\s\S]*$/, () => `index 0\n\n${signNote(forgedText, origin, earlier)}`)
    const beginning = { fromSize: 1, fromRoot: `0x${forgedRoot}`, toSize: 1, path: [] }
    /** The bundle with a head that some keys signed, behind handovers of the log. */
    const handedOver = (
      handovers: string[],
      signers: (typeof later)[],
      {
        proven = proofs,
        head = known.toString().replace(note, () => signNote(text, origin, ...signers)),
      } = {},
    ) =>
      rewritten((all) => {
        const keys = JSON.parse(all.get('keys.json')!.toString())
        keys.log.handovers = handovers
        all.set('keys.json', Buffer.from(canonicalize(keys)))
        all.set('log/passport.tlog-proof', Buffer.from(head))
        if (head === forged) all.set('log/consistency.json', Buffer.from(canonicalize(beginning)))
        if (proven.length > 0) all.set('log/handovers.json', Buffer.from(canonicalize(proven)))
      })
    const vkey = ({ publicKey: { raw } }: typeof later) => {
      const key = Buffer.concat([Uint8Array.of(1), Buffer.from(raw, 'base64')])
      return `${origin}+${noteKeyId(origin, raw)}+${key.toString('base64')}`
    }
    const bytesOf = (hash: string) => hexToBytes(hash.slice(2))
    const before = { origin, size: size - 1, root: bytesOf(rootBefore!) }
    const handover = signLogKeyHandover(before, earlier, later)
    const atHead = { origin, size, root }
    const afterwards = signLogKeyHandover(atHead, earlier, later)
    const atOnce = [{ fromSize: size, toSize: size, path: [] }]
    const foreignHandover = signLogKeyHandover(
      { ...before, root: bytesOf(`0x${'1'.repeat(64)}`) },
      earlier,
      later,
    )
    const fork = signLogKeyHandover(
      { ...atHead, root: bytesOf(`0x${'1'.repeat(64)}`) },
      earlier,
      later,
    )
    const { text: words } = parseNote(handover)
    const halves = [earlier, later, other].map((key) => signNote(words, origin, key))
    const rootless = signNote(
      words.replace('/v2\n', '/v1\n').replace(/\n.{44}(?=\n.{44}\n.{44}\n$)/, ''),
      ...([origin, earlier, later] as const),
    )
    const toHandover = await handoverConsistency(database, 1, [size - 1])
    const cases: [Buffer, string][] = [
      [handedOver([handover], [later, earlier]), ''],
      [handedOver([handover], [later]), ''],
      [handedOver([afterwards], [earlier], { proven: atOnce }), ''],
      [handedOver([rootless], [later], { proven: [] }), ''],
      [handedOver([rootless], [], { proven: [], head: forged }), ''],
      [handedOver([handover], [], { proven: toHandover, head: forged }), 'B8 .*is another than'],
      [handedOver([foreignHandover], [later]), 'B8 .*is another than'],
      [handedOver([fork], [earlier], { proven: atOnce }), 'B8 .*is another than'],
      [handedOver([handover], [later], { proven: [] }), 'B8 .*handovers.json'],
      [handedOver([handover], [later], { proven: atOnce }), 'B8 .*of other heads'],
      [handedOver([handover], [later], { proven: [...proofs, ...proofs] }), 'B8 .*not one proof'],
      [handedOver([handover], [earlier]), 'B7 .*is not of this key'],
      [handedOver([], [later]), 'B7 .*is not of this key'],
      [handedOver([handover], [other]), 'B7 .*is not of this key'],
      [handedOver([handover.replace(/\n\d+\n/, '\n1\n')], [later]), 'B7 .*did not sign'],
      ...halves.map((half): [Buffer, string] => [handedOver([half], [later]), 'B7 .*did not sign']),
      [handedOver([handover, handover], [later]), 'B7 .*was not the one of the log'],
    ]
    const findB8Lines = (changed: Buffer) =>
      verifyBundle(changed, { issuerKey: issuerKey() }).lines.filter(({ code }) => code === 'B8')
    expect(findB8Lines(cases[0]![0]).map(({ result }) => result)).toEqual(['NOT_CHECKED', 'PASS'])
    expect(findB8Lines(cases[3]![0]).at(-1)).toMatchObject({
      result: 'ASSERTED',
      detail: expect.stringContaining('they name no root'),
    })
    for (const [changed, fault] of cases) {
      const failures = failing(check(changed)).join('; ')
      if (fault === '') expect(failures).toBe('')
      else expect(failures).toMatch(new RegExp(`^${fault}`))
    }
    const input = `${cases.map(([changed]) => changed.toString('base64')).join('\n')}\n`
    const python = fileURLToPath(new URL('../verifier/verify.py', import.meta.url))
    const run = spawnSync('python3', [python, '-', '--issuer-key', issuerKey()], {
      input,
      encoding: 'utf8',
    })
    // No interpreter, no second opinion.
    if (!run.error) {
      const outputs = run.stdout.trim().split('\n')
      expect(outputs.map((one) => JSON.parse(one).ok)).toEqual(
        cases.map(([, fault]) => fault === ''),
      )
    }
    // Whoever kept the earlier key, or a head that it signed, accepts what the later one signed, and the other way round.
    const [[whole]] = cases as [[Buffer, string]]
    for (const key of [earlier, later]) {
      const { lines } = verifyBundle(whole, { logKey: vkey(key) })
      expect(lines.find(({ code }) => code === 'B7')?.result).toBe('PASS')
    }
    expect(failing(check(whole, { logKey: vkey(other) }))).toEqual([
      expect.stringMatching(/^B7 .*nor did that vouch for any/),
    ])
    const head = signNote(text, origin, earlier)
    expect(
      failing(
        check(handedOver([afterwards], [earlier], { proven: atOnce }), { knownCheckpoint: head }),
      ),
    ).toEqual([])
  })
})
