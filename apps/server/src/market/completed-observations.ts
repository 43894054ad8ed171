import type { contract } from '@liquidity-os/contract'
import type { LoggedMarket } from '@liquidity-os/engine/amm'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import type { TenantRecords } from '../store/records/tenant-records.ts'
import { parseExact } from './exact-json.ts'
import { spanIs } from './span-rows.ts'
import { type EvaluatedSpan, latestSpans } from './venue-spans.ts'

export type ObservationRecord = VersionedRecord<Static<typeof contract.VenueObservation>>

/** Proved observations of a venue that are still on the chain, latest end first. */
export async function completedObservations(
  records: TenantRecords,
  venueId: string,
  limit: number,
): Promise<ObservationRecord[]> {
  return observationsOf(records, await latestSpans(records, venueId, spanIs.proved, limit))
}

/**
 * Observations with a confirmed state, latest first: proved observations and state-only
 * observations.
 */
export async function confirmedStates(
  records: TenantRecords,
  venueId: string,
  limit: number,
): Promise<ObservationRecord[]> {
  return observationsOf(records, await latestSpans(records, venueId, spanIs.confirmed, limit))
}

/** All observations of a venue, proven or not, current or replaced; latest end first. */
export async function anyObservations(
  records: TenantRecords,
  venueId: string,
  limit: number,
): Promise<{ observation: ObservationRecord; isOvertaken: boolean }[]> {
  const latest = await latestSpans(records, venueId, spanIs.any, limit)
  const activeById = new Map(latest.map(({ span, isActive }) => [span.id, isActive]))
  const found = await observationsOf(records, latest)
  return found.map((observation) => ({
    observation,
    isOvertaken: activeById.get(observation.id) === false,
  }))
}

/** The observations of spans, in their order. */
async function observationsOf(
  records: TenantRecords,
  latest: readonly EvaluatedSpan[],
): Promise<ObservationRecord[]> {
  const ids = latest.map(({ span }) => span.id)
  const found = await observationsById(records, ids)
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** Observations by their ids. */
export async function observationsById(
  records: TenantRecords,
  ids: readonly string[],
): Promise<Map<string, ObservationRecord>> {
  if (ids.length === 0) return new Map()
  const found = await records.find<ObservationRecord['payload']>('VenueObservation', { ids })
  return new Map(found.map((record) => [record.id, record]))
}

/** The market as an observation left it, from its sealed state. */
export async function marketAfter(
  records: TenantRecords,
  { payload }: ObservationRecord,
): Promise<LoggedMarket> {
  const bytes = await records.artifact(payload.state.artifactHash)
  return parseExact(bytes.toString('utf8')) as LoggedMarket
}
