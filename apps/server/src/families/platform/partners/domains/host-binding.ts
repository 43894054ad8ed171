import type { Database } from '../../../../store/database/database.ts'
import { optionalTextOf, textOf } from '../../../../store/database/row.ts'
import { type Sql, sql } from '../../../../store/database/sql.ts'

/** Owner of a host: the challenge that proved it, and the partner whose brand it shows. */
export interface HostHolder {
  readonly organizationId: string
  readonly challengeId: string
  readonly partnerId: string | null
}

/** Binds a host; the transaction fails if another challenge has it. */
export function bindHost(
  host: string,
  skeleton: string,
  { organizationId, challengeId }: Omit<HostHolder, 'partnerId'>,
): Sql {
  return sql`insert into partner_hosts (host, skeleton, held_by, challenge_id)
    values (${host}, ${skeleton}, ${organizationId}, ${challengeId})`
}

/**
 * Releases the host of a challenge. The table's row policy protects hosts of other organizations.
 */
export function freeHost(challengeId: string): Sql {
  return sql`delete from partner_hosts where challenge_id = ${challengeId}`
}

/** Current holder of a host, or null. */
export async function holderOfHost(database: Database, host: string): Promise<HostHolder | null> {
  const [[row] = []] = await database.global([
    sql`select held_by, challenge_id, partner_id from partner_hosts where host = ${host}`,
  ])
  if (!row) return null
  return {
    organizationId: textOf(row, 'held_by'),
    challengeId: textOf(row, 'challenge_id'),
    partnerId: optionalTextOf(row, 'partner_id'),
  }
}

/** True if another organization has bound a confusable host. */
export async function hasLookAlike(
  database: Database,
  { host, skeleton, organizationId }: { host: string; skeleton: string; organizationId: string },
): Promise<boolean> {
  const [rows = []] = await database.global([
    sql`select 1 as found from partner_hosts where skeleton = ${skeleton} and host <> ${host}
      and held_by <> ${organizationId} limit 1`,
  ])
  return rows.length > 0
}
