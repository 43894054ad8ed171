import type { contract } from '@liquidity-os/contract'
import { openEvent } from '@liquidity-os/evidence'
import { pairKey } from '../../../market/pair.ts'
import { textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { type Mandate, mandates } from './records.ts'

export type { Mandate } from './records.ts'

/** Current mandates of a pair, newest first. */
export async function mandatesOf(
  records: TenantRecords,
  pair: Parameters<typeof pairKey>[0],
): Promise<Mandate[]> {
  const found = await mandates.find(records, { status: ['ACTIVE', 'PAUSED'] })
  return found.filter(({ payload }) => pairKey(payload.pair) === pairKey(pair))
}

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
