import { AnswerJsonError, parseAnswer } from '../../answer-json.ts'
import type { ExchangeAnswer, ExchangeRead } from '../../exchanges.ts'
import type { ProviderAccess } from '../../services.ts'
import { FeedError } from './feed-error.ts'

/**
 * Reads an exchange without a gateway. Numbers are returned as text, as those of a gateway.
 *
 * @throws FeedError
 */
export async function readExchange(
  request: ExchangeRead,
  services: ProviderAccess,
  signal?: AbortSignal,
): Promise<Omit<ExchangeAnswer, 'body'> & { readonly answer: unknown }> {
  const { body, ...times } = await (await services.exchanges()).read(request, signal)
  try {
    return { ...times, answer: parseAnswer(body, 'TEXT') }
  } catch (error) {
    if (!(error instanceof AnswerJsonError)) throw error
    throw FeedError.refused(error.fault, error.message)
  }
}
