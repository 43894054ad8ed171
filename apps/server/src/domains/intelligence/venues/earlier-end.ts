import type { PoolMarket } from '@liquidity-os/engine'
import type { Row } from '../../../database/database.ts'
import { sql } from '../../../database/sql.ts'
import type { TenantRecords } from '../../../records/tenant-records.ts'
import { fromJsonSafe } from '../../../simulation/exact-json.ts'
import type { ObservationPayload } from './observation.ts'

// An index job looks back this far for an observation whose last block is still on the chain.
const lookBack = 100

/** The end of an earlier observation, from which an index run goes on. */
export interface EarlierEnd {
  nextBlock: number
  market: PoolMarket
  positions: 'COMPLETE' | 'PARTIAL'
}

/**
 * The newest proved observation of a venue that still ends on the chain. One whose last block is gone was
 * overtaken by a reorganization: it stays, and the run goes on from before it.
 *
 * @param hashOf the hash that the chain has at a height now
 */
export async function earlierEnd(
  records: TenantRecords,
  venueId: string,
  hashOf: (block: number) => Promise<string | null>,
): Promise<EarlierEnd | null> {
  const [rows = []] = await records.query([
    sql`select r.body from record_heads h join records r on r.organization_id = ${records.organizationId}
        and r.id = h.id and r.sequence = h.sequence
      where h.organization_id = ${records.organizationId} and h.status = 'COMPLETED'
      and h.id >= 'venue_observation_0' and h.id < 'venue_observation_g'
      and r.body::jsonb #>> '{payload,venue,id}' = ${venueId} order by h.id desc limit ${lookBack}`,
  ])
  for (const { status, payload } of rows.map(recordOf)) {
    if (status !== 'COMPLETED') continue
    const { at, artifactHash } = payload.state
    if ((await hashOf(at.number)) !== at.hash) continue
    const bytes = await records.artifact(artifactHash)
    const isPartial = payload.evidence.assumptions.some(
      ({ code }) => code === 'POSITIONS_FROM_EVENTS',
    )
    return {
      nextBlock: at.number + 1,
      market: fromJsonSafe(JSON.parse(bytes.toString('utf8'))) as PoolMarket,
      positions: isPartial ? 'PARTIAL' : 'COMPLETE',
    }
  }
  return null
}

const recordOf = (row: Row) =>
  JSON.parse(row.body ?? '') as { status: string; payload: ObservationPayload }
