import type { Database } from '../../../store/database/database.ts'
import { textOf } from '../../../store/database/row.ts'
import { type Sql, sql } from '../../../store/database/sql.ts'

const kind = 'PASSPORT'
/** End of the year 9999: a passport slug belongs to its owner permanently. */
const forEver = 253_402_214_400_000

export interface SlugHolder {
  readonly organizationId: string
  readonly passportId: string
}

/** Claims a slug for a passport; the transaction fails if it is taken. */
export const takeSlug = (slug: string, { organizationId, passportId }: SlugHolder): Sql =>
  sql`insert into public_slugs (kind, slug, held_by, record_id, expires_at)
    values (${kind}, ${slug}, ${organizationId}, ${passportId}, ${forEver})`

export async function slugHolder(database: Database, slug: string): Promise<SlugHolder | null> {
  const [rows = []] = await database.global([
    sql`select held_by, record_id from public_slugs where kind = ${kind} and slug = ${slug}`,
  ])
  const [row] = rows
  return row
    ? { organizationId: textOf(row, 'held_by'), passportId: textOf(row, 'record_id') }
    : null
}
