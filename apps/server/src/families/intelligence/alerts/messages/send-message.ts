import { MailError } from '../../../../integrations/mail/mail-error.ts'
import { attemptDelivery } from '../../../../integrations/webhooks/attempt.ts'
import type { ProviderAccess, Services } from '../../../../services.ts'
import { confirmRequester } from '../../../../threads.ts'
import type { ChannelTarget } from './channel-target.ts'
import { bodyFor, type Message, mailFor } from './render-message.ts'

/** Result of a delivery attempt: success and codes only. */
export interface Attempted {
  readonly isDelivered: boolean
  readonly outcome: string
  /** HTTP status of the receiver, or null. */
  readonly status: number | null
  /** Header `Retry-After` of a 429 or 503; null otherwise. */
  readonly retryAfter: string | null
}

/** Sends a message once, to a target or to email addresses. */
export async function sendMessage(
  services: Pick<Services, 'mailer'> & Pick<ProviderAccess, 'outbound'>,
  target: ChannelTarget | readonly string[],
  message: Message,
  timeoutMs: number,
): Promise<Attempted> {
  if (!('kind' in target)) return mail(services, target, message)
  if (target.kind === 'EMAIL') return mail(services, [target.address], message)
  const { outcome, status, retryAfter, errorCode } = await attemptDelivery(
    await services.outbound(),
    {
      url: target.url,
      body: JSON.stringify(bodyFor(target, message)),
      headers: { 'user-agent': 'liquidity-os-alerts/1', 'webhook-id': message.id },
      timeoutMs,
    },
  )
  return {
    isDelivered: outcome === 'DELIVERED',
    outcome: errorCode ?? `HTTP_${status}`,
    status,
    retryAfter,
  }
}

async function mail(
  services: Pick<Services, 'mailer'>,
  addresses: readonly string[],
  message: Message,
): Promise<Attempted> {
  const mailer = await services.mailer()
  await confirmRequester()
  try {
    for (const to of addresses) await mailer.sendAlert(mailFor(to, message))
    return { isDelivered: true, outcome: 'MAILED', status: null, retryAfter: null }
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    return { isDelivered: false, outcome: error.code, status: null, retryAfter: null }
  }
}
