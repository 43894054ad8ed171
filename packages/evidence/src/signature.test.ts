import { createHash, createPrivateKey, generateKeyPairSync, sign as nodeSign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CanonicalJsonError } from './canonical-json.ts'
import { D, sha256Hex } from './hash.ts'
import { hexToBytes } from './hex.ts'
import {
  exportPrivateKey,
  generatePrivateKey,
  InvalidKeyError,
  importPrivateKey,
  importPublicKey,
  publicKeyFrom,
  sign,
  verify,
  verifyRaw,
} from './signature.ts'

interface Vector {
  readonly publicKey: string
  readonly msg: string
  readonly sig: string
  readonly secretKey: string
  readonly result: 'valid' | 'invalid'
}

function vectors(name: string): Vector[] {
  const url = new URL(`../../../datasets/crypto-vectors/${name}`, import.meta.url)
  return JSON.parse(readFileSync(url, 'utf8')) as Vector[]
}

/** PKCS#8 of a 32-byte seed. @see RFC 8410, §7 */
function pkcs8(seedHex: string): string {
  return Buffer.from(`302e020100300506032b657004220420${seedHex}`, 'hex').toString('base64')
}

const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')

describe('published vectors', () => {
  it('signs and verifies as RFC 8032 does', () => {
    const rows = vectors('ed25519_rfc8032.json')
    expect(rows).toHaveLength(4)
    for (const { secretKey, publicKey, msg, sig } of rows) {
      const key = importPrivateKey(pkcs8(secretKey))
      expect(key.publicKey.raw).toBe(base64(publicKey))
      expect(nodeSign(null, hexToBytes(msg), key.key).toString('hex')).toBe(sig)
      expect(verifyRaw(importPublicKey(base64(publicKey)), hexToBytes(msg), hexToBytes(sig))).toBe(
        true,
      )
    }
  })

  it('agrees with every row of Wycheproof', () => {
    const rows = vectors('ed25519_wycheproof.json')
    expect(rows).toHaveLength(76)
    expect(new Set(rows.map((row) => row.result))).toEqual(new Set(['valid', 'invalid']))
    const wrong = rows.filter(({ publicKey, msg, sig, result }) => {
      const key = publicKeyFrom(hexToBytes(publicKey))
      return verifyRaw(key, hexToBytes(msg), hexToBytes(sig)) !== (result === 'valid')
    })
    expect(wrong).toEqual([])
  })
})

describe('sign and verify', () => {
  it('rejects a signature whose R is the identity, S = k·a, which old OpenSSL accepted', () => {
    const seed = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'
    const signer = importPrivateKey(pkcs8(seed)).publicKey
    const message = Buffer.from('passport')
    const sha512 = (bytes: Uint8Array) => createHash('sha512').update(bytes).digest()
    const little = (bytes: Uint8Array) =>
      BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)
    const order = 2n ** 252n + 27742317777372353535851937790883648493n
    const half = sha512(hexToBytes(seed)).subarray(0, 32)
    const a = ((little(half) & ((1n << 254n) - 8n)) | (1n << 254n)) % order
    const identity = Buffer.alloc(32)
    identity[0] = 1
    const raw = Buffer.from(signer.raw, 'base64')
    const k = little(sha512(Buffer.concat([identity, raw, message])))
    const s = Buffer.from(((k * a) % order).toString(16).padStart(64, '0'), 'hex').reverse()
    const signature = Buffer.concat([identity, s])
    expect(verifyRaw(signer, message, signature)).toBe(false)
  })

  const key = importPrivateKey(
    pkcs8('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'),
  )
  const value = { b: ['1'], a: null }

  it('signs the bytes of D and nothing shorter', () => {
    const signature = sign(key, 'passport/v1', value)
    const expected = nodeSign(null, D('passport/v1', value), key.key).toString('base64')
    expect(signature).toBe(expected)
    expect(verify(key.publicKey, 'passport/v1', { a: null, b: ['1'] }, signature)).toBe(true)
  })

  it('is bound to the domain, the value and the key', () => {
    const signature = sign(key, 'passport/v1', value)
    expect(verify(key.publicKey, 'passport/v2', value, signature)).toBe(false)
    expect(verify(key.publicKey, 'passport/v1', { ...value, a: 0 }, signature)).toBe(false)
    expect(verify(generatePrivateKey().publicKey, 'passport/v1', value, signature)).toBe(false)
  })

  it('takes a signature in one spelling only', () => {
    const signature = sign(key, 'passport/v1', value)
    const spellings = [
      signature.replace(/=+$/, ''),
      `${signature}\n`,
      Buffer.from(signature, 'base64').toString('base64url'),
      Buffer.from(signature, 'base64').toString('hex'),
      signature.slice(0, 40),
      '',
    ]
    for (const spelling of spellings) {
      expect(verify(key.publicKey, 'passport/v1', value, spelling), spelling).toBe(false)
    }
  })

  it('refuses a value without a canonical form', () => {
    expect(() => sign(key, 'passport/v1', { amount: 0.1 })).toThrow(CanonicalJsonError)
  })
})

describe('keys', () => {
  it('survive export and import', () => {
    const key = generatePrivateKey()
    const again = importPrivateKey(exportPrivateKey(key))
    expect(again.publicKey.raw).toBe(key.publicKey.raw)
    expect(importPublicKey(key.publicKey.raw).keyId).toBe(key.publicKey.keyId)
  })

  it('are named by the SHA-256 of their raw bytes', () => {
    const { raw, keyId } = generatePrivateKey().publicKey
    expect(keyId).toBe(sha256Hex(Buffer.from(raw, 'base64')).slice(0, 16))
    expect(keyId).toMatch(/^[0-9a-f]{16}$/)
  })

  it('of another kind or shape are refused without being quoted', () => {
    const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    const pem = p256.export({ format: 'pem', type: 'pkcs8' }).toString()
    const der = createPrivateKey(pem).export({ format: 'der', type: 'pkcs8' }).toString('base64')
    for (const bad of [pem, der, 'c2VjcmV0IHNlY3JldA==', '']) {
      const attempt = (): unknown => importPrivateKey(bad)
      expect(attempt).toThrow(InvalidKeyError)
      expect(attempt).not.toThrow(/c2Vj/)
    }
    for (const bad of ['', 'AAAA', base64('ab'.repeat(33)), 'ab'.repeat(32)]) {
      expect(() => importPublicKey(bad)).toThrow(InvalidKeyError)
    }
  })

  it('of small order are refused in every spelling', () => {
    // Every y whose points vanish when doubled three times, by the arithmetic of the curve.
    const encodings = candidates().filter(isSmallOrder)
    expect(new Set(encodings.map((y) => y % P)).size).toBe(5)
    for (const y of encodings) {
      for (const sign of [0n, 1n]) {
        const key = base64(littleEndian(y + (sign << 255n)))
        expect(() => importPublicKey(key), key).toThrow(InvalidKeyError)
      }
    }
  })
})

const P = 2n ** 255n - 19n
const mod = (value: bigint): bigint => ((value % P) + P) % P

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (
    let bit = exponent, square = mod(base);
    bit > 0n;
    bit >>= 1n, square = mod(square * square)
  ) {
    if (bit & 1n) result = mod(result * square)
  }
  return result
}

const CURVE_D = mod(-121665n * power(121666n, P - 2n))

/** y of twice the point, from y alone: x² = (y²−1)/(dy²+1) on −x² + y² = 1 + dx²y². */
function doubledY(y: bigint): bigint {
  const y2 = mod(y * y)
  const x2 = mod((y2 - 1n) * power(CURVE_D * y2 + 1n, P - 2n))
  return mod((y2 + x2) * power(1n - CURVE_D * x2 * y2, P - 2n))
}

function isSmallOrder(y: bigint): boolean {
  return doubledY(doubledY(doubledY(mod(y)))) === 1n
}

/** Small numbers, numbers around the prime, and the y coordinates of the points of order eight. */
function candidates(): bigint[] {
  const around = [0n, 1n, 2n, 3n, P - 2n, P - 1n, P, P + 1n, P + 2n, P + 18n]
  const orderEight = ['26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05']
    .map((hex) => BigInt(`0x${Buffer.from(hex, 'hex').reverse().toString('hex')}`))
    .flatMap((y) => [y, P - y])
  return [...around, ...orderEight]
}

function littleEndian(value: bigint): string {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse().toString('hex')
}
