import type { Database } from '../store/database/database.ts'
import { textOf } from '../store/database/row.ts'
import { sql } from '../store/database/sql.ts'

/** Addresses of the owners of an organization, in order. */
export async function ownersOf(database: Database, organizationId: string): Promise<string[]> {
  const [rows = []] = await database.tenant(organizationId, [
    sql`select u.email from memberships m join users u on u.id = m.user_id
      where m.organization_id = ${organizationId} and m.role = 'OWNER' order by u.email`,
  ])
  return rows.map((row) => textOf(row, 'email'))
}
