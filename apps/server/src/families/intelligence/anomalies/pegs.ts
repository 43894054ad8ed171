import { sql } from '../../../store/database/sql.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { openAnomalies } from './anomaly-life.ts'
import { type AnomalyRequest, fingerprintOf, pairKey } from './subject.ts'

/**
 * A peg that was asked about once is watched from then on, until another is named for the same asset: by a question
 * that was answered, about no earlier moment.
 */
export async function watchedPegs(records: TenantRecords): Promise<AnomalyRequest[]> {
  const { organizationId } = records
  const [rows = []] = await records.query([
    sql`select distinct on (r.body::jsonb #>> '{payload,fingerprint}')
        (r.body::jsonb #> '{payload,subject}')::text as subject,
        (r.body::jsonb #>> '{payload,at}') || (r.body::jsonb #>> '{createdAt}') as said
      from record_heads h join records r on r.organization_id = ${organizationId}
        and r.id = h.id and r.sequence = h.sequence
      where h.organization_id = ${organizationId} and h.id >= 'anomaly_0' and h.id < 'anomaly_g'
      and h.status <> 'ABSTAINED' and r.body::jsonb #>> '{payload,kind}' = 'STABLECOIN_DEPEG'
      order by r.body::jsonb #>> '{payload,fingerprint}', said desc`,
  ])
  const newest = new Map<string, AnomalyRequest['subject']>()
  for (const row of rows.toSorted((a, b) => ((a.said ?? '') < (b.said ?? '') ? -1 : 1))) {
    const subject = JSON.parse(row.subject ?? '') as AnomalyRequest['subject']
    newest.set(pegKey(subject), subject)
  }
  return [...newest.values()].map((subject) => ({
    ...{ schemaVersion: 'anomaly-evaluation-v1', kind: 'STABLECOIN_DEPEG', subject },
  }))
}

/** What one peg is watched of at a time. */
const pegKey = ({ pair, asset = '', venueId = '' }: AnomalyRequest['subject']) =>
  `${pairKey(pair)}|${asset.toLowerCase()}|${venueId}`

/** The id of the open depeg that a question would replace by naming another peg; null where it replaces none. */
export async function openPeg(
  records: TenantRecords,
  request: AnomalyRequest,
): Promise<string | null> {
  if (request.kind !== 'STABLECOIN_DEPEG') return null
  const key = pegKey(request.subject)
  const fingerprint = fingerprintOf(request)
  const replaced = (await openAnomalies(records)).find(
    ({ record: { payload } }) =>
      payload.kind === 'STABLECOIN_DEPEG' &&
      payload.fingerprint !== fingerprint &&
      pegKey(payload.subject) === key,
  )
  return replaced?.record.id ?? null
}
