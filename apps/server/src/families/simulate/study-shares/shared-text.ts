import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { limits } from '../../../limits.ts'
import { storedVersion } from '../../../store/records/stored-version.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { RecentResults } from '../../recent-results.ts'
import { redact, type SeriesRow, type SharedSources } from './redact.ts'
import type { Strategy } from './redact-strategy.ts'

type StudyShare = Static<typeof contract.StudyShare>
type Venue = Static<typeof contract.VenueProfile>
type StrategyRecord = Static<typeof contract.StrategyDefinitionV2>

interface Found extends Pick<SharedSources, 'study' | 'isSuperseded' | 'organizationName'> {
  share: VersionedRecord<StudyShare>
}

const texts = new RecentResults<string>(limits.sharedTexts)

/**
 * Response text for readers of a share. Its sources are immutable except for the three fields in
 * the key, so the text is cached. Repeated and concurrent readers do not read the long series
 * again.
 */
export function sharedText(records: TenantRecords, found: Found): Promise<string> {
  const { share, isSuperseded, organizationName } = found
  const key = JSON.stringify([share.resourceVersion, isSuperseded, organizationName])
  return texts.get(key, () => redactedText(records, found))
}

async function redactedText(records: TenantRecords, found: Found): Promise<string> {
  return JSON.stringify({ data: redact(await sourcesOf(records, found)) })
}

async function sourcesOf(records: TenantRecords, found: Found): Promise<SharedSources> {
  const { spec, result } = found.study.payload
  const { expiresAt, disclosure } = found.share.payload
  const strategies = new Map<string, Strategy>()
  for (const arm of spec.arms) {
    if (!('strategy' in arm)) continue
    const { payload: named } = await storedVersion<StrategyRecord>(
      records,
      'StrategyDefinitionV2',
      arm.strategy,
    )
    strategies.set(arm.armId, named.definition)
  }
  const series = new Map<string, readonly SeriesRow[]>()
  const sampled = new Set(
    result?.arms.flatMap((arm) => ('flowModel' in arm ? [`${arm.armId}.${arm.flowModel}`] : [])),
  )
  for (const { name, hash } of result?.seriesArtifacts ?? []) {
    if (!sampled.has(name)) continue
    // The study wrote this; it was verified against its hash.
    const rows = JSON.parse((await records.artifact(hash)).toString('utf8')) as SeriesRow[]
    series.set(name, rows)
  }
  const { market } = spec
  const venue =
    'venue' in market
      ? (await storedVersion<Venue>(records, 'VenueProfile', market.venue)).payload
      : null
  const { study, isSuperseded, organizationName } = found
  const share = { expiresAt, disclosure }
  return { share, study, isSuperseded, organizationName, venue, strategies, series }
}
