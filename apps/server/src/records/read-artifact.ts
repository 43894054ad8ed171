import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { contentHashOf } from './statements.ts'
import type { TenantRecords } from './tenant-records.ts'

/**
 * The bytes of a stored artifact, checked against their hash; null when the organization has none of it.
 *
 * @throws Error when the bytes are not what was registered
 */
export async function findArtifact(
  database: Database,
  organizationId: string,
  contentHash: string,
): Promise<Buffer | null> {
  const [rows = []] = await database.tenant(organizationId, [
    sql`select encode(content, 'base64') as content from artifacts
      where organization_id = ${organizationId} and content_hash = ${contentHash} order by part`,
  ])
  if (rows.length === 0) return null
  const bytes = Buffer.concat(rows.map((row) => Buffer.from(row.content ?? '', 'base64')))
  if (contentHashOf(bytes) !== contentHash) {
    throw new Error(`The artifact ${contentHash} is not what was registered.`)
  }
  return bytes
}

/** The bytes of an artifact that a record names. */
export async function readArtifact(records: TenantRecords, contentHash: string): Promise<Buffer> {
  const bytes = await findArtifact(records.database, records.organizationId, contentHash)
  if (!bytes) throw new Error(`The artifact ${contentHash} is named by a record and not stored.`)
  return bytes
}
