import { createHmac, randomBytes } from 'node:crypto'

/**
 * Webhook signatures by Standard Webhooks, so that receivers can verify with any of its libraries.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks, spec/standard-webhooks.md
 */

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32
const SECRET_BYTES_RANGE = { from: 24, to: 64 }

/** The three headers that a receiver verifies. */
export interface WebhookHeaders extends Readonly<Record<string, string>> {
  readonly 'webhook-id': string
  readonly 'webhook-timestamp': string
  readonly 'webhook-signature': string
}

/** A new secret: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/**
 * Headers of one attempt. During secret rotation both secrets sign, so a receiver that knows either
 * accepts the message. A RangeError is a bug of the caller.
 *
 * @param messageId equal in every attempt; contains no period, which separates the signed parts
 * @param timestampSeconds Unix time, an integer
 * @param body exact body
 * @param secrets newest first, at least one
 * @throws RangeError for a malformed argument
 */
export function signWebhook(
  messageId: string,
  timestampSeconds: number,
  body: string,
  secrets: readonly string[],
): WebhookHeaders {
  if (!/^[\x21-\x2d\x2f-\x7e]{1,255}$/.test(messageId)) {
    throw new RangeError('A message ID must be printable ASCII without a period.')
  }
  if (!Number.isSafeInteger(timestampSeconds) || timestampSeconds < 0) {
    throw new RangeError('A timestamp must be an integer in seconds.')
  }
  if (secrets.length === 0) throw new RangeError('A webhook needs at least one secret.')
  const signed = `${messageId}.${timestampSeconds}.${body}`
  const signatures = secrets.map((secret) => `v1,${signatureOf(signed, secret)}`)
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures.join(' '),
  }
}

function signatureOf(signed: string, secret: string): string {
  return createHmac('sha256', keyOf(secret)).update(signed).digest('base64')
}

/** The bytes of a secret. The error for an invalid one does not quote it. */
function keyOf(secret: string): Buffer {
  const encoded = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : ''
  const key = Buffer.from(encoded, 'base64')
  const { from, to } = SECRET_BYTES_RANGE
  if (key.toString('base64') === encoded && key.length >= from && key.length <= to) return key
  throw new RangeError(
    `A webhook secret must be ${SECRET_PREFIX} and ${from} to ${to} bytes in base64.`,
  )
}
