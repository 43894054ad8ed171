import { sql } from '../database/sql.ts'
import { contentHashOf } from './statements.ts'
import type { TenantRecords } from './tenant-records.ts'

/** The bytes of a stored artifact, checked against their hash. */
export async function readArtifact(records: TenantRecords, contentHash: string): Promise<Buffer> {
  const [rows = []] = await records.query([
    sql`select encode(content, 'base64') as content from artifacts
      where organization_id = ${records.organizationId} and content_hash = ${contentHash} order by part`,
  ])
  const bytes = Buffer.concat(rows.map((row) => Buffer.from(row.content ?? '', 'base64')))
  if (contentHashOf(bytes) !== contentHash) {
    throw new Error(`The artifact ${contentHash} is not what was registered.`)
  }
  return bytes
}
