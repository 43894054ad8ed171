import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { D, H, hashCanonical, isHash, sha256, sha256Hex } from './hash.ts'

const vectors = new URL('../../../datasets/crypto-vectors/', import.meta.url)

describe('hash', () => {
  it('agrees with the published SHA-256 values', () => {
    const rows = JSON.parse(
      gunzipSync(readFileSync(new URL('hashes.json.gz', vectors))).toString(),
    ) as { data: string; sha256: string }[]
    expect(rows.length).toBeGreaterThan(10)
    for (const row of rows) {
      const bytes = Buffer.from(row.data.slice(2), 'hex')
      expect(`0x${sha256Hex(bytes)}`).toBe(row.sha256)
      expect(`0x${Buffer.from(sha256(bytes)).toString('hex')}`).toBe(row.sha256)
    }
  })

  it('prefixes the domain and a line feed to the canonical text', () => {
    const bytes = D('record/v1', { b: 'ä', a: 1 })
    expect(Buffer.from(bytes).toString()).toBe('liquidity-os/record/v1\n{"a":1,"b":"ä"}')
  })

  it('hashes exactly the bytes of D', () => {
    const value = { b: ['\u{1f600}', null], a: 1 }
    const expected = `0x${createHash('sha256').update(D('event/v1', value)).digest('hex')}`
    expect(H('event/v1', value)).toBe(expected)
    expect(hashCanonical('event/v1', '{"a":1,"b":["\u{1f600}",null]}')).toBe(expected)
  })

  it('gives another hash under another tag', () => {
    expect(H('record/v1', {})).not.toBe(H('event/v1', {}))
  })

  it('refuses a tag that could hide a domain inside another', () => {
    expect(() => H('record/v1\n{}', {})).toThrow(RangeError)
    expect(() => H('', {})).toThrow(RangeError)
  })

  it('knows a hash when it sees one', () => {
    expect(isHash(H('record/v1', {}))).toBe(true)
    expect(isHash(`0x${'A'.repeat(64)}`)).toBe(false)
    expect(isHash(`0x${'a'.repeat(63)}`)).toBe(false)
    expect(isHash(null)).toBe(false)
  })
})
