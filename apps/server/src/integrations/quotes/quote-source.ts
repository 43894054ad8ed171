import { AnswerJsonError, parseAnswer } from '../../answer-json.ts'
import { limits } from '../../limits.ts'
import type { ProviderAccess } from '../../services.ts'
import { FeedError } from '../feeds/feed-error.ts'
import { codeForTenants, OutboundError } from '../outbound/outbound-error.ts'
import { type FeedHost, openEndpoint } from '../providers/provider-endpoint.ts'
import { secretFor } from '../providers/provider-secret.ts'

/**
 * Requests quotes from a source: a POST with the response `{ quotes: […] }`. The caller validates
 * the quotes.
 *
 * @throws FeedError UNAVAILABLE without a response; ANSWER_REFUSED without such a list
 */
export async function askQuoteSource(
  host: FeedHost,
  question: Readonly<Record<string, unknown>>,
  services: ProviderAccess,
  signal?: AbortSignal,
): Promise<readonly unknown[]> {
  const outbound = await services.outbound()
  const endpoint = openEndpoint(host, host.organizationId, services.sealing)
  const place = { organizationId: host.organizationId, host: new URL(endpoint).hostname }
  const secret = secretFor(host.credentialReference, place, services.sealing)
  try {
    const { status, body } = await outbound.request(endpoint, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
      },
      body: JSON.stringify(question),
      timeoutMs: limits.feedMilliseconds,
      maxBytes: limits.feedAnswerBytes,
      ...(signal ? { signal } : {}),
    })
    if (status !== 200) throw FeedError.unavailable(`HTTP ${status}`)
    return quotesIn(body)
  } catch (error) {
    if (error instanceof AnswerJsonError) throw FeedError.refused(error.fault, error.message)
    if (!(error instanceof OutboundError)) throw error
    throw FeedError.unavailable(codeForTenants(error.code), { cause: error })
  }
}

function quotesIn(body: Uint8Array): readonly unknown[] {
  const { quotes } = (parseAnswer(body) ?? {}) as { readonly quotes?: unknown }
  if (Array.isArray(quotes)) return quotes
  throw FeedError.refused('SHAPE', 'quotes is not a list')
}
