import { limits } from '../../../../limits.ts'
import { bucketOf } from '../../../../market/market-points.ts'
import { isUnsettled, settlePoints } from '../../../../market/settle-points.ts'
import { apart } from '../../../../market/span-verdicts.ts'
import type { RecordSweeping, Services } from '../../../../services.ts'
import { ConflictError } from '../../../../store/database/database.ts'
import { integerOf, textOf } from '../../../../store/database/row.ts'
import { sql } from '../../../../store/database/sql.ts'
import { emptyChange } from '../../../../store/records/change.ts'
import { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { daySeconds } from '../../../../units.ts'
import type { VenueProfile } from '../venue.ts'
import { computeDays } from './compute-days.ts'
import { pointsInThread } from './count-points.ts'
import { heldPoints, type Point } from './point.ts'
import { replacePoints } from './point-rows.ts'

type Filling = RecordSweeping & Pick<Services, 'background'>

/** A retry folds only the observations that were sealed since, so it ends before the next one. */
const maxAttempts = 3

/**
 * Computes due days from the sealed observations, newest first. Days are due after an upgrade, a
 * reorganization, or an observation of earlier blocks. Each round computes one batch per venue, so
 * that a long history delays no other venue.
 */
export async function fillPoints(services: Filling): Promise<void> {
  const failed = new Set<string>()
  for (let isSettled = false; await fillRound(services, { failed, isSettled }); ) isSettled = true
}

interface Round {
  /** Days that failed in this run, by venue; the next run tries them again. */
  readonly failed: Set<string>
  readonly isSettled: boolean
}

/** @returns true if a venue had a due day */
async function fillRound(services: Filling, round: Round): Promise<boolean> {
  let hasFilled = false
  for (let [organizationId, venueId] = ['', '']; ; ) {
    const [rows = []] = await services.database.dispatch([
      sql`select organization_id, venue_id from (
          select organization_id, venue_id from venue_spans where ${isUnsettled}
          union select organization_id, venue_id from market_points_due
        ) as v where (organization_id, venue_id) > (${organizationId}, ${venueId})
        order by organization_id, venue_id limit ${limits.evaluatedVenues}`,
    ])
    for (const row of rows) {
      organizationId = textOf(row, 'organization_id')
      venueId = textOf(row, 'venue_id')
      if (await fillVenue(services, { organizationId, venueId, ...round })) hasFilled = true
    }
    if (rows.length < limits.evaluatedVenues) return hasFilled
  }
}

interface Filled extends Round {
  readonly organizationId: string
  readonly venueId: string
}

/** Computes one batch of days. @returns true if a day was due */
async function fillVenue(services: Filling, filled: Filled): Promise<boolean> {
  const { organizationId, venueId, failed, isSettled } = filled
  const { database, verified, artifacts, clock } = services
  const actor = { kind: 'SYSTEM', id: 'market-points' } as const
  const folded = new Map<string, Point[] | Promise<Point[]>>()
  const failedKey = (day: number) => `${organizationId} ${venueId} ${day}`
  let days: number[] = []
  for (let attempt = 1; ; attempt += 1) {
    const records = new TenantRecords({
      purpose: 'JOB',
      organizationId,
      actor,
      now: clock(),
      database,
      verified,
      artifacts,
    })
    try {
      if (!isSettled && attempt === 1) await settle(services, filled)
      const isTried = (day: number) => failed.has(failedKey(day))
      if (days.length === 0) days = await dueDays(records, venueId, isTried)
      if (days.length === 0) return false
      await fillDays(services, records, { venueId, days, folded })
      return true
    } catch (error) {
      // An observation was sealed meanwhile, or another node was first.
      const isConflict = error instanceof ConflictError
      if (isConflict && attempt < maxAttempts) continue
      if (!isConflict) {
        services.log.warn(
          { err: error, organizationId, venueId },
          'Could not compute the market points of a venue.',
        )
      }
      for (const day of days) failed.add(failedKey(day))
      return days.length > 0
    }
  }
}

const settle = (
  { committer, clock }: Filling,
  { organizationId, venueId }: Pick<Filled, 'organizationId' | 'venueId'>,
) =>
  committer.commit({
    ...emptyChange(organizationId, clock()),
    statements: [apart(organizationId, venueId), settlePoints(organizationId, venueId)],
  })

interface Batch {
  readonly venueId: string
  readonly days: readonly number[]
  /** Points by observation and part, so that a retry folds no observation again. */
  readonly folded: Map<string, Point[] | Promise<Point[]>>
}

async function fillDays(
  services: Filling,
  records: TenantRecords,
  { venueId, days, folded }: Batch,
): Promise<void> {
  const { organizationId, now } = records
  const venue = await records.current<VenueProfile>('VenueProfile', venueId)
  if (!venue) throw new Error(`Venue ${venueId} does not exist.`)
  const computed = await computeDays(
    records,
    { fold: (task) => pointsInThread(services.background, task), folded },
    venue.record,
    days,
  )
  await services.committer.commit({
    ...emptyChange(organizationId, now),
    statements: [
      apart(organizationId, venueId),
      computed.check,
      ...replacePoints(organizationId, venueId, {
        ...computed,
        points: heldPoints(computed.points, Math.floor(now / 1000)),
      }),
    ],
  })
}

/**
 * The newest due days that were not tried in this run, ascending, without a day between them that
 * is not due. The current day is a batch of its own, because new observations interrupt it.
 */
async function dueDays(
  records: Pick<TenantRecords, 'organizationId' | 'query' | 'now'>,
  venueId: string,
  isTried: (day: number) => boolean,
): Promise<number[]> {
  const [rows = []] = await records.query([
    sql`select day from market_points_due where organization_id = ${records.organizationId}
      and venue_id = ${venueId} order by day desc`,
  ])
  const days = rows.map((row) => integerOf(row, 'day')).filter((day) => !isTried(day))
  const today = bucketOf(Math.floor(records.now / 1000), daySeconds)
  const isLast = (day: number, index: number) =>
    index >= limits.pointDays || day !== days[0]! - index * daySeconds
  const end = days[0] === today ? 1 : days.findIndex(isLast)
  return days.slice(0, end < 0 ? undefined : end).reverse()
}
