import { createHash, randomBytes } from 'node:crypto'

/** Letters of a secret of 256 random bits. */
const tokenBytes = 32

/**
 * Where the record of a challenge is: the first label is of the organization, so that the challenges of two for one host do
 * not meet, and labels with an underscore are no hosts.
 */
export function recordNameOf(organizationId: string, host: string): string {
  const account = createHash('sha256').update(organizationId).digest('hex').slice(0, 16)
  return `_${account}._liquidity-os-challenge.${host}`
}

/** A name beside it that nobody is told of: whoever answers there with the value answers at any name. */
export function unknownNameBeside(host: string): string {
  return `_${randomBytes(8).toString('hex')}._liquidity-os-challenge.${host}`
}

export const newToken = (): string => randomBytes(tokenBytes).toString('base64url')

/** What the record says: the token, and until when it proves anything. */
export const recordValueOf = (token: string, expiresAt: string): string =>
  `token=${token} expiry=${expiresAt}`

/** Where the deployment answers on a host that leads to it. */
export const routingPathOf = (challengeId: string): string =>
  `/.well-known/liquidity-os/${challengeId}`
