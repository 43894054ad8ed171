import type { contract, Gap } from '@liquidity-os/contract'
import type { LoggedMarket } from '@liquidity-os/engine'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { sql, values } from '../database/sql.ts'
import type { TenantRecords } from '../records/tenant-records.ts'
import { parseExact } from '../simulation/exact-json.ts'

export type ObservationRecord = VersionedRecord<Static<typeof contract.VenueObservation>>

/** The proved observations of a venue, the one that ends last first. */
export function completedObservations(
  records: TenantRecords,
  venueId: string,
  limit: number,
): Promise<ObservationRecord[]> {
  return observationsOf(records, venueId, ['COMPLETED'], limit)
}

/** Observations of a venue whatever they prove, newest first. */
export function anyObservations(
  records: TenantRecords,
  venueId: string,
  limit: number,
): Promise<ObservationRecord[]> {
  return observationsOf(records, venueId, ['COMPLETED', 'PARTIAL'], limit)
}

/** A block that was read again counts as it was read last; a block further back is older whenever it was read. */
async function observationsOf(
  records: TenantRecords,
  venueId: string,
  statuses: readonly string[],
  limit: number,
): Promise<ObservationRecord[]> {
  const [rows = []] = await records.query([
    sql`select r.body from record_heads h join records r on r.organization_id = ${records.organizationId}
        and r.id = h.id and r.sequence = h.sequence
      where h.organization_id = ${records.organizationId} and h.status in ${values(statuses)}
      and h.id >= 'venue_observation_0' and h.id < 'venue_observation_g'
      and r.body::jsonb #>> '{payload,venue,id}' = ${venueId}
      order by (r.body::jsonb #>> '{payload,range,to,number}')::bigint desc, h.id desc limit ${limit}`,
  ])
  // The sealed status decides, not the column beside it.
  return rows
    .map((row) => JSON.parse(row.body ?? '') as ObservationRecord)
    .filter(({ status }) => statuses.includes(status))
}

/** The gap of an observation that read the market at its one block and no event: it says nothing of what led there. */
export const eventsNotRead = 'EVENTS_NOT_READ'

/** Observations whose state the chain confirmed, the latest state first: the proved ones, and those that read nothing else. */
export async function confirmedStates(
  records: TenantRecords,
  venueId: string,
  limit: number,
): Promise<ObservationRecord[]> {
  const found = await observationsOf(records, venueId, ['COMPLETED', 'PARTIAL'], limit)
  return found.filter(({ payload: { gaps } }) => gaps.every(({ code }) => code === eventsNotRead))
}

/** The gap of an observation whose end nobody could compare with the chain any more; it says nothing against it. */
export const endNotRead = 'END_STATE_NOT_READ'

/** Blocks of an observation from whose end an index job can go on. */
export interface ContinuableSpan {
  id: string
  from: number
  to: number
  toHash: string
}

/**
 * What was read of a venue, in chain order: by observations that are proved, and by those in which nothing speaks
 * against the end that the engine computed.
 */
export async function continuableSpans(
  records: TenantRecords,
  venueId: string,
): Promise<ContinuableSpan[]> {
  const [rows = []] = await records.query([
    sql`select id, range #>> '{from,number}' as first, range #>> '{to,number}' as last,
        range #>> '{to,hash}' as hash, gaps from (
          select h.id, r.body::jsonb #> '{payload,range}' as range, r.body::jsonb #>> '{payload,gaps}' as gaps
          from record_heads h join records r on r.organization_id = ${records.organizationId}
          and r.id = h.id and r.sequence = h.sequence
          where h.organization_id = ${records.organizationId} and h.status in ('COMPLETED', 'PARTIAL')
          and h.id >= 'venue_observation_0' and h.id < 'venue_observation_g'
          and r.body::jsonb #>> '{payload,venue,id}' = ${venueId}
        ) as observations`,
  ])
  return rows
    .filter(({ gaps }) =>
      (JSON.parse(gaps ?? '[]') as Gap[]).every(({ code }) => code === endNotRead),
    )
    .map(({ id, first, last, hash }) => ({
      ...{ id: id ?? '', from: Number(first), to: Number(last), toHash: hash ?? '' },
    }))
    .sort((a, b) => a.from - b.from || a.to - b.to)
}

/** The market as an observation left it, from its sealed state. */
export async function marketAfter(
  records: TenantRecords,
  { payload }: ObservationRecord,
): Promise<LoggedMarket> {
  const bytes = await records.artifact(payload.state.artifactHash)
  return parseExact(bytes.toString('utf8')) as LoggedMarket
}
