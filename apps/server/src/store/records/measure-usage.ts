import { limits } from '../../limits.ts'
import type { Database } from '../database/database.ts'
import { integerOf, optionalIntegerOf, optionalTextOf } from '../database/row.ts'
import { type Sql, sql } from '../database/sql.ts'
import { advanceWalk, beginWalk, isAtEnd, partStatements, type UsageWalk } from './usage-walk.ts'

/** Parts per run, and rows per table and part. */
interface PartBounds {
  readonly parts: number
  readonly partRows: number
}

const bounds = { parts: limits.usagePartsAtOnce, partRows: limits.usagePartRows }

interface Measured {
  readonly toldBytes: number
  readonly measuredAt: number | null
  /** As it is written. */
  readonly walk: string | null
}

async function readMeasured(database: Database, organizationId: string): Promise<Measured> {
  const [[row] = []] = await database.tenant(organizationId, [
    sql`select bytes, measured_at, walk from organization_usage where organization_id = ${organizationId}`,
  ])
  return {
    toldBytes: row ? integerOf(row, 'bytes') : 0,
    measuredAt: row ? optionalIntegerOf(row, 'measured_at') : null,
    walk: row ? optionalTextOf(row, 'walk') : null,
  }
}

/**
 * Measures the storage of an organization in parts of about 1 s each, and corrects its row at the
 * end. The row stores the progress, so any process can continue. If several measure at once, the
 * first to write a part wins and the others stop.
 *
 * @param measuredAt last measurement as read by the scheduler, or null
 * @param now milliseconds since 1970
 * @returns true if complete
 */
export async function measureUsage(
  database: Database,
  { organizationId, measuredAt }: { organizationId: string; measuredAt: number | null },
  now: number,
  { parts, partRows }: PartBounds = bounds,
): Promise<boolean> {
  const before = await readMeasured(database, organizationId)
  if (before.measuredAt !== measuredAt) return false
  let written = before.walk
  let walk: UsageWalk = written === null ? beginWalk(before.toldBytes) : JSON.parse(written)
  for (let part = 0; part < parts; part += 1) {
    const read = partStatements(organizationId, walk, partRows)
    walk = advanceWalk(walk, await database.tenant(organizationId, read), partRows)
    const place = { organizationId, measuredAt, written }
    if (isAtEnd(walk)) return write(database, place, endOfWalk(place, walk, now))
    const text = JSON.stringify(walk)
    if (!(await write(database, place, stepOfWalk(place, text)))) return false
    written = text
  }
  return false
}

/** An organization, and the progress of its measurement at the time of the read. */
interface MeasuredOrganization {
  readonly organizationId: string
  readonly measuredAt: number | null
  readonly written: string | null
}

/** True if no other process wrote the part first. */
async function write(
  database: Database,
  { organizationId }: MeasuredOrganization,
  statement: Sql,
): Promise<boolean> {
  const [rows = []] = await database.tenant(organizationId, [statement])
  return rows.length === 1
}

const isWhere = ({ measuredAt, written }: MeasuredOrganization): Sql =>
  sql`u.measured_at is not distinct from ${measuredAt} and u.walk is not distinct from ${written}`

function stepOfWalk(place: MeasuredOrganization, walk: string): Sql {
  return sql`insert into organization_usage as u (organization_id, bytes, walk) values (${place.organizationId}, 0, ${walk})
    on conflict (organization_id) do update set walk = excluded.walk where ${isWhere(place)} returning organization_id`
}

/**
 * Usage reported during the walk may or may not be among its rows. The true value thus lies between
 * the walk's sum and that sum plus the reported bytes. A count in this range stays; any other moves
 * to the nearest bound. Without reports during the walk, the walk alone decides. Later reports
 * always count.
 */
function endOfWalk(place: MeasuredOrganization, { bytes, toldBytes }: UsageWalk, now: number): Sql {
  return sql`insert into organization_usage as u (organization_id, bytes, measured_at)
    values (${place.organizationId}, ${bytes}, ${now})
    on conflict (organization_id) do update set measured_at = excluded.measured_at, walk = null,
      bytes = ${bytes} + greatest(0, least(u.bytes - ${bytes}, u.bytes - ${toldBytes}))
    where ${isWhere(place)} returning organization_id`
}
