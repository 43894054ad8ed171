import { Webhook } from 'standardwebhooks'

/** What a delivery tells: an event of the organization. */
export interface DeliveredEvent {
  readonly type: string
  readonly timestamp: string
  readonly data: unknown
}

/**
 * Whether a delivery is of this service and of now, by the rules of Standard Webhooks.
 *
 * @param secret  `whsec_…`, as it was shown once
 * @param body    as it came, before anything parses it
 * @param headers `webhook-id`, `webhook-timestamp` and `webhook-signature`, with others or without
 * @returns what was delivered
 * @throws WebhookVerificationError where the signature is another, or the delivery older or younger than five minutes
 */
export function verifyWebhook(
  secret: string,
  body: string,
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>,
): DeliveredEvent {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers)
  const plain = Object.fromEntries(
    entries.flatMap(([name, value]) =>
      typeof value === 'string' ? [[name.toLowerCase(), value]] : [],
    ),
  )
  return new Webhook(secret).verify(body, plain) as DeliveredEvent
}
