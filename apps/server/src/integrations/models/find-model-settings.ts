import type { ProviderAccess } from '../../services.ts'
import { FeedError } from '../feeds/feed-error.ts'
import type { LanguageModel, OpenSettings } from './configured-models.ts'
import { askForWords, ModelStatusError } from './language-model.ts'
import { responseFormats } from './model-dialects.ts'

/** Enough for each open setting and each response format to change once. */
const maxRequests = responseFormats.length + 2

/**
 * Finds the settings that a model accepts, from the strictest on: one request per change. Only
 * settings that the configuration leaves open change.
 *
 * @throws FeedError of the last request if no settings work
 */
export async function findModelSettings(
  model: LanguageModel,
  open: OpenSettings,
  services: ProviderAccess,
): Promise<LanguageModel> {
  let tried = model
  for (let requests = 1; ; requests += 1) {
    try {
      await askForWords(tried, ['This is a test.'], services)
      return tried
    } catch (error) {
      if (!(error instanceof FeedError)) throw error
      const next = relaxed(tried, open, error)
      if (next === null || requests === maxRequests) throw error
      tried = next
    }
  }
}

/** The settings to try next, or null if another setting would not help. */
function relaxed(model: LanguageModel, open: OpenSettings, error: FeedError): LanguageModel | null {
  if (error.code === 'LIQUIDITY_PROVIDER_UNAVAILABLE') {
    const refusal = error.cause
    if (!(refusal instanceof ModelStatusError) || !settingStatuses.has(refusal.status)) return null
    const isNamed = (name: string) => refusal.body.includes(name)
    if (open.tokensMember && isNamed('max_completion_tokens') && isOldTokens(model)) {
      return { ...model, tokensMember: 'max_completion_tokens' }
    }
    if (open.temperature && isNamed('temperature') && model.temperature !== null) {
      return { ...model, temperature: null }
    }
  }
  const weaker = responseFormats[responseFormats.indexOf(model.responseFormat) + 1]
  return open.responseFormat && weaker !== undefined ? { ...model, responseFormat: weaker } : null
}

/** Statuses of providers that reject a setting. */
const settingStatuses: ReadonlySet<number> = new Set([400, 422])

const isOldTokens = ({ dialect, tokensMember }: LanguageModel): boolean =>
  dialect === 'OPENAI' && tokensMember === 'max_tokens'

/** The found settings as facts of the probe, which `languageModel` reads. */
export const settingFacts = ({
  responseFormat,
  temperature,
  tokensMember,
  dialect,
}: LanguageModel) => ({
  responseFormat,
  temperature: temperature === null ? 'NOT_SENT' : `${temperature}`,
  ...(dialect === 'OPENAI' ? { tokensMember } : {}),
})
