import type { AnomalyRequest } from '../families/intelligence/anomalies/subject.ts'
import { sql, values } from '../store/database/sql.ts'
import type { TenantRecords } from '../store/records/tenant-records.ts'

/** CRITICAL anomalies of a market: those that are open, and those that were opened in a time. */
export interface CriticalAnomalies {
  open: { id: string; resourceVersion: string }[]
  opened: number
}

/**
 * CRITICAL anomalies whose subject is one of the venues, or their pair: the same base against another quote or on another
 * chain is another market.
 *
 * @param window Unix seconds, both ends included; without it none is counted as opened
 */
export async function criticalAnomalies(
  records: TenantRecords,
  subject: { venueIds: readonly string[]; pair: AnomalyRequest['subject']['pair'] },
  window?: { from: number; to: number },
): Promise<CriticalAnomalies> {
  const { organizationId } = records
  const time = (seconds: number) => new Date(seconds * 1000).toISOString()
  const { chainId, base, quote } = subject.pair
  const [from, to] = window ? [time(window.from), time(window.to)] : ['~', '']
  const [rows = []] = await records.query([
    sql`select h.id, h.resource_version, h.status, first.body::jsonb ->> 'createdAt' as opened
      from record_heads h
      join records r on r.organization_id = ${organizationId} and r.id = h.id and r.sequence = h.sequence
      join records first on first.organization_id = ${organizationId} and first.id = h.id and first.sequence = 1
      where h.organization_id = ${organizationId} and h.id >= 'anomaly_0' and h.id < 'anomaly_g'
      and r.body::jsonb #>> '{payload,severity}' = 'CRITICAL'
      and (r.body::jsonb #>> '{payload,subject,venueId}' in ${values(subject.venueIds)}
        or (r.body::jsonb #>> '{payload,subject,pair,chainId}' = ${`${chainId}`}
          and lower(r.body::jsonb #>> '{payload,subject,pair,base}') = ${base.toLowerCase()}
          and lower(r.body::jsonb #>> '{payload,subject,pair,quote}') = ${quote.toLowerCase()}))`,
  ])
  const open = rows.filter(({ status }) => status === 'ACTIVE')
  return {
    open: open.map((row) => ({ id: row.id ?? '', resourceVersion: row.resource_version ?? '' })),
    opened: rows.filter(({ opened }) => (opened ?? '') >= from && (opened ?? '') <= to).length,
  }
}
