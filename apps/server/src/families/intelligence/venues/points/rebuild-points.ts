import { forgetDays } from '../../../../market/settle-points.ts'
import { ofVenue } from '../../../../market/span-rows.ts'
import { apart } from '../../../../market/span-verdicts.ts'
import type { Database } from '../../../../store/database/database.ts'
import { textOf } from '../../../../store/database/row.ts'
import { sql } from '../../../../store/database/sql.ts'
import { daySeconds } from '../../../../units.ts'

/**
 * Makes all observed days due. The sweep of a running node computes them again from the sealed
 * observations, newest first, so that the command neither waits nor computes.
 *
 * @param organizationId null for all
 */
export async function rebuildPoints(
  database: Database,
  organizationId: string | null,
): Promise<{ venues: number }> {
  const [rows = []] = await database.dispatch([
    sql`select distinct organization_id, venue_id from venue_spans
      where ${organizationId === null ? sql`true` : sql`organization_id = ${organizationId}`}
      order by organization_id, venue_id`,
  ])
  for (const row of rows) {
    const [organization, venue] = [textOf(row, 'organization_id'), textOf(row, 'venue_id')]
    const days = sql`select distinct day from venue_spans s cross join lateral generate_series(
        s.first_at - s.first_at % ${daySeconds}, s.last_at, ${daySeconds}) as day
      where ${ofVenue(organization, venue)} and s.is_counted`
    await database.tenant(organization, [
      apart(organization, venue),
      sql`with ${forgetDays(organization, venue, days)}`,
    ])
  }
  return { venues: rows.length }
}
