// @module-tag long
// @covers apps/server/src/families/prove/passports

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { canonicalize, sha256Hex } from '@liquidity-os/evidence'
import { erc20Abi, signSafeMessage } from '@liquidity-os/localchain'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { zipOf } from '../src/families/prove/passports/bundle/zip.ts'
import { hourMilliseconds, minuteMilliseconds } from '../src/units.ts'
import { internals, verifyBundle } from '../verifier/verify.mjs'
import { accountStatement, digestOf } from './support/custody.ts'
import {
  draft,
  type PassportScene,
  publishSigned,
  settled,
  startPassportScene,
  stopPassportScene,
} from './support/passporting.ts'
import { callOperation } from './support/requests.ts'
import { newMember } from './support/service.ts'
import { observed, ownersOf, theVault } from './support/vaults.ts'
import { askVerifiers, failingChecks } from './support/verifiers.ts'

let scene: PassportScene
let quoteInClaim: bigint
const reason = 'For the test'
const path = 'inputs/positions.json'

beforeAll(async () => {
  scene = await startPassportScene()
  const { test, service, vaulted } = scene
  const { pair } = test.markets
  const provider = test.chain.accounts[0]!.address
  const args = [vaulted.safe, 10n ** 18n] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  await test.chain.send({ from: provider, to: pair.address, data })
  await test.chain.mine(3)
  // Blocks of this chain are 200 s apart, and none may lie ahead of the service.
  service.clock.advance(14 * minuteMilliseconds)
  await observed(service, vaulted)
  scene = { ...scene, vault: await theVault(scene.owner) }
  const entry = await callOperation<{ payload: { observed: { legs: Leg[] }; assetClass: string } }>(
    scene.owner,
    'createTreasuryEntries',
    {
      body: {
        payload: {
          entryKind: 'ASSET',
          label: 'Pair',
          purpose: 'LIQUIDITY_PROGRAM',
          asset: keyOf(pair.address),
          container: { kind: 'SAFE', chainId: 31_337, address: vaulted.safe },
        },
        reason,
      },
    },
  )
  expect([entry.status, entry.data.payload.assetClass]).toEqual([201, 'LP_CLAIM'])
  const quote = keyOf(test.markets.tokens[1])
  const leg = entry.data.payload.observed.legs.find(({ asset }) => asset === quote)
  quoteInClaim = BigInt(leg!.quantity)
})
afterAll(() => stopPassportScene(scene))

interface Leg {
  readonly asset: string
  readonly quantity: string
}
const keyOf = (token: string) => `eip155:31337/erc20:${token.toLowerCase()}`
const issuerKey = () => sha256Hex(Buffer.from(scene.key.publicKey.raw, 'base64'))

/** Publishes a passport that shows the treasury, and downloads its bundle. */
async function published(slug: string) {
  const payload = await draft(scene, { slug, shows: ['showTreasuryOwnership'] })
  const { status, data, fieldErrors } = await publishSigned(scene, payload)
  expect([status, fieldErrors]).toEqual([201, {}])
  await settled(scene, data.reportJob.id)
  const root = `${scene.service.baseUrl}/api/liquidity-studio/v2/public/passports`
  const bundle = await fetch(`${root}/${slug}/verification-bundle`)
  const bytes = Buffer.from(await bundle.arrayBuffer())
  return { passport: data.passport, payload, bytes, files: internals.readZip(bytes) }
}

const ownedLine = (bytes: Uint8Array) =>
  verifyBundle(bytes, { issuerKey: issuerKey() }).lines.find(
    ({ code, detail }) => code === 'B11' && detail.startsWith('owned liquidity'),
  )

/** Evidence of the Safe by two of its owners. */
async function signForSafe() {
  const { test, service, vaulted } = scene
  // Somebody who signed in just now, as evidence asks for.
  const owner = await newMember(service, scene.owner.organizationId, 'OWNER')
  const [base] = test.markets.tokens
  const statement = await accountStatement(service, owner, test.chain, {
    account: vaulted.safe,
    holdings: [{ assetKey: keyOf(base), quantity: `${10n ** 18n}` }],
  })
  const signers = ownersOf(test).slice(0, 2)
  const signature = await signSafeMessage(31_337, vaulted.safe, digestOf(statement), signers)
  const response = await callOperation<{ evidence: { id: string; resourceVersion: string } }>(
    owner,
    'admitTreasuryCustodyEvidence',
    {
      body: {
        statement,
        signature: { scheme: 'EIP712_SAFE', signature, signer: vaulted.safe },
        reason,
      },
    },
  )
  expect([response.status, response.fieldErrors]).toEqual([201, {}])
  return response.data.evidence
}

it('claims the quote in proven positions, and each verifier follows it to its entries', async () => {
  const before = await draft(scene, { shows: ['showTreasuryOwnership'] })
  expect(before.treasuryOwnedLiquidityQuote).toBe('0')
  const { id, resourceVersion } = await signForSafe()

  const { payload, bytes, files } = await published('example-dao')
  expect(quoteInClaim).toBeGreaterThan(0n)
  expect(payload.treasuryOwnedLiquidityQuote).toBe(`${quoteInClaim}`)
  const content = files.get(path)!
  const { quote, positions } = JSON.parse(Buffer.from(content).toString())
  expect(quote).toBe(keyOf(scene.test.markets.tokens[1]))
  // What lies idle in the Safe is proven too, and no position.
  expect(positions).toMatchObject([
    {
      claim: keyOf(scene.test.markets.pair.address),
      quote: `${quoteInClaim}`,
      control: { evidence: { id, resourceVersion } },
    },
  ])
  const event = JSON.parse(Buffer.from(files.get('log/event.json')!).toString())
  expect(event.payload.positionsHash).toBe(`0x${sha256Hex(content)}`)
  expect(ownedLine(bytes)).toMatchObject({
    result: 'PASS',
    detail: expect.stringContaining(`${quoteInClaim} in 1 positions`),
  })
  for (const [answer] of Object.values(askVerifiers([bytes], issuerKey()))) {
    expect(failingChecks(answer!)).toBe('')
  }

  const changed = (change: (all: Map<string, Uint8Array>) => void) => {
    const all = new Map(files)
    change(all)
    all.delete('manifest.json')
    const hashes = [...all].map(([name, one]) => [name, sha256Hex(one)])
    const manifest = canonicalize({ files: Object.fromEntries(hashes) })
    return Buffer.from(zipOf(all.set('manifest.json', Buffer.from(manifest))))
  }
  const more = canonicalize({ ...JSON.parse(Buffer.from(content).toString()), positions: [] })
  const forged = [
    changed((all) => all.set(path, Buffer.from(more))),
    changed((all) => all.delete(path)),
  ]
  for (const answers of Object.values(askVerifiers(forged, issuerKey()))) {
    expect(answers.map(failingChecks)).toEqual(['B11', 'B11'])
  }
  const figures = verifyBundle(bytes, { issuerKey: issuerKey() }).lines.filter(
    ({ code }) => code === 'B11',
  )
  expect(figures.filter(({ result }) => result !== 'PASS')).toEqual([])
  const view = await fetch(
    `${scene.service.baseUrl}/api/liquidity-studio/v2/public/passports/example-dao`,
    { headers: { accept: 'application/json' } },
  )
  const { ownedLiquidity } = ((await view.json()) as { data: { ownedLiquidity: object } }).data
  const claims = JSON.parse(Buffer.from(files.get('inputs/claims.json')!).toString())
  expect(event.payload.claimsHash).toBe(`0x${sha256Hex(files.get('inputs/claims.json')!)}`)
  const { owned, idle } = claims.treasury
  expect(ownedLiquidity).toMatchObject({
    positions: {
      ...owned.positions,
      proofs: [{ entry: positions[0].entry, evidence: { id, resourceVersion } }],
    },
    quoteBalances: { quote: owned.quoteBalance },
    ownTokens: owned.ownTokens,
  })
  expect(owned.positions.quote).toBe(`${quoteInClaim}`)
  // The vault holds own tokens, which are worth less than at the mid price.
  expect(idle.length).toBeGreaterThan(0)
  const { num, den } = claims.treasury.price
  const atMid = (BigInt(owned.ownTokens.base) * BigInt(num)) / BigInt(den)
  expect(BigInt(owned.ownTokens.realizableQuote)).toBeLessThan(atMid)

  const withoutEntries = changed((all) => all.delete('sources/ledgerEntries.json'))
  expect(ownedLine(withoutEntries)).toMatchObject({ result: 'NOT_CHECKED' })
})

it('answers all three questions with PASS by key, checkpoint and node, and names what is not given', async () => {
  const root = `${scene.service.baseUrl}/api/liquidity-studio/v2/public/passports`
  const bundle = await fetch(`${root}/example-dao/verification-bundle`)
  const bytes = Buffer.from(await bundle.arrayBuffer())
  const folder = mkdtempSync(join(tmpdir(), 'passport-'))
  const [zip, checkpoint] = [join(folder, 'passport.zip'), join(folder, 'checkpoint')]
  writeFileSync(zip, bytes)
  const proof = Buffer.from(internals.readZip(bytes).get('log/passport.tlog-proof')!).toString()
  writeFileSync(checkpoint, proof.slice(proof.indexOf('\n\n') + 2))
  const key = ['--issuer-key', issuerKey()]
  const known = ['--known-checkpoint', checkpoint]
  const node = ['--rpc', scene.test.chain.rpcUrl]
  const cases: [string[], string[]][] = [
    [[], ['--issuer-key, --known-checkpoint', '--rpc', '--issuer-key']],
    [key, ['--known-checkpoint', '--rpc', 'PASS']],
    [
      [...key, ...known],
      ['PASS', '--rpc', 'PASS'],
    ],
    [
      [...key, ...known, ...node],
      ['PASS', 'PASS', 'PASS'],
    ],
  ]
  for (const [program, file] of [
    [process.execPath, '../verifier/verify.mjs'],
    ['python3', '../verifier/verify.py'],
  ] as const) {
    for (const [options, expected] of cases) {
      const path = fileURLToPath(new URL(file, import.meta.url))
      const run = spawnSync(program, [path, zip, ...options], { encoding: 'utf8' })
      // Without Python the test covers verify.mjs only.
      if (run.error) continue
      expect([run.status, run.stderr]).toEqual([0, ''])
      const answers = run.stdout.trim().split('\n').slice(-3)
      for (const [index, part] of expected.entries()) {
        const text = part.startsWith('PASS') ? `: ${part}` : `: you did not give ${part}`
        expect(answers[index]).toContain(text)
      }
    }
  }
  rmSync(folder, { recursive: true })
})

it('keeps the positions of a publication, whatever becomes of the evidence', async () => {
  const root = `${scene.service.baseUrl}/api/liquidity-studio/v2/public/passports`
  const download = async () =>
    Buffer.from(await (await fetch(`${root}/example-dao/verification-bundle`)).arrayBuffer())
  const before = internals.readZip(await download()).get(path)
  scene.service.clock.advance(24 * hourMilliseconds)
  const later = await download()
  expect(internals.readZip(later).get(path)).toEqual(before)
  expect(ownedLine(later)).toMatchObject({ result: 'PASS' })
})
