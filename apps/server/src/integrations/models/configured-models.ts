import type { contract, Ref } from '@liquidity-os/contract'
import { limits } from '../../limits.ts'
import type { TenantRecords } from '../../store/records/tenant-records.ts'
import type { ProviderPayload } from '../providers/chain-providers.ts'
import { feedHost } from '../providers/feed-providers.ts'
import type { FeedHost } from '../providers/provider-endpoint.ts'
import type { ModelSettings } from './model-dialects.ts'

/** A language model behind its API. */
export interface LanguageModel extends ModelSettings {
  readonly host: FeedHost
  readonly timeoutMilliseconds: number
}

/** Settings that the probe may try: those that the configuration does not fix. */
export interface OpenSettings {
  readonly responseFormat: boolean
  readonly temperature: boolean
  readonly tokensMember: boolean
}

type Configuration = contract.LanguageModelConfiguration

/**
 * A language model as configured. The probe found the settings that the configuration leaves open;
 * before the first probe they are those of an OpenAI-compatible API.
 */
export function languageModel(payload: ProviderPayload, organizationId: string): LanguageModel {
  const configuration = payload.configuration as unknown as Configuration
  const { model, timeoutMilliseconds = limits.modelMilliseconds } = configuration
  const dialect = configuration.dialect ?? 'OPENAI'
  const open = openSettings(configuration)
  const found = (payload.probe?.facts ?? {}) as Readonly<Record<string, unknown>>
  // Newer Anthropic models reject a temperature.
  const temperature = dialect === 'ANTHROPIC' ? null : 0
  return {
    host: feedHost(payload, organizationId),
    dialect,
    model,
    timeoutMilliseconds,
    responseFormat: open.responseFormat
      ? ((found.responseFormat ?? 'JSON_SCHEMA') as LanguageModel['responseFormat'])
      : (configuration.responseFormat as LanguageModel['responseFormat']),
    temperature: open.temperature
      ? found.temperature === 'NOT_SENT'
        ? null
        : temperature
      : (configuration.temperature ?? null),
    maximumTokens:
      configuration.maximumTokens === undefined
        ? limits.modelAnswerTokens
        : configuration.maximumTokens,
    tokensMember: open.tokensMember
      ? ((found.tokensMember ?? 'max_tokens') as LanguageModel['tokensMember'])
      : (configuration.tokensMember as LanguageModel['tokensMember']),
  }
}

export const openSettings = ({
  responseFormat = 'AUTO',
  temperature,
  tokensMember,
}: Configuration): OpenSettings => ({
  responseFormat: responseFormat === 'AUTO',
  temperature: temperature === undefined,
  tokensMember: tokensMember === undefined,
})

/** Language model of an organization: the active one registered first, or null. */
export async function activeLanguageModel(
  records: TenantRecords,
): Promise<{ readonly ref: Ref; readonly model: LanguageModel } | null> {
  const active = await records.find<ProviderPayload>('Provider', {
    status: ['ACTIVE'],
    order: 'OLDEST',
  })
  const found = active.find(({ payload }) => payload.kind === 'LANGUAGE_MODEL')
  if (!found) return null
  const ref = { id: found.id, resourceVersion: found.resourceVersion as Ref['resourceVersion'] }
  return { ref, model: languageModel(found.payload, records.organizationId) }
}
