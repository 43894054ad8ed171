import type { contract } from '@liquidity-os/contract'
import type { LoggedMarket } from '@liquidity-os/engine/amm'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import type { TenantRecords } from '../store/records/tenant-records.ts'
import { parseExact } from './exact-json.ts'
import {
  eventsNotRead,
  lastBlock,
  type ObservedSpan,
  observedSpans,
  type VenueSpans,
} from './observed-spans.ts'

export type ObservationRecord = VersionedRecord<Static<typeof contract.VenueObservation>>

/** The proved observations of a venue that are on the chain, the one that ends last first. */
export async function completedObservations(
  records: TenantRecords,
  venueId: string,
  limit: number,
): Promise<ObservationRecord[]> {
  const { standing } = await spansOfVenue(records, venueId)
  return lastOf(
    records,
    standing.filter(({ status }) => status === 'COMPLETED'),
    limit,
  )
}

/** Observations whose state the chain confirmed, the latest state first: the proved ones, and those that read nothing else. */
export async function confirmedStates(
  records: TenantRecords,
  venueId: string,
  limit: number,
): Promise<ObservationRecord[]> {
  const { standing } = await spansOfVenue(records, venueId)
  const isConfirmed = ({ payload }: ObservedSpan) =>
    payload.gaps.every(({ code }) => code === eventsNotRead)
  return lastOf(records, standing.filter(isConfirmed), limit)
}

/** Observations of a venue whatever they prove and whether they count or not, the one that ends last first. */
export async function anyObservations(
  records: TenantRecords,
  venueId: string,
  limit: number,
): Promise<{ observation: ObservationRecord; isOvertaken: boolean }[]> {
  const { standing, overtaken } = await spansOfVenue(records, venueId)
  const left = new Set(overtaken.map(({ id }) => id))
  const found = await lastOf(records, [...standing, ...overtaken], limit)
  return found.map((observation) => ({ observation, isOvertaken: left.has(observation.id) }))
}

export async function spansOfVenue(records: TenantRecords, venueId: string): Promise<VenueSpans> {
  const found = await observedSpans(records, [venueId])
  return found.get(venueId) ?? { standing: [], overtaken: [] }
}

/** A block that was read again counts as it was read last; a block further back is older whenever it was read. */
async function lastOf(
  records: TenantRecords,
  spans: readonly ObservedSpan[],
  limit: number,
): Promise<ObservationRecord[]> {
  const ordered = spans.toSorted((a, b) => lastBlock(b) - lastBlock(a) || (a.id < b.id ? 1 : -1))
  const ids = ordered.slice(0, limit).map(({ id }) => id)
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

/** The gap of an observation whose end nobody could compare with the chain any more; it says nothing against it. */
export const endNotRead = 'END_STATE_NOT_READ'

/** Whether an index job can go on from its end: it is proved, or nothing speaks against what the engine computed. */
export const isContinuable = ({ payload }: ObservedSpan): boolean =>
  payload.gaps.every(({ code }) => code === endNotRead)

/** The market as an observation left it, from its sealed state. */
export async function marketAfter(
  records: TenantRecords,
  { payload }: ObservationRecord,
): Promise<LoggedMarket> {
  const bytes = await records.artifact(payload.state.artifactHash)
  return parseExact(bytes.toString('utf8')) as LoggedMarket
}
