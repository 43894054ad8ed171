import { AnswerJsonError, parseAnswer } from '../../answer-json.ts'
import { limits } from '../../limits.ts'
import type { ProviderAccess } from '../../services.ts'
import { codeForTenants, OutboundError, OutboundFailedError } from '../outbound/outbound-error.ts'
import { type FeedHost, openEndpoint } from '../providers/provider-endpoint.ts'
import { secretFor } from '../providers/provider-secret.ts'
import { FeedError } from './feed-error.ts'

/**
 * Requests JSON from a provider. Numbers are returned as the original text, so no digit of a price
 * is lost. Missing responses raise UNAVAILABLE, invalid or ambiguous JSON raises ANSWER_REFUSED.
 *
 * @param path segments appended to the URL
 * @throws FeedError
 */
export async function askForJson(
  host: FeedHost,
  path: readonly string[],
  query: Readonly<Record<string, string>>,
  services: ProviderAccess,
  signal?: AbortSignal,
): Promise<unknown> {
  const outbound = await services.outbound()
  const endpoint = openEndpoint(host, host.organizationId, services.sealing)
  const url = new URL(endpoint)
  url.pathname = [url.pathname.replace(/\/$/, ''), ...path.map(encodeURIComponent)].join('/')
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  const place = { organizationId: host.organizationId, host: url.hostname }
  const secret = secretFor(host.credentialReference, place, services.sealing)
  try {
    const { status, body } = await outbound.request(url.href, {
      headers: {
        accept: 'application/json',
        ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
      },
      timeoutMs: limits.feedMilliseconds,
      maxBytes: limits.feedAnswerBytes,
      ...(signal ? { signal } : {}),
    })
    if (status !== 200) throw FeedError.unavailable(`HTTP ${status}`)
    return parseAnswer(body, 'TEXT')
  } catch (error) {
    if (error instanceof AnswerJsonError) throw FeedError.refused(error.fault, error.message)
    if (!(error instanceof OutboundError)) throw error
    if (error instanceof OutboundFailedError && error.code === 'ANSWER_TOO_LARGE') {
      throw FeedError.refused('TOO_LARGE', `more than ${limits.feedAnswerBytes} bytes`)
    }
    throw FeedError.unavailable(codeForTenants(error.code), { cause: error })
  }
}

/** A whole number in its original text. @throws FeedError */
export function wholeOf(value: unknown, what: string): number {
  if (typeof value === 'string' && /^(0|[1-9][0-9]{0,15})$/.test(value)) {
    const whole = Number(value)
    if (Number.isSafeInteger(whole)) return whole
  }
  throw FeedError.refused('SHAPE', `${what} is not an integer`)
}

/** A string or number in its original text. @throws FeedError */
export function textOfMember(value: unknown, what: string): string {
  if (typeof value === 'string') return value
  throw FeedError.refused('SHAPE', `${what} is not a string or number`)
}

/** @throws FeedError */
export function listOf(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw FeedError.refused('SHAPE', `${what} is not a list`)
}

/** @throws FeedError */
export function membersOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  throw FeedError.refused('SHAPE', `${what} is not an object`)
}
