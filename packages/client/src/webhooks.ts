import { Webhook } from 'standardwebhooks'

export interface DeliveredEvent {
  readonly type: string
  readonly timestamp: string
  readonly data: unknown
}

/**
 * Verifies that a delivery is from this service and recent, according to Standard Webhooks.
 *
 * @param secret `whsec_…`, as shown once
 * @param body raw, before parsing
 * @param headers `webhook-id`, `webhook-timestamp` and `webhook-signature`, possibly among others
 * @returns delivered event
 * @throws WebhookVerificationError for a wrong signature, or a time more than 5 minutes off
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
