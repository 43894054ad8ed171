import { contract } from '@liquidity-os/contract'
import { Compile } from 'typebox/compile'
import type { ProviderPayload } from '../../../../integrations/providers/chain-providers.ts'
import { feedHost } from '../../../../integrations/providers/feed-providers.ts'
import { askQuoteSource } from '../../../../integrations/quotes/quote-source.ts'
import { limits } from '../../../../limits.ts'
import type { ProviderAccess } from '../../../../services.ts'
import type { QuoteRequestRecord } from '../records.ts'
import { validateForm } from './offer.ts'

/** What a source answers a request with: quotes that makers signed. */
const form = Compile(contract.SignedQuote)
const isQuote = (one: unknown): one is contract.SignedQuote =>
  form.Check(one) && Object.keys(validateForm(one as contract.SignedQuote, '')).length === 0

/**
 * Asks a source for quotes of a request, which it is told as makers see it. What of the answer is no signed quote in its one form is
 * left out and counted.
 *
 * @throws FeedError where there is no answer, or none that says anything
 */
export async function quotesOfSource(
  { id, payload }: Pick<QuoteRequestRecord, 'id' | 'payload'>,
  provider: ProviderPayload,
  services: ProviderAccess,
  asked: { readonly organizationId: string; readonly signal: AbortSignal },
): Promise<{ readonly quotes: contract.SignedQuote[]; readonly unreadable: number }> {
  const { dispatch: _dispatch, policy: _policy, ...told } = payload
  const host = feedHost(provider, asked.organizationId)
  const question = { requestId: id, ...told }
  const answer = await askQuoteSource(host, question, services, asked.signal)
  const quotes = answer.slice(0, limits.quotesOfSource).filter(isQuote)
  return { quotes, unreadable: answer.length - quotes.length }
}
