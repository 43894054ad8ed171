import type { contract } from '@liquidity-os/contract'
import { openEvent } from '@liquidity-os/evidence'
import { textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'

/** Published results of the closed windows of a mandate, newest first. */
export async function findPublishedWindows(
  records: TenantRecords,
  mandateId: string,
  limit: number,
): Promise<contract.KpiEvaluation[]> {
  const [rows = []] = await records.query([
    sql`select body from events where organization_id = ${records.organizationId}
      and subject_id = ${mandateId} and kind = 'mandate.kpi_evaluated'
      order by sequence desc limit ${limit}`,
  ])
  return rows.map(
    (row) => openEvent(textOf(row, 'body')).payload as unknown as contract.KpiEvaluation,
  )
}
