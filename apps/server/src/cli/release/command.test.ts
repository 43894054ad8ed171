import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportPrivateKey, generatePrivateKey } from '@liquidity-os/evidence'
import { afterAll, expect, it } from 'vitest'
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
  expect((await run('--help')).out).toContain('Usage: liquidity release sign')
})
