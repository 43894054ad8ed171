import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Scope } from '@liquidity-os/contract'
import { required } from '../required.ts'

/** Claims of an access token, which is opaque to its holder. */
export interface AccessToken {
  organizationId: string
  credentialId: string
  generation: number
  scopes: Scope[]
  /** Seconds since 1970. */
  expiresAt: number
}

const prefix = 'svc_at_'

/**
 * Signs and reads access tokens. The first key signs, and all keys verify. To rotate, put the new
 * key first and retain the old one until its last token expires.
 */
export class AccessTokens {
  readonly #keys: ReadonlyMap<string, KeyObject>
  readonly #signingKeyId: string

  /** @param keyring key ids and 32-byte keys, the signing key first */
  constructor(keyring: readonly { id: string; key: Uint8Array }[]) {
    this.#keys = new Map(keyring.map(({ id, key }) => [id, createSecretKey(key)]))
    this.#signingKeyId = required(keyring[0], 'key to sign access tokens').id
  }

  sign(token: AccessToken): string {
    const body = Buffer.from(
      JSON.stringify([
        this.#signingKeyId,
        token.organizationId,
        token.credentialId,
        token.generation,
        token.scopes,
        token.expiresAt,
      ]),
    ).toString('base64url')
    return `${prefix}${body}.${this.#mac(this.#signingKeyId, body)?.toString('base64url')}`
  }

  /** The decoded token, or null if the service did not sign it. The caller checks the expiry. */
  read(presented: string): AccessToken | null {
    const [, body, mac] =
      /^svc_at_([A-Za-z0-9_-]{1,2000})\.([A-Za-z0-9_-]{43})$/.exec(presented) ?? []
    if (body === undefined || mac === undefined) return null
    let parts: unknown
    try {
      parts = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'))
    } catch {
      return null
    }
    if (!Array.isArray(parts) || parts.length !== 6) return null
    const [keyId, organizationId, credentialId, generation, scopes, expiresAt] = parts
    const expected = this.#mac(String(keyId), body)
    const given = Buffer.from(mac, 'base64url')
    // The last base64url character has two unused bits. Rejecting other encodings gives each token
    // a single spelling.
    if (given.toString('base64url') !== mac) return null
    if (!expected || expected.length !== given.length || !timingSafeEqual(expected, given))
      return null
    return { organizationId, credentialId, generation, scopes, expiresAt }
  }

  #mac(keyId: string, body: string): Buffer | null {
    const key = this.#keys.get(keyId)
    return key ? createHmac('sha256', key).update(`access-token/v1\n${body}`).digest() : null
  }
}
