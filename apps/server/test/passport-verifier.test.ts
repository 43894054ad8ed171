import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createCpmmPair } from '@liquidity-os/engine/amm'
import { followMarket } from '@liquidity-os/engine/replay'
import { CompositeMarket } from '@liquidity-os/engine/scoring'
import { canonicalize, sha256Hex } from '@liquidity-os/evidence'
import { keccak256, stringToBytes } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { zipOf } from '../src/families/prove/passports/bundle/zip.ts'
import { internals, verifyBundle } from '../verifier/verify.mjs'

const at = (name: string) => fileURLToPath(new URL(`../verifier/${name}`, import.meta.url))
const bundle = readFileSync(at('example/passport.zip'))
const issuerKey = readFileSync(at('example/issuer-key.txt'), 'utf8').trim()
const files = internals.readZip(bundle)

/** The bundle with a byte of a file changed, in a container and under a manifest that are right for it. */
function withByte(path: string, place: number): Buffer {
  const changed = new Map(files)
  const bytes = Buffer.from(files.get(path)!)
  bytes[place] = (bytes[place] ?? 0) ^ (1 << (place % 8))
  changed.set(path, bytes)
  changed.delete('manifest.json')
  const hashes = [...changed].map(([name, content]) => [name, sha256Hex(content)])
  changed.set('manifest.json', Buffer.from(canonicalize({ files: Object.fromEntries(hashes) })))
  return Buffer.from(zipOf(changed))
}

/** Bytes that neither verifier can hold against anything: programs, and what only a reader's own checkpoint shows. */
const unread = ['verify.mjs', 'README.txt', 'log/consistency.json', 'manifest.json']

function* mutations(perFile: number): Generator<{ path: string; place: number; bytes: Buffer }> {
  for (const [path, content] of files) {
    if (unread.includes(path)) continue
    for (let index = 0; index < perFile; index += 1) {
      // Primes, so that every bit is flipped somewhere.
      const place = (index * 7919 + path.length * 104_729) % content.length
      yield { path, place, bytes: withByte(path, place) }
    }
  }
}

describe('the verifier', () => {
  it('holds the example, and its figures are the engine’s own', () => {
    const found = verifyBundle(bundle, { issuerKey })
    expect(found.lines.filter(({ result }) => result === 'FAIL')).toEqual([])
    expect(found.ok).toBe(true)
  })

  it('finds a byte that was changed in any file, with the manifest made anew', () => {
    const passed: string[] = []
    for (const { path, place, bytes } of mutations(Number(process.env.MUTATIONS ?? 6))) {
      const { ok, lines } = verifyBundle(bytes, { issuerKey })
      // Of what is withheld only the hash is bound; a line says so.
      const isTold = lines.some(
        ({ result, detail }) =>
          result === 'NOT_CHECKED' &&
          detail.includes('withheld') &&
          path.includes(detail.split(':')[0] ?? ''),
      )
      if (ok && !isTold) passed.push(`${path}, byte ${place}`)
    }
    expect(passed).toEqual([])
  })

  it('agrees with a second one, in another language, on what is changed', () => {
    const asked = [...mutations(1)]
    const input = [bundle, ...asked.map(({ bytes }) => bytes)].map((one) => one.toString('base64'))
    const run = spawnSync('python3', [at('verify.py'), '-', '--issuer-key', issuerKey], {
      ...{ input: `${input.join('\n')}\n`, encoding: 'utf8', maxBuffer: 1e9 },
    })
    // No interpreter, no second opinion.
    if (run.error) return
    const told = run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { ok: boolean })
    const own = [bundle, ...asked.map(({ bytes }) => bytes)]
    expect(told.map(({ ok }) => ok)).toEqual(own.map((one) => verifyBundle(one, { issuerKey }).ok))
    expect(told.filter(({ ok }) => !ok).length).toBeGreaterThan(12)
  })

  it('hashes and recovers as others do', () => {
    for (const text of ['', 'a', 'x'.repeat(135), 'x'.repeat(136), 'x'.repeat(500)]) {
      const own = Buffer.from(internals.keccak256(Buffer.from(text))).toString('hex')
      expect(`0x${own}`).toBe(keccak256(stringToBytes(text)))
    }
  })

  it('recovers who signed', async () => {
    const privateKey = `0x${'17'.repeat(32)}` as const
    const hash = keccak256(stringToBytes('a passport'))
    const signature = await sign({ hash, privateKey, to: 'hex' })
    const found = internals.recover(
      Buffer.from(hash.slice(2), 'hex'),
      Buffer.from(signature.slice(2), 'hex'),
    )
    expect(found).toBe(privateKeyToAccount(privateKey).address.toLowerCase())
  })

  it('prices a pair as the engine does, on either side and beyond what it holds', () => {
    const pair = {
      ...createCpmmPair({}),
      reserve0: 10n ** 21n,
      reserve1: 3n * 10n ** 18n,
      balance0: 10n ** 21n,
      balance1: 3n * 10n ** 18n,
    }
    const state = {
      kind: 'UNISWAP_V2',
      reserve0: `${pair.reserve0}`,
      reserve1: `${pair.reserve1}`,
      fee: { numerator: '3', denominator: '1000' },
    }
    for (const baseIsToken0 of [true, false]) {
      const orientation = baseIsToken0
        ? ({ base: 0, quote: 1 } as const)
        : ({ base: 1, quote: 0 } as const)
      const market = new CompositeMarket([
        { venueId: 'v', orientation, feePips: 3000, market: followMarket(pair) },
      ])
      for (const size of [1n, 10n ** 9n, 10n ** 17n, 10n ** 24n]) {
        const found = internals.slippage(state, baseIsToken0, size)
        expect(found).toEqual({
          buy: market.slippage(size, 'BUY')!.pips,
          sell: market.slippage(size, 'SELL')!.pips,
        })
      }
    }
  })
})
