import { randomBytes } from 'node:crypto'
import type { Database } from '../store/database/database.ts'
import { type Row, textOf } from '../store/database/row.ts'
import { type Sql, sql } from '../store/database/sql.ts'

/** Families of public addresses; each has its own slugs. */
export type SlugKind = 'MANDATE_SHARE' | 'STUDY_SHARE'

// Crockford's base32 in lower case: no i, l, o, u. 256 is a multiple of 32, so all characters are
// equally likely.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const randomCharacters = 26

/** A share that a slug leads to. */
export interface SlugHolder {
  organizationId: string
  shareId: string
}

/** A slug of 130 random bits. */
export function newSlug(): string {
  return [...randomBytes(randomCharacters)].map((byte) => alphabet[byte & 31]).join('')
}

/** Claims a slug for a share; the transaction fails if it is taken. */
export function takeSlug(kind: SlugKind, slug: string, holder: SlugHolder, expiresAt: number): Sql {
  return sql`insert into public_slugs (kind, slug, held_by, record_id, expires_at)
    values (${kind}, ${slug}, ${holder.organizationId}, ${holder.shareId}, ${expiresAt})`
}

/** Disables a slug. It stays reserved. */
export function closeSlug(kind: SlugKind, slug: string, now: number): Sql {
  return sql`update public_slugs set closed_at = ${now} where kind = ${kind} and slug = ${slug}`
}

export async function isTaken(database: Database, kind: SlugKind, slug: string): Promise<boolean> {
  const [rows] = await database.global([
    sql`select 1 from public_slugs where kind = ${kind} and slug = ${slug}`,
  ])
  return rows?.length === 1
}

export async function holderOf(
  database: Database,
  kind: SlugKind,
  slug: string,
  now: number,
): Promise<SlugHolder | null> {
  const [rows = []] = await database.global([
    sql`select held_by, record_id from public_slugs where kind = ${kind} and slug = ${slug}
      and closed_at is null and expires_at > ${now}`,
  ])
  return rows.map(holder)[0] ?? null
}

/** Expired shares with a record not yet marked, oldest expiry first. */
export async function overdueHolders(
  database: Database,
  kind: SlugKind,
  now: number,
  limit: number,
): Promise<SlugHolder[]> {
  const [rows = []] = await database.global([
    sql`select held_by, record_id from public_slugs where kind = ${kind} and closed_at is null
      and expires_at <= ${now} order by expires_at limit ${limit}`,
  ])
  return rows.map(holder)
}

const holder = (row: Row): SlugHolder => ({
  organizationId: textOf(row, 'held_by'),
  shareId: textOf(row, 'record_id'),
})
