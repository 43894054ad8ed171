import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { contract } from '@liquidity-os/contract'
import { exportPrivateKey, generatePrivateKey } from '@liquidity-os/evidence'
import { startLocalchain } from '@liquidity-os/localchain'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { releaseCommand } from './command.ts'

const folder = mkdtempSync(join(tmpdir(), 'liquidity-release-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function run(...args: string[]) {
  const [out, wrong]: [string[], string[]] = [[], []]
  const stdout = { write: (text: string) => out.push(text) }
  const stderr = { write: (text: string) => wrong.push(text) }
  const status = await releaseCommand({ args, stdout, stderr } as never)
  return { status, out: out.join(''), wrong: wrong.join('') }
}

it('signs the adapters of this build and distinguishes valid from invalid releases', async () => {
  const key = generatePrivateKey()
  const [terms, pem, release] = ['terms.json', 'key.pem', 'release.json'].map((name) =>
    join(folder, name),
  )
  const time = { issuedAt: '2026-01-01T00:00:00Z', expiresAt: '2027-01-01T00:00:00Z' }
  writeFileSync(terms!, JSON.stringify({ releaseVersion: 'test-1', ...time }))
  writeFileSync(pem!, exportPrivateKey(key))
  const signed = await run('sign', terms!, '--key', pem!)
  expect([signed.status, signed.wrong]).toEqual([0, ''])
  writeFileSync(release!, signed.out)
  const check = (at: string, raw = key.publicKey.raw) =>
    run('verify', release!, '--key', raw, '--at', at)
  expect((await check('2026-06-01')).out).toMatch(/^HOLDS test-1 0x[0-9a-f]{64}\n14 adapters/)
  const late = await check('2027-06-01')
  expect([late.status, late.out]).toEqual([1, expect.stringContaining('it expired at')])
  const other = await check('2026-06-01', generatePrivateKey().publicKey.raw)
  expect([other.status, other.out]).toEqual([1, expect.stringContaining('is not by the key')])
  writeFileSync(release!, signed.out.replace('test-1', 'test-2'))
  expect((await check('2026-06-01')).status).toBe(1)
  for (const args of [[], ['sign'], ['verify', terms!, '--key', key.publicKey.raw]]) {
    expect((await run(...args)).status).toBe(2)
  }
  expect((await run('--help')).out).toContain('Usage: liquidity release build')
})

const saved = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

it('builds a release with code that two nodes report, and names what it widens', async () => {
  const chain = await startLocalchain()
  onTestFinished(() => chain.stop())
  await chain.mine(70)
  const address = chain.contracts.positionManager
  const local = new URL(chain.rpcUrl)
  // The same node by two hosts: the command compares their answers.
  const other = `http://localhost:${local.port}`
  const observe = (...nodes: string[]) =>
    run(
      'observe',
      ...['--chain', '31337', '--address', address],
      ...nodes.flatMap((node) => ['--rpc', node]),
    )
  expect((await observe(chain.rpcUrl, chain.rpcUrl)).wrong).toContain('different hosts')
  const seen = await observe(chain.rpcUrl, other)
  expect([seen.status, seen.wrong]).toEqual([0, ''])
  const terms = (expiresAt: string, more: object = {}) =>
    JSON.stringify({ releaseVersion: 't', issuedAt: '2026-01-01T00:00:00Z', expiresAt, ...more })
  const build = (expiresAt: string, more: object = {}) =>
    run(
      'build',
      saved('build-terms.json', terms(expiresAt, more)),
      '--observed',
      saved('seen.json', seen.out),
    )
  expect((await build('2026-07-01T00:00:00Z')).wrong).toContain('at most 180 days')
  const built = await build('2026-06-30T00:00:00Z')
  expect([built.status, built.wrong]).toEqual([0, ''])
  const { runtimeCodeHash, block } = JSON.parse(seen.out)
  const manifest = JSON.parse(built.out) as { adapters: contract.Adapter[] }
  const positions = manifest.adapters.find((one) => one.adapterId === 'uniswap-v3-positions')!
  expect(positions.contracts.at(-1)).toMatchObject({
    address,
    code: {
      evidence: 'OBSERVED',
      hash: runtimeCodeHash,
      source: expect.stringContaining(`block ${block.number}`),
    },
  })
  const release = saved('built.json', built.out)
  expect(await run('diff', release, release)).toMatchObject({ status: 0, out: '' })
  expect((await run('diff', '-', release)).out).toBe(
    `CODE uniswap-v3-positions: eip155:31337 ${address} has other evidence\n`,
  )
  const [mint, ...functions] = positions.functions
  const narrow = saved(
    'narrow.json',
    JSON.stringify({
      adapters: manifest.adapters.map((one) => (one === positions ? { ...one, functions } : one)),
    }),
  )
  expect(await run('diff', narrow, release)).toMatchObject({
    status: 1,
    out: `WIDENED uniswap-v3-positions: function ${mint!.selector} mint\n`,
  })
  const none = await build('2026-06-30T00:00:00Z', { adapters: [] })
  expect([none.status, none.wrong]).toEqual([2, expect.stringContaining('no adapter has')])
})
