import type { contract, Ref } from '@liquidity-os/contract'
import { limits } from '../../limits.ts'
import type { TenantRecords } from '../../store/records/tenant-records.ts'
import type { ProviderPayload } from './chain-providers.ts'
import { feedHost } from './feed-providers.ts'
import type { FeedHost } from './provider-endpoint.ts'

/** A language model behind an OpenAI-compatible chat API. */
export interface LanguageModel {
  readonly host: FeedHost
  readonly model: string
  readonly timeoutMilliseconds: number
}

export function languageModel(payload: ProviderPayload, organizationId: string): LanguageModel {
  const { model, timeoutMilliseconds = limits.modelMilliseconds } =
    payload.configuration as unknown as contract.LanguageModelConfiguration
  return { host: feedHost(payload, organizationId), model, timeoutMilliseconds }
}

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
