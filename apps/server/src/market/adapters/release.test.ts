import { readFileSync } from 'node:fs'
import { contract } from '@liquidity-os/contract'
import { generatePrivateKey, importPrivateKey } from '@liquidity-os/evidence'
import { toFunctionSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import { abiOf } from './decode-call.ts'
import { developmentPrivateKey, developmentPublicKey } from './development-key.ts'
import shipped from './release.json' with { type: 'json' }
import {
  faultOfRelease,
  parseRelease,
  releaseHashOf,
  signRelease,
  trustedRelease,
} from './release.ts'

const text = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const bundled = parseRelease(text('./release.json'))
const now = Date.parse('2026-06-01T00:00:00Z')
const config = { environment: 'development', releaseFile: null, releasePublicKey: null } as const

describe('the release of adapters', () => {
  it('that is shipped holds the registry, signed by the development key', () => {
    const { signature, adapters, ...terms } = bundled
    expect(adapters).toEqual(contract.adapters)
    const key = importPrivateKey(developmentPrivateKey)
    expect(key.publicKey.raw).toBe(developmentPublicKey)
    expect(signRelease({ ...terms, adapters }, key).signature).toBe(signature)
    expect(trustedRelease(config, now)).toMatchObject({ manifest: shipped })
    // Verified once, until another key is pinned.
    expect(trustedRelease(config, now)).toBe(trustedRelease(config, now))
    expect(trustedRelease(config, Date.parse('2037-01-01'))).toMatchObject({
      fault: expect.stringMatching(/expired/),
    })
  })

  it('names each function by the selector of its signature', () => {
    for (const { functions } of contract.adapters) {
      for (const declared of functions) {
        expect(toFunctionSelector(abiOf(declared))).toBe(declared.selector)
      }
    }
  })

  it('is not trusted in production by the development key, nor without a pinned one', () => {
    const production = { ...config, environment: 'production' } as const
    expect(trustedRelease(production, now)).toEqual({ fault: 'no RELEASE_PUBLIC_KEY is pinned' })
    expect(trustedRelease({ ...production, releasePublicKey: developmentPublicKey }, now)).toEqual({
      fault: 'the development key is pinned, and it is public',
    })
  })

  it('is not trusted when another key signed it, a byte is another, or its time is over', () => {
    const other = generatePrivateKey()
    const pinned = { ...config, releasePublicKey: other.publicKey.raw }
    expect(trustedRelease(pinned, now)).toMatchObject({
      fault: expect.stringMatching(/is not by the key/),
    })
    const { signature: _, ...unsigned } = bundled
    const signed = signRelease(unsigned, other)
    expect(faultOfRelease(signed, other.publicKey, now)).toBeNull()
    const changed = { ...signed, releaseVersion: 'another' }
    expect(faultOfRelease(changed, other.publicKey, now)).toMatch(/signature/)
    expect(faultOfRelease(signed, other.publicKey, Date.parse('2037-01-01'))).toMatch(/expired/)
    expect(faultOfRelease(signed, other.publicKey, Date.parse('2025-01-01'))).toMatch(
      /is not valid before/,
    )
    expect(bundled).toEqual(shipped)
    expect(() => parseRelease('{}')).toThrow('not a release manifest')
  })

  it('before packs still verifies with its hash, and the packs widen none of its adapters', () => {
    const before = parseRelease(text('./testing/release-2.json'))
    const { publicKey } = importPrivateKey(developmentPrivateKey)
    expect(faultOfRelease(before, publicKey, now)).toBeNull()
    // The hash that policies of that release store.
    expect(releaseHashOf(before)).toBe(
      '0xc1568998f66cc72113197343db1407f65980db6afdc25c6d868cbbe0c63934ca',
    )
    for (const { adapterId, functions } of before.adapters) {
      const after = contract.adapters.find((one) => one.adapterId === adapterId)
      expect(after?.functions.map(({ selector }) => selector)).toEqual(
        functions.map(({ selector }) => selector),
      )
    }
  })
})
