import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes,
} from 'node:crypto'
import { D, sha256Hex } from './hash.ts'
import { bytesToHex } from './hex.ts'

/**
 * Ed25519 over the bytes of a value. The signed bytes are D(tag, v) itself, never a bare hash. So a
 * signer sees the signed content, and no other document shares the signature.
 */

/** A public key that signatures are checked against. */
export interface PublicKey {
  /** First 16 hex digits of SHA-256 of the 32 raw bytes. */
  readonly keyId: string
  /** The 32 raw bytes in base64. */
  readonly raw: string
  readonly key: KeyObject
}

/** A private key with its public half. */
export interface PrivateKey {
  readonly publicKey: PublicKey
  readonly key: KeyObject
}

/**
 * Signs a value.
 *
 * @param tag domain of the value, such as `proof-checkpoint/v1`
 * @returns the 64 bytes of the signature in base64
 * @throws CanonicalJsonError if the value has no canonical form
 * @see RFC 8032, §5.1.6
 */
export function sign(privateKey: PrivateKey, tag: string, value: unknown): string {
  return signBytes(null, D(tag, value), privateKey.key).toString('base64')
}

/**
 * Whether the key signed this value in this domain.
 *
 * @param signature base64 of 64 bytes; anything else is false, not an error
 * @throws CanonicalJsonError if the value has no canonical form
 */
export function verify(
  publicKey: PublicKey,
  tag: string,
  value: unknown,
  signature: string,
): boolean {
  return verifyRaw(publicKey, D(tag, value), decodeBase64(signature))
}

/**
 * Whether the key signed exactly these bytes.
 *
 * Rejects a signature whose R is a point of small order: a random R never gives one, and verifiers
 * disagree on it.
 *
 * @see RFC 8032, §5.1.7; S is checked to be below the group order
 */
export function verifyRaw(
  publicKey: PublicKey,
  message: Uint8Array,
  signature: Uint8Array | null,
): boolean {
  if (signature === null || signature.length !== SIGNATURE_LENGTH) return false
  if (isOfSmallOrder(signature.subarray(0, KEY_LENGTH))) return false
  return verifyBytes(null, message, publicKey.key, signature)
}

/** A new key from the system's random source. */
export function generatePrivateKey(): PrivateKey {
  return fromKeyObject(generateKeyPairSync('ed25519').privateKey)
}

/**
 * Reads a private key.
 *
 * @param pkcs8 PKCS#8 as PEM or as base64 of DER
 * @throws InvalidKeyError for anything but an Ed25519 key
 */
export function importPrivateKey(pkcs8: string): PrivateKey {
  try {
    const isPem = pkcs8.trimStart().startsWith('-----BEGIN')
    const key = isPem
      ? createPrivateKey(pkcs8)
      : createPrivateKey({ key: Buffer.from(pkcs8, 'base64'), format: 'der', type: 'pkcs8' })
    return fromKeyObject(key)
  } catch {
    // The cause is left out: a parser's message may quote the key.
    throw new InvalidKeyError('The private key is not a PKCS#8 Ed25519 key.')
  }
}

/** PKCS#8 of a private key as PEM. */
export function exportPrivateKey(privateKey: PrivateKey): string {
  return privateKey.key.export({ format: 'pem', type: 'pkcs8' }).toString()
}

/**
 * Reads a public key.
 *
 * Rejects points of small order: such a key accepts one signature for every message, so its
 * signatures prove no origin.
 *
 * @param raw base64 of the 32 bytes
 * @throws InvalidKeyError for anything else
 */
export function importPublicKey(raw: string): PublicKey {
  const bytes = decodeBase64(raw)
  if (bytes === null || bytes.length !== KEY_LENGTH) {
    throw new InvalidKeyError('The public key is not 32 bytes in base64.')
  }
  if (isOfSmallOrder(bytes)) throw new InvalidKeyError('The public key is a point of small order.')
  return publicKeyFrom(bytes)
}

/**
 * Reads a public key without asking whether it is any good, for checking test vectors.
 *
 * @param bytes 32 bytes
 */
export function publicKeyFrom(bytes: Uint8Array): PublicKey {
  const x = Buffer.from(bytes).toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return { keyId: keyIdOf(bytes), raw: Buffer.from(bytes).toString('base64'), key }
}

/** The name of a key: the first 16 hex digits of SHA-256 of its 32 raw bytes. */
export function keyIdOf(raw: Uint8Array): string {
  return sha256Hex(raw).slice(0, 16)
}

function fromKeyObject(key: KeyObject): PrivateKey {
  const { crv, x } = createPublicKey(key).export({ format: 'jwk' })
  if (crv !== 'Ed25519' || x === undefined) throw new InvalidKeyError('Not an Ed25519 key.')
  return { key, publicKey: publicKeyFrom(Buffer.from(x, 'base64url')) }
}

/** Bytes of canonical base64, else null; a second spelling of a signature is no signature. */
function decodeBase64(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : null
}

const KEY_LENGTH = 32
const SIGNATURE_LENGTH = 64

/** y coordinates of the eight points of small order, and their spellings above the field prime. */
const SMALL_ORDER = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
])

function isOfSmallOrder(bytes: Uint8Array): boolean {
  const withoutSign = Uint8Array.from(bytes)
  withoutSign[KEY_LENGTH - 1] = (bytes[KEY_LENGTH - 1] ?? 0) & 0x7f
  return SMALL_ORDER.has(bytesToHex(withoutSign))
}

/** A key cannot be used. The message never holds key material. */
export class InvalidKeyError extends Error {
  override readonly name = 'InvalidKeyError'
}
