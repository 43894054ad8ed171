import { contract } from '@liquidity-os/contract'
import { Compile } from 'typebox/compile'
import type { ProviderPayload } from '../../../../integrations/providers/chain-providers.ts'
import { feedHost } from '../../../../integrations/providers/feed-providers.ts'
import { askQuoteSource } from '../../../../integrations/quotes/quote-source.ts'
import { limits } from '../../../../limits.ts'
import type { ProviderAccess } from '../../../../services.ts'
import type { QuoteRequestRecord } from '../records.ts'
import { validateForm } from './offer.ts'

/** Expected answer of a source: quotes signed by market makers. */
const form = Compile(contract.SignedQuote)
const isQuote = (one: unknown): one is contract.SignedQuote =>
  form.Check(one) && Object.keys(validateForm(one as contract.SignedQuote, '')).length === 0

/**
 * Requests quotes from a source; the source sees the request like a market maker. Malformed quotes
 * are dropped and counted.
 *
 * @throws FeedError if no answer arrives or it contains no valid quote
 */
export async function quotesOfSource(
  { id, payload }: Pick<QuoteRequestRecord, 'id' | 'payload'>,
  provider: ProviderPayload,
  services: ProviderAccess,
  requested: { readonly organizationId: string; readonly signal: AbortSignal },
): Promise<{ readonly quotes: contract.SignedQuote[]; readonly unreadable: number }> {
  const { dispatch: _dispatch, policy: _policy, ...publicTerms } = payload
  const host = feedHost(provider, requested.organizationId)
  const question = { requestId: id, ...publicTerms }
  const answer = await askQuoteSource(host, question, services, requested.signal)
  const quotes = answer.slice(0, limits.quotesOfSource).filter(isQuote)
  return { quotes, unreadable: answer.length - quotes.length }
}
