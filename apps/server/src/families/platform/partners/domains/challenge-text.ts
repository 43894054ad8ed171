import { createHash, randomBytes } from 'node:crypto'

/** Secret of 256 random bits. */
const tokenBytes = 32

/**
 * DNS name of a challenge. The first label identifies the organization, so that challenges of two
 * organizations for one host do not collide. Labels with an underscore are not valid hosts.
 */
export function recordNameOf(organizationId: string, host: string): string {
  const account = createHash('sha256').update(organizationId).digest('hex').slice(0, 16)
  return `_${account}._liquidity-os-challenge.${host}`
}

/**
 * A random unpublished name. A server that returns the value here returns it for every name
 * (wildcard).
 */
export function makeUnknownName(host: string): string {
  return `_${randomBytes(8).toString('hex')}._liquidity-os-challenge.${host}`
}

export const newToken = (): string => randomBytes(tokenBytes).toString('base64url')

export const recordValueOf = (token: string, expiresAt: string): string =>
  `token=${token} expiry=${expiresAt}`

export const routingPathOf = (challengeId: string): string =>
  `/.well-known/liquidity-os/${challengeId}`
