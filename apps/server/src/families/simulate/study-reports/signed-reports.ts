import type { SourceRef } from '@liquidity-os/contract'
import { openEvent } from '@liquidity-os/evidence'
import { textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'

const max = 128

/** A signed report: the hash in its name, and the hash of its stored body. */
export interface SignedReport {
  readonly hash: string
  readonly reportHash: string
  readonly source: SourceRef
  readonly signedAt: string
}

/** Newest first; at most 128 by default. */
export async function signedReports(records: TenantRecords, limit = max): Promise<SignedReport[]> {
  const [rows = []] = await records.query([
    sql`select body from events where organization_id = ${records.organizationId}
      and kind = 'study.report_signed' order by era desc, transaction_id desc, ordinal desc limit ${limit}`,
  ])
  return rows.map((row) => {
    const { subject, payload, occurredAt } = openEvent(textOf(row, 'body'))
    const { contentHash, reportHash, reportedVersion } = payload as Record<string, string>
    if (!contentHash || !reportHash || !reportedVersion) {
      throw new Error('An event of a signed report contains no hash.')
    }
    return {
      hash: contentHash,
      reportHash,
      signedAt: occurredAt,
      source: {
        resourceType: subject.resourceType,
        id: subject.id,
        resourceVersion: reportedVersion,
      },
    }
  })
}
