import { limits } from '../../limits.ts'
import type { Database } from '../database/database.ts'
import { integerOf, optionalIntegerOf, optionalTextOf } from '../database/row.ts'
import { type Sql, sql } from '../database/sql.ts'
import { advanceWalk, beginWalk, isAtEnd, partStatements, type UsageWalk } from './usage-walk.ts'

/** How many parts at once, and the rows of each table in one. */
interface PartBounds {
  readonly parts: number
  readonly partRows: number
}

const bounds = { parts: limits.usagePartsAtOnce, partRows: limits.usagePartRows }

/** What the table says of an organization: what it keeps, and how its measurement stands. */
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
 * Measures what an organization keeps, in parts that each take a second or so, and corrects its row at the end. How far it
 * came stands in the row: whoever comes next goes on from there. Of several that measure at the same time, each part is of
 * whoever writes it down first; the others stop.
 *
 * @param measuredAt when it was last done, as read by whoever decided to do it again; null for never
 * @param now        milliseconds since 1970
 * @returns whether the measurement has come to its end
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

/** An organization and how far its measurement was when the part was read. */
interface WalkPlace {
  readonly organizationId: string
  readonly measuredAt: number | null
  readonly written: string | null
}

/** Whether nobody else had written the part down. */
async function write(
  database: Database,
  { organizationId }: WalkPlace,
  statement: Sql,
): Promise<boolean> {
  const [rows = []] = await database.tenant(organizationId, [statement])
  return rows.length === 1
}

const isWhere = ({ measuredAt, written }: WalkPlace): Sql =>
  sql`u.measured_at is not distinct from ${measuredAt} and u.walk is not distinct from ${written}`

function stepOfWalk(place: WalkPlace, walk: string): Sql {
  return sql`insert into organization_usage as u (organization_id, bytes, walk) values (${place.organizationId}, 0, ${walk})
    on conflict (organization_id) do update set walk = excluded.walk where ${isWhere(place)} returning organization_id`
}

/**
 * What was told during the walk may be among the rows that were walked, or not: what is kept lies between the sum of the
 * walk and that sum with what was told. A count between them stays, another moves to the nearer of the two. So where
 * nothing was told the walk decides alone, and what is told later stays whatever happens.
 */
function endOfWalk(place: WalkPlace, { bytes, toldBytes }: UsageWalk, now: number): Sql {
  return sql`insert into organization_usage as u (organization_id, bytes, measured_at)
    values (${place.organizationId}, ${bytes}, ${now})
    on conflict (organization_id) do update set measured_at = excluded.measured_at, walk = null,
      bytes = ${bytes} + greatest(0, least(u.bytes - ${bytes}, u.bytes - ${toldBytes}))
    where ${isWhere(place)} returning organization_id`
}
