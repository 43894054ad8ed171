import { everyResolution } from '../../../../market/market-points.ts'
import { ConflictError, StoreUnavailableError } from '../../../../store/database/database.ts'
import { integerOf, optionalTextOf, type Row, textOf } from '../../../../store/database/row.ts'
import { sql } from '../../../../store/database/sql.ts'
import { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { VerifiedTexts } from '../../../../store/records/verified-texts.ts'
import { daySeconds } from '../../../../units.ts'
import type { Audit } from '../../../family.ts'
import type { VenueProfile } from '../venue.ts'
import { computeDays } from './compute-days.ts'
import type { PointDepth, StoredPoint } from './point.ts'
import foldPoints from './points-task.ts'

/**
 * Recomputes the oldest and the newest observed day per venue from the sealed observations. Reports
 * the days whose market points differ.
 */
export const auditPoints: Audit = async ({ database, organizationId, artifacts }) => {
  const records = new TenantRecords({
    purpose: 'JOB',
    organizationId,
    actor: { kind: 'SYSTEM', id: 'verify-history' },
    now: 0,
    database,
    verified: new VerifiedTexts(),
    artifacts,
  })
  const [rows = []] = await records.query([
    sql`select venue_id, min(day) as oldest, max(day) as newest from market_spans
      where organization_id = ${organizationId} group by venue_id order by venue_id`,
  ])
  const faults: { subject: string; message: string }[] = []
  for (const row of rows) {
    const subject = textOf(row, 'venue_id')
    for (const day of new Set([integerOf(row, 'oldest'), integerOf(row, 'newest')])) {
      const date = new Date(day * 1000).toISOString().slice(0, 10)
      const fault = await faultOf(records, subject, day)
      if (fault !== null) faults.push({ subject, message: `its market points of ${date} ${fault}` })
    }
  }
  return faults
}

async function faultOf(records: TenantRecords, venueId: string, day: number) {
  try {
    return (await isEqual(records, venueId, day)) ? null : 'differ from its observations'
  } catch (error) {
    // An observation was sealed meanwhile.
    if (error instanceof ConflictError) return null
    if (error instanceof StoreUnavailableError) throw error
    return `cannot be computed: ${(error as Error).message}`
  }
}

async function isEqual(records: TenantRecords, venueId: string, day: number): Promise<boolean> {
  const venue = await records.current<VenueProfile>('VenueProfile', venueId)
  if (!venue) return false
  const computed = await computeDays(records, { fold: foldPoints }, venue.record, [day])
  const here = sql`organization_id = ${records.organizationId} and venue_id = ${venueId}`
  const [, due = [], rows = []] = await records.query([
    computed.check,
    sql`select day from market_points_due where ${here} and day = ${day}`,
    sql`select resolution, at, open, high, low, close, depth::text as depth, tvl, volume, fees, trades, observation_id
      from market_points where ${here} and resolution in ${everyResolution}
      and at >= ${day} and at < ${day + daySeconds}`,
  ])
  if (due.length > 0) return true
  // Retention deletes fine resolutions, all rows of a time at once.
  const held = new Map<string, number>([[`${daySeconds}`, day]])
  for (const row of rows) {
    const [resolution, at] = [textOf(row, 'resolution'), integerOf(row, 'at')]
    held.set(resolution, Math.min(held.get(resolution) ?? at, at))
  }
  const isHeld = ({ resolution, at }: StoredPoint) => at >= (held.get(`${resolution}`) ?? at + 1)
  const expected = computed.points.filter(isHeld).map(pointText)
  return expected.sort().join('\n') === rows.map(rowText).sort().join('\n')
}

const bandsText = (depth: PointDepth | Record<string, string[]> | null) =>
  depth === null
    ? ''
    : Object.entries(depth)
        .map(([band, sides]) => `${band}=${sides.join('/')}`)
        .sort()
        .join(' ')

const pointText = ({ depth, ...point }: StoredPoint) =>
  [
    ...[point.resolution, point.at, point.open, point.high, point.low, point.close],
    ...[bandsText(depth), point.tvl, point.volume, point.fees, point.trades, point.observationId],
  ].join(',')

function rowText(row: Row): string {
  const depth = optionalTextOf(row, 'depth')
  const text = (name: string) => optionalTextOf(row, name)
  return [
    ...['resolution', 'at', 'open', 'high', 'low', 'close'].map(text),
    bandsText(depth === null ? null : JSON.parse(depth)),
    ...['tvl', 'volume', 'fees', 'trades', 'observation_id'].map(text),
  ].join(',')
}
