import { evidenceMark } from '@liquidity-os/contract/test-networks'
import { limits } from '../../limits.ts'
import type { Outbound, OutboundAnswer } from '../../outbound.ts'
import { codeForTenants, OutboundError } from '../outbound/outbound-error.ts'

/** One delivery attempt, ready to send. */
export interface DeliveryAttempt {
  readonly url: string
  /** Exactly the text that was signed. */
  readonly body: string
  /** The headers of `signWebhook`. */
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  /**
   * The subject record of the body, as JSON: its chains decide the simulated mark of the delivery.
   */
  readonly about?: string | null
}

export interface AttemptResult {
  /** 2xx is DELIVERED; 410 is GONE and disables the subscription; everything else is RETRY. */
  readonly outcome: 'DELIVERED' | 'GONE' | 'RETRY'
  /** Null if no response arrived. */
  readonly status: number | null
  readonly durationMs: number
  /** Header `Retry-After` of a 429 or 503; null otherwise. */
  readonly retryAfter: string | null
  /** The first KiB of the response, as text that is safe to store and show. */
  readonly responseHead: string
  /** Code of an OutboundError, or REDIRECT_NOT_FOLLOWED; null if the status suffices. */
  readonly errorCode: string | null
}

/**
 * Posts one webhook and reports the result; no receiver behavior makes it throw.
 *
 * A delivery whose body or record names a local or test chain has the header `Evidence-Mark`, like
 * API responses. The signature does not cover it.
 *
 * The status decides. Once it arrives, an endless, truncated or late body has no effect.
 */
export async function attemptDelivery(
  outbound: Outbound,
  attempt: DeliveryAttempt,
): Promise<AttemptResult> {
  const startedAt = performance.now()
  const elapsed = (): number => Math.round(performance.now() - startedAt)
  const { body, about } = attempt
  const mark = evidenceMark(about ? `${body}\n${about}` : body)
  const marked = mark === null ? {} : { 'evidence-mark': mark }
  try {
    const answer = await outbound.requestHead(attempt.url, {
      method: 'POST',
      headers: { ...STANDING_HEADERS, ...marked, ...attempt.headers },
      body: attempt.body,
      timeoutMs: attempt.timeoutMs ?? limits.webhookTimeoutMilliseconds,
      maxBytes: limits.webhookAnswerBytes,
    })
    return { ...classifyAnswer(answer), durationMs: elapsed(), responseHead: safeText(answer.body) }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const nothing = { status: null, retryAfter: null, responseHead: '', durationMs: elapsed() }
    return { outcome: 'RETRY', errorCode: codeForTenants(error.code), ...nothing }
  }
}

const STANDING_HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'liquidity-os-webhooks/1',
}

function classifyAnswer({
  status,
  headers,
}: OutboundAnswer): Pick<AttemptResult, 'outcome' | 'status' | 'retryAfter' | 'errorCode'> {
  const base = { status, retryAfter: null, errorCode: null }
  if (status >= 200 && status < 300) return { ...base, outcome: 'DELIVERED' }
  if (status === 410) return { ...base, outcome: 'GONE' }
  if (status === 429 || status === 503) {
    return { ...base, outcome: 'RETRY', retryAfter: headers['retry-after'] ?? null }
  }
  const isRedirect = status >= 300 && status < 400
  return { ...base, outcome: 'RETRY', errorCode: isRedirect ? 'REDIRECT_NOT_FOLLOWED' : null }
}

/**
 * Text of an untrusted response. Replaces malformed bytes, control characters (PostgreSQL stores no
 * NUL) and bidirectional control characters. Drops a character that is truncated at the end.
 */
function safeText(bytes: Uint8Array): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true })
  return text.replace(UNSAFE, '\ufffd')
}

const UNSAFE = /[^\P{Cc}\t\n\r]|[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu
