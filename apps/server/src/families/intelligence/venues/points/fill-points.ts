import { limits } from '../../../../limits.ts'
import { isUnsettled, settlePoints } from '../../../../market/settle-points.ts'
import { apart } from '../../../../market/span-verdicts.ts'
import type { RecordSweeping, Services } from '../../../../services.ts'
import { ConflictError } from '../../../../store/database/database.ts'
import { integerOf, textOf } from '../../../../store/database/row.ts'
import { type Sql, sql } from '../../../../store/database/sql.ts'
import { emptyChange } from '../../../../store/records/change.ts'
import { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { daySeconds } from '../../../../units.ts'
import type { VenueProfile } from '../venue.ts'
import { computeDays } from './compute-days.ts'
import { pointsInThread } from './count-points.ts'
import { heldPoints } from './point.ts'
import { replacePoints } from './point-rows.ts'

type Filling = RecordSweeping & Pick<Services, 'background'>

/**
 * Computes due days from the sealed observations, newest first. Days are due after an upgrade, a
 * reorganization, or an observation of earlier blocks.
 */
export async function fillPoints(services: Filling): Promise<void> {
  for (let [organizationId, venueId] = ['', '']; ; ) {
    const [rows = []] = await services.database.dispatch([
      sql`select organization_id, venue_id from (
          select organization_id, venue_id from venue_spans where ${isUnsettled}
          union select organization_id, venue_id from market_points_due
        ) as v where (organization_id, venue_id) > (${organizationId}, ${venueId})
        order by organization_id, venue_id limit ${limits.judgedVenues}`,
    ])
    for (const row of rows) {
      organizationId = textOf(row, 'organization_id')
      venueId = textOf(row, 'venue_id')
      try {
        await fillVenue(services, organizationId, venueId)
      } catch (error) {
        // An observation was sealed meanwhile, or another node was first; the next turn continues.
        if (error instanceof ConflictError) continue
        services.log.warn(
          { err: error, organizationId, venueId },
          'Could not compute the market points of a venue.',
        )
      }
    }
    if (rows.length < limits.judgedVenues) return
  }
}

async function fillVenue(
  services: Filling,
  organizationId: string,
  venueId: string,
): Promise<void> {
  const { database, verified, artifacts, clock, committer } = services
  const commit = (statements: readonly Sql[]) =>
    committer.commit({ ...emptyChange(organizationId, clock()), statements })
  await commit([apart(organizationId, venueId), settlePoints(organizationId, venueId)])
  for (;;) {
    const actor = { kind: 'SYSTEM', id: 'market-points' } as const
    const now = clock()
    const records = new TenantRecords({ organizationId, actor, now, database, verified, artifacts })
    const days = await dueDays(records, venueId)
    if (days.length === 0) return
    const venue = await records.current<VenueProfile>('VenueProfile', venueId)
    if (!venue) throw new Error(`There is no venue ${venueId}.`)
    const computed = await computeDays(
      records,
      (task) => pointsInThread(services.background, task),
      venue.record,
      days,
    )
    await commit([
      apart(organizationId, venueId),
      computed.check,
      ...replacePoints(organizationId, venueId, {
        ...computed,
        points: heldPoints(computed.points, Math.floor(now / 1000)),
      }),
    ])
  }
}

/** The newest due days without a day between them that is not due, ascending. */
async function dueDays(
  records: Pick<TenantRecords, 'organizationId' | 'query'>,
  venueId: string,
): Promise<number[]> {
  const [rows = []] = await records.query([
    sql`select day from market_points_due where organization_id = ${records.organizationId}
      and venue_id = ${venueId} order by day desc limit ${limits.pointDays}`,
  ])
  const days = rows.map((row) => integerOf(row, 'day'))
  const end = days.findIndex((day, index) => day !== days[0]! - index * daySeconds)
  return days.slice(0, end < 0 ? undefined : end).reverse()
}
