import { sql } from '../../../database/sql.ts'
import type { TenantRecords } from '../../../records/tenant-records.ts'
import type { ObservationPayload } from './observation.ts'

/** Where the newest observation of a venue that holds events ends; null when there is none. */
export async function newestObservation(
  records: TenantRecords,
  venueId: string,
): Promise<{ nextBlock: number } | null> {
  const [rows] = await records.query([
    sql`select r.body from record_heads h join records r on r.organization_id = ${records.organizationId}
        and r.id = h.id and r.sequence = h.sequence
      where h.organization_id = ${records.organizationId}
      and h.id >= 'venue_observation_0' and h.id < 'venue_observation_g'
      and r.body::jsonb #>> '{payload,venue,id}' = ${venueId}
      and (r.body::jsonb #>> '{payload,range,to,number}')::bigint >= (r.body::jsonb #>> '{payload,range,from,number}')::bigint
      order by h.id desc limit 1`,
  ])
  const body = rows?.[0]?.body
  if (!body) return null
  const { payload } = JSON.parse(body) as { payload: ObservationPayload }
  return { nextBlock: payload.range.to.number + 1 }
}
