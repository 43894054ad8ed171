import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

const selectorBytes = 12
const secretBytes = 32

/** A selector to find a secret by, and the secret itself: 96 and 256 random bits. */
export interface Minted {
  selector: string
  /** Secret for the caller: `<prefix><selector>_<secret>`. */
  plaintext: string
  secretHash: string
}

/** Makes a credential secret. Only the selector and the hash are stored. */
export function mintSecret(prefix: 'svc_key_' | 'svc_client_'): Minted {
  const selector = randomBytes(selectorBytes).toString('hex')
  const secret = randomBytes(secretBytes).toString('base64url')
  return { selector, plaintext: `${prefix}${selector}_${secret}`, secretHash: hashSecret(secret) }
}

/** Splits a presented credential; null if it is malformed. */
export function splitSecret(
  prefix: 'svc_key_' | 'svc_client_',
  presented: string,
): { selector: string; secretHash: string } | null {
  if (!presented.startsWith(prefix)) return null
  const rest = presented.slice(prefix.length)
  const [, selector, secret] = /^([0-9a-f]{24})_([A-Za-z0-9_-]{43})$/.exec(rest) ?? []
  if (selector === undefined || secret === undefined) return null
  return { selector, secretHash: hashSecret(secret) }
}

/**
 * SHA-256 of a secret of 256 random bits. Guessing is infeasible, so a slow hash would only add
 * cost.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/** Compares two hex digests in constant time. */
export function sameHash(a: string, b: string): boolean {
  const left = Buffer.from(a, 'utf8')
  const right = Buffer.from(b, 'utf8')
  return left.length === right.length && timingSafeEqual(left, right)
}

/** A fresh token of 256 bits, for sessions and one-time links. */
export function mintToken(): { token: string; tokenHash: string } {
  const token = randomBytes(secretBytes).toString('base64url')
  return { token, tokenHash: hashSecret(token) }
}
