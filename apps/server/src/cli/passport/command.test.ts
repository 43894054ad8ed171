import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  importPrivateKey,
  importPublicKey,
  isChallengeSignedBy,
  isPassportSignedBy,
  isReceiptSignedBy,
  organizationHash,
  passportContentHash,
  passportSubjectHash,
} from '@liquidity-os/evidence'
import { afterAll, expect, it } from 'vitest'
import { passportCommand } from './command.ts'

const folder = mkdtempSync(join(tmpdir(), 'liquidity-passport-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const at = (name: string) => join(folder, name)
const version = `0x${'1'.repeat(64)}`

async function run(...args: string[]) {
  const [out, error]: [string[], string[]] = [[], []]
  const status = await passportCommand({
    args,
    stdout: { write: (text: string) => out.push(text) } as never,
    stderr: { write: (text: string) => error.push(text) } as never,
  })
  const output = { out: out.join(''), error: error.join('') }
  return { status, ...output, json: () => JSON.parse(output.out) }
}

it('creates a key once, proves possession and signs the publication', async () => {
  const made = await run('key', '--out', at('key.pem'))
  expect(made.status).toBe(0)
  expect(statSync(at('key.pem')).mode & 0o777).toBe(0o600)
  expect((await run('key', '--out', at('key.pem'))).error).toMatch(/never overwritten/)
  const key = importPublicKey(made.json().publicKey)
  expect(importPrivateKey(readFileSync(at('key.pem'), 'utf8')).publicKey.raw).toBe(key.raw)

  const shown = await run(
    ...['possession', '--key', at('key.pem'), '--organization', 'org_1', '--provider', 'issuer'],
    ...['--at', '2026-01-05T12:00:00Z'],
  )
  const { configuration, kind } = shown.json()
  const { issuedAt, expiresAt, signature } = configuration.possession
  expect([kind, issuedAt, expiresAt]).toEqual([
    ...['SIGNER_ED25519', '2026-01-05T12:00:00Z', '2026-01-05T13:00:00Z'],
  ])
  const challenge = {
    purpose: 'PASSPORT_SIGNER' as const,
    organizationHash: organizationHash('org_1'),
    providerId: 'issuer',
    publicKey: key.raw,
    issuedAt,
    expiresAt,
  }
  expect(isChallengeSignedBy(challenge, signature, key)).toBe(true)
  expect(isChallengeSignedBy({ ...challenge, providerId: 'other' }, signature, key)).toBe(false)

  const claims = {
    data: {
      vaultId: 'vault_1',
      generatedAt: '2026-01-05T12:00:00.000Z',
      latestValidUntil: '2026-01-12T07:00:00.000Z',
      claims: { issuerName: 'DAO', incidentDetails: {} },
      sourceBindings: { reports: [{ hash: version }], marketQualityScore: { id: 'score_1' } },
      claimBlockers: [],
      supersedesPassportHash: null,
    },
  }
  writeFileSync(at('claims.json'), JSON.stringify(claims))
  const drafted = await run(
    'draft',
    at('claims.json'),
    '--slug',
    'dao',
    '--signer',
    `issuer@${version}`,
  )
  writeFileSync(at('payload.json'), drafted.out)
  expect(drafted.json()).toMatchObject({
    slug: 'dao',
    validUntil: '2026-01-12T07:00:00Z',
    reportHashes: [version],
    disclosure: { showIncidentDetails: true, showPolicyLimits: false },
  })
  const registered = await run(
    ...['receipt', at('payload.json'), '--key', at('key.pem'), '--at', '2026-01-05T12:00:00Z'],
    ...['--registry-provider', `registry@${version}`, '--attestation', version],
  )
  const withReceipt = registered.json()
  expect(isReceiptSignedBy(withReceipt.resultsRegistryReceipt, key)).toBe(true)
  expect(withReceipt.resultsRegistryReceipt.passportSubjectHash).toBe(
    passportSubjectHash(drafted.json()),
  )
  const signed = (await run('sign', at('payload.json'), '--key', at('key.pem'))).json()
  expect(signed.contentHash).toBe(passportContentHash(signed))
  expect(isPassportSignedBy(signed, key)).toBe(true)
})

it('reports invalid input, and that no passport can be published', async () => {
  const blocked = {
    claims: null,
    sourceBindings: null,
    latestValidUntil: null,
    claimBlockers: [{ code: 'SCORE_NOT_ACTIVE', detail: 'No score of the pair is ACTIVE.' }],
  }
  writeFileSync(at('blocked.json'), JSON.stringify({ data: blocked }))
  const drafted = await run(
    'draft',
    at('blocked.json'),
    '--slug',
    'dao',
    '--signer',
    `a@${version}`,
  )
  expect([drafted.status, drafted.error]).toEqual([2, expect.stringMatching(/SCORE_NOT_ACTIVE/)])
  expect((await run('sign', at('payload.json'))).error).toMatch(/--key is required/)
  expect((await run('nothing')).status).toBe(2)
  expect((await run('--help')).out).toMatch(/^Usage/)
})
