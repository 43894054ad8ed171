// @module-tag long
// @covers apps/server/src/families/prove/passports

import { spawnSync } from 'node:child_process'
import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  sign as signEd25519,
  verify,
} from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type ClmmState,
  createClmmPool,
  createCpmmPair,
  marketToJson,
  mint,
  sqrtRatioAtTick,
} from '@liquidity-os/engine/amm'
import { followMarket } from '@liquidity-os/engine/replay'
import { CompositeMarket } from '@liquidity-os/engine/scoring'
import { canonicalize, noteKeyId } from '@liquidity-os/evidence'
import { keccak256, stringToBytes } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { assembleVerifierPage } from '../src/http/routes/assemble-verifier-page.ts'
import { isEd25519, sha256, sha512 } from '../verifier/page/primitives.mjs'
import { internals, verifyBundle } from '../verifier/verify.mjs'
import {
  changedExamples,
  exampleBundle,
  exampleFiles,
  exampleIssuerKey,
  rewrittenExample,
} from './support/bundle.ts'

const verifierInNode = fileURLToPath(new URL('../verifier/verify.mjs', import.meta.url))
const verifierInPython = fileURLToPath(new URL('../verifier/verify.py', import.meta.url))

interface VerifierResult {
  readonly ok: boolean
  /** Code, result and words of each check. */
  readonly lines: readonly (readonly [string, string, string])[]
}

/** What the second verifier says of each bundle; null where there is no interpreter, and so no second opinion. */
function askPython(bundles: readonly Buffer[], ...options: string[]): VerifierResult[] | null {
  const input = `${bundles.map((one) => one.toString('base64')).join('\n')}\n`
  const run = spawnSync(
    'python3',
    [verifierInPython, '-', '--issuer-key', exampleIssuerKey, ...options],
    { input, encoding: 'utf8', maxBuffer: 1e9 },
  )
  if (run.error) return null
  return run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as VerifierResult)
}

/** Whether verify.mjs lets each pass, after it was seen that verify.py says the same. */
function agreed(bundles: readonly Buffer[], at?: string): boolean[] {
  const options = { issuerKey: exampleIssuerKey, ...(at === undefined ? {} : { at }) }
  const own = bundles.map((one) => verifyBundle(one, options).ok)
  const other = askPython(bundles, ...(at === undefined ? [] : ['--at', at]))
  if (other) expect(other.map(({ ok }) => ok)).toEqual(own)
  return own
}

describe('the verifier', () => {
  it('holds the example, and its figures are the engine’s own', () => {
    const found = verifyBundle(exampleBundle, { issuerKey: exampleIssuerKey })
    expect(found.lines.filter(({ result }) => result === 'FAIL')).toEqual([])
    expect(found.ok).toBe(true)
  })

  it('says that the market of the example is simulated, as the second one does, by the list of the contract', () => {
    expect(verifyBundle(exampleBundle, { issuerKey: exampleIssuerKey }).simulated).toEqual([31337])
    const path = fileURLToPath(new URL('../verifier/example/passport.zip', import.meta.url))
    const words = 'SIMULATED   market: the evidence lies on local or test chains: 31337'
    for (const [program, file] of [
      ['node', verifierInNode],
      ['python3', verifierInPython],
    ] as const) {
      const run = spawnSync(program, [file, path], { encoding: 'utf8' })
      if (!run.error) expect(run.stdout.split('\n')[0]).toBe(words)
    }
    const file = '../../../packages/contract/src/generated/test-networks.json'
    const listed = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as object
    expect([...internals.testChains]).toEqual(Object.keys(listed).map(Number))
    const chains = /TEST_CHAINS = .*in \(([^)]*)\)/.exec(
      readFileSync(verifierInPython, 'utf8'),
    )?.[1]
    expect(chains?.match(/\d+/g)?.map(Number)).toEqual([...internals.testChains])
  })

  it('names a file that it cannot read, and exits with 2', () => {
    const path = '/missing/passport.zip'
    for (const [program, file] of [
      ['node', verifierInNode],
      ['python3', verifierInPython],
    ] as const) {
      const run = spawnSync(program, [file, path], { encoding: 'utf8' })
      if (run.error) continue
      expect([run.status, run.stdout]).toEqual([2, ''])
      expect(run.stderr).toContain(path)
      expect(run.stderr).not.toContain('Traceback')
    }
  })

  it('finds a changed byte in any file, even with a new manifest', () => {
    const passed: string[] = []
    for (const { path, place: itemIndex, bytes } of changedExamples(
      Number(process.env.MUTATIONS ?? 6),
    )) {
      const { ok } = verifyBundle(bytes, { issuerKey: exampleIssuerKey })
      if (ok) passed.push(`${path}, byte ${itemIndex}`)
    }
    expect(passed).toEqual([])
  })

  it('agrees with a second implementation in another language on changed bundles', () => {
    const own = agreed([exampleBundle, ...[...changedExamples(1)].map(({ bytes }) => bytes)])
    expect(own[0]).toBe(true)
    expect(own.filter((ok) => !ok).length).toBeGreaterThan(12)
  })

  it('does not pass without a file that every bundle has', () => {
    const mayLack =
      /^(verify\.mjs|README\.txt|chain\/.*|(receipts\/receipts|sources\/(anomalies|ledgerEntries))\.json)$/
    const cut = exampleFiles.map((path) => rewrittenExample((files) => files.delete(path)))
    expect(agreed(cut)).toEqual(exampleFiles.map((path) => mayLack.test(path)))
    const kept = (pattern: RegExp) =>
      rewrittenExample((files) => {
        for (const path of exampleFiles) if (!pattern.test(path)) files.delete(path)
      })
    expect(agreed([kept(/^(passport|keys)\.json$|^log\//), kept(/^$/)])).toEqual([false, false])
  })

  it('knows no member of a passport that every object has', () => {
    for (const name of ['constructor', 'toString', 'hasOwnProperty']) {
      const changed = rewrittenExample((files) => {
        const passport = JSON.parse(Buffer.from(files.get('passport.json')!).toString())
        passport[name] = 'another'
        files.set('passport.json', Buffer.from(canonicalize(passport)))
      })
      const { lines } = verifyBundle(changed, { issuerKey: exampleIssuerKey })
      expect(lines.at(-1), name).toMatchObject({ code: 'B2', result: 'FAIL' })
    }
  })

  it('reports an expired passport without revocation data', () => {
    const cut = rewrittenExample((files) => files.delete('revocations.json'))
    const at = '2040-01-01T00:00:00Z'
    expect(agreed([cut], at)).toEqual([false])
    const { lines } = verifyBundle(cut, { issuerKey: exampleIssuerKey, at })
    expect(lines.map(({ detail }) => detail)).toContain('time: expired at 2026-01-06T12:00:00Z')
  })

  it('prints nothing of a bundle that a terminal obeys', () => {
    const painted = rewrittenExample((files) => {
      files.set('sources/\u001b[2J\u009b1A\nPASS        B5  .json', Buffer.from('{}'))
      const statements = Buffer.from(files.get('artifacts.json')!).toString()
      const keyId = '"keyId":"\\u001b]0;PASS\\u0007\u202e"'
      files.set('artifacts.json', Buffer.from(statements.replace(/"keyId":"\w+"/, keyId)))
    })
    const folder = mkdtempSync(join(tmpdir(), 'painted-'))
    const path = join(folder, 'passport.zip')
    writeFileSync(path, painted)
    for (const [program, verifier] of [
      [process.execPath, verifierInNode],
      ['python3', verifierInPython],
    ] as const) {
      for (const form of [[], ['--json']]) {
        const run = spawnSync(program, [verifier, path, ...form], { encoding: 'utf8' })
        // No interpreter, no second opinion.
        if (run.error) continue
        expect(run.status).toBe(1)
        expect(run.stdout).toContain('sources/\\u001b[2J')
        expect(run.stdout).not.toMatch(/(?!\n)\p{C}|^PASS +B5/mu)
      }
    }
    rmSync(folder, { recursive: true })
  })

  it('takes no note with control characters', () => {
    const painted = rewrittenExample((files) => {
      const proof = Buffer.from(files.get('log/passport.tlog-proof')!).toString()
      const changed = proof.replaceAll('127.0.0.1:8080/', '\u001b[2J/')
      files.set('log/passport.tlog-proof', Buffer.from(changed))
      const keys = Buffer.from(files.get('keys.json')!).toString()
      files.set('keys.json', Buffer.from(keys.replace('127.0.0.1:8080/', '\\u001b[2J/')))
    })
    const { lines } = verifyBundle(painted, { issuerKey: exampleIssuerKey })
    const results = [
      lines.map(({ code, result, detail }) => [code, result, detail] as const),
      ...(askPython([painted])?.map((one) => one.lines) ?? []),
    ]
    for (const own of results)
      expect(own.filter(([, , detail]) => /a note has no control characters/.test(detail))).toEqual(
        [[expect.stringMatching(/^B[67]$/), 'FAIL', expect.anything()]],
      )
  })

  it('agrees with a second implementation on handover lists and the form of a time', () => {
    const withHandovers = (handovers: unknown) =>
      rewrittenExample((files) => {
        const keys = JSON.parse(Buffer.from(files.get('keys.json')!).toString())
        Object.assign(keys.log, { handovers })
        files.set('keys.json', Buffer.from(canonicalize(keys)))
      })
    expect(agreed(['', {}, null, 0, []].map(withHandovers))).toEqual([
      ...[false, false, false, false],
      true,
    ])
    const isAccepted = (at: string) => agreed([exampleBundle], at)[0]
    expect(isAccepted('2026-01-05T12:00:00Z')).toBe(true)
    for (const at of [
      ...['2026-01-05T12:00:00+00:00', '2026-01-05T14:00:00+02:00', '2026-01-05 12:00:00Z'],
      ...['2026-01-05', '20260105T120000Z', '2025-02-30T12:00:00Z', '2025-12-31T24:00:00Z', ''],
    ])
      expect(isAccepted(at), at).toBe(false)
  })

  it('takes no name with a plus sign under a note, in the second language neither', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('base64')
    const requests = ['log', 'l+g'].map((name) => {
      const words = `${name}\n1\n${'A'.repeat(43)}=\n`
      const id = Buffer.from(noteKeyId(name, raw), 'hex')
      const signature = signEd25519(null, Buffer.from(words), privateKey)
      const line = `— ${name} ${Buffer.concat([id, signature]).toString('base64')}`
      return [words, [line], name, raw]
    })
    const program = `
import json, sys
sys.path.insert(0, sys.argv[1])
import verify
for one in json.load(sys.stdin):
    try:
        print(verify.note_signed(*one))
    except ValueError as why:
        print(why)
`
    const folder = fileURLToPath(new URL('../verifier', import.meta.url))
    const run = spawnSync('python3', ['-B', '-c', program, folder], {
      input: JSON.stringify(requests),
      encoding: 'utf8',
    })
    // No interpreter, no second opinion.
    if (run.error) return
    expect(run.stdout.trim().split('\n')).toEqual(['True', 'a line is no signature'])
  })

  it('quotes no state that a pool cannot be in, and so ends', () => {
    const pool = {
      kind: 'UNISWAP_V3',
      feePips: 3000,
      tickSpacing: 60,
      tick: -13864,
      liquidity: '0',
      sqrtPriceX96: `${2n ** 95n}`,
      ticks: [] as object[],
    }
    const tick = (index: number, liquidityNet = '1') => ({ index, liquidityNet })
    const pair = { kind: 'UNISWAP_V2', reserve0: '5', reserve1: '5' }
    const impossible = [
      { ...pair, fee: { numerator: '3', denominator: '3' } },
      { ...pair, fee: { numerator: '3', denominator: '1000' }, reserve0: '9'.repeat(79) },
      { ...pool, feePips: 1_000_000 },
      { ...pool, feePips: -1 },
      { ...pool, tick: 887_273 },
      { ...pool, sqrtPriceX96: '9'.repeat(78) },
      { ...pool, ticks: [tick(60), tick(0)] },
      { ...pool, ticks: [tick(0), tick(0)] },
      { ...pool, ticks: [tick(0, '9'.repeat(79))] },
      { ...pool, tickSpacing: 0 },
      { ...pool, tickSpacing: 0, sqrtPriceX96: `${2n ** 97n}`, tick: 13_863 },
    ]
    for (const state of impossible)
      expect(() => internals.slippage(state, true, 10n ** 18n), JSON.stringify(state)).toThrow(
        'none that a pool can be in',
      )
    const crowded = { ...pool, ticks: Array.from({ length: 20_001 }, (_, at) => tick(at)) }
    expect(() => internals.slippage(crowded, true, 1n)).toThrow('no quote is made here')
    const request = `
import json, sys
sys.path.insert(0, sys.argv[1])
import verify
for line in sys.stdin:
    try:
        print(verify.slippage(json.loads(line), True, 10**18))
    except Exception as why:
        print(type(why).__name__, why)
`
    const input = [...impossible, crowded].map((one) => JSON.stringify(one)).join('\n')
    const folder = fileURLToPath(new URL('../verifier', import.meta.url))
    const run = spawnSync('python3', ['-B', '-c', request, folder], { input, encoding: 'utf8' })
    // No interpreter, no second opinion.
    if (run.error) return
    expect(run.stdout.trim().split('\n')).toEqual([
      ...impossible.map(() => 'ValueError the state is none that a pool can be in'),
      'Skip of so many ticks no quote is made here',
    ])
  })

  it('goes from tick to tick as the engine does, through empty stretches and to the ends', () => {
    const observation = {
      blockTimestamp: 0,
      tickCumulative: 0n,
      secondsPerLiquidityCumulativeX128: 0n,
      initialized: true,
    }
    const started: ClmmState = {
      ...createClmmPool({ feePips: 3000, tickSpacing: 60 }),
      sqrtPriceX96: sqrtRatioAtTick(30),
      tick: 30,
      observations: [observation],
      observationCardinality: 1,
      observationCardinalityNext: 1,
    }
    const ranges = [
      [-120, 120],
      [-60, 60],
      [180, 240],
      [-60_000, -30_000],
    ] as const
    const pool = ranges.reduce(
      (before, [tickLower, tickUpper]) =>
        mint(before, { owner: 'o', tickLower, tickUpper }, 10n ** 18n).state,
      started,
    )
    const market = new CompositeMarket([
      {
        venueId: 'v',
        orientation: { base: 0, quote: 1 } as const,
        feePips: 3000,
        market: followMarket(pool),
      },
    ])
    for (const size of [1n, 10n ** 9n, 10n ** 15n, 10n ** 16n, 10n ** 18n, 10n ** 24n])
      expect(internals.slippage(marketToJson(pool), true, size)).toEqual({
        buy: market.slippage(size, 'BUY')!.pips,
        sell: market.slippage(size, 'SELL')!.pips,
      })
  })

  it('stops at an invalid signature, and at the limits of a bundle', () => {
    const edited = (path: string, change: (value: Record<string, unknown> & unknown[]) => void) =>
      rewrittenExample((files) => {
        const value = JSON.parse(Buffer.from(files.get(path)!).toString())
        change(value)
        files.set(path, Buffer.from(canonicalize(value)))
      })
    const { limits } = internals
    const filled = (max: number, one: unknown) => Array.from({ length: max + 1 }, () => one)
    const cases = [
      edited('passport.json', (passport) => {
        passport.issuerName = 'Another'
      }),
      edited('keys.json', (keys) => {
        Object.assign(keys.log as object, { handovers: filled(limits.handovers, 'a note') })
      }),
      edited('artifacts.json', (all) => all.push(...filled(limits.statements, all[0]))),
      edited('revocations.json', (content) => {
        content.revocations = filled(limits.revocations, {})
      }),
      Buffer.alloc(limits.bytes + 1),
    ]
    const found = cases.map((one) => verifyBundle(one, { issuerKey: exampleIssuerKey }).lines)
    const failing = found.map((lines) =>
      lines
        .filter(({ result }) => result === 'FAIL')
        .map(({ code, detail }) => `${code} ${detail}`),
    )
    expect(found[0]?.at(-1)).toMatchObject({ code: 'B4', result: 'FAIL' })
    expect(failing.slice(1)).toEqual([
      ['B7 signature of the log: handovers are no list of at most 1000 notes'],
      ['B14 formats: more than 1000 statements'],
      ['B15 revocations: more than 1000 revocations'],
      [`B1 manifest: is larger than ${limits.bytes} bytes`],
    ])
    expect(agreed(cases)).toEqual(cases.map(() => false))
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

  it('prices a pair like the engine, on both sides and beyond its reserves', () => {
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

/**
 * A key with a part of order 8, A = a·B + T, and signatures with R = r·B + 3·T. All fulfil the equation times the cofactor;
 * without it only those whose k makes −k·T and 3·T the same, as "a passport 13" does.
 */
const mixedKey = '8845bd18e13b96c988ab4af3822496d7b8e4306bafef9545b0d4da323e539475'
const mixedSignatures = [
  [
    'a passport',
    'dfd3145e691e9b998cb20bd6e1790ccfbd79f23e01dc20a7349e3aec7193acf6622985cc28884178f0f1dc535d369a4e7e211ed431ba60283ced48848984e601',
  ],
  [
    'a passport 13',
    'dfd3145e691e9b998cb20bd6e1790ccfbd79f23e01dc20a7349e3aec7193acf6dca85676404af0d90ff072b4aa545de6bdce3705d5a4646c3ac846caad99d000',
  ],
] as const

function isSignedForNode(publicKey: Buffer, message: Buffer, signature: Buffer): boolean {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') }
  return verify(null, message, createPublicKey({ key: jwk, format: 'jwk' }), signature)
}

describe('the page of the verifier', () => {
  it('is one file that allows its own script and style by hash, and nothing else', () => {
    const page = assembleVerifierPage()
    const [, policy = ''] =
      /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? []
    const inPage = (tag: string) => {
      const [, text = ''] = new RegExp(`<${tag}[^>]*>([\\s\\S]*)</${tag}>`).exec(page) ?? []
      return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    }
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${inPage('script')}`,
      `style-src ${inPage('style')}`,
      "base-uri 'none'",
      "form-action 'none'",
    ])
    expect(page).not.toMatch(/<(link|script)[^>]* (href|src)=/)
  })

  it('hashes as Node does, at every length around a block', () => {
    for (let length = 0; length < 300; length += 1) {
      const bytes = Buffer.alloc(length, length)
      const [front, back] = [bytes.subarray(0, length >> 1), bytes.subarray(length >> 1)]
      const expected = (name: string) => createHash(name).update(bytes).digest('hex')
      expect(Buffer.from(sha256(front, back)).toString('hex')).toBe(expected('sha256'))
      expect(Buffer.from(sha512(front, back)).toString('hex')).toBe(expected('sha512'))
    }
  })

  it('takes a signature that Node takes, and no other', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const key = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url')
    const message = Buffer.from('a passport')
    const signature = signEd25519(null, message, privateKey)
    expect(isEd25519(key, message, signature)).toBe(true)
    for (const [part, index] of [key, message, signature].flatMap((bytes, part) =>
      Array.from({ length: bytes.length }, (_, at) => [part, at] as const),
    )) {
      const changed = [key, message, signature].map((bytes) => Buffer.from(bytes))
      changed[part]![index]! ^= 1 << (index % 8)
      expect(isEd25519(changed[0]!, changed[1]!, changed[2]!), `${part}, ${index}`).toBe(false)
    }
  })

  it('decides as Node does where the cofactor makes a difference, and of a number that is written twice', () => {
    const key = Buffer.from(mixedKey, 'hex')
    const decided = mixedSignatures.map(([words, digits]) => {
      const [message, signature] = [Buffer.from(words), Buffer.from(digits, 'hex')]
      const isTaken = isEd25519(key, message, signature)
      expect(isTaken).toBe(isSignedForNode(key, message, signature))
      const order = 2n ** 252n + 27742317777372353535851937790883648493n
      const s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`) + order
      const again = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse()
      expect(isEd25519(key, message, Buffer.concat([signature.subarray(0, 32), again]))).toBe(false)
      return isTaken
    })
    expect(decided).toEqual([false, true])
  })
})
