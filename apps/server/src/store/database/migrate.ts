import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import type { Database } from './database.ts'

const folder = new URL('./migrations/', import.meta.url)

/**
 * All schema changes by name, in order: the files of `migrations/`. A released name never changes.
 */
export const migrations: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => [file.slice(0, -'.sql'.length), readFileSync(new URL(file, folder), 'utf8')]),
)
// SQLSTATE of a query on a table that does not exist.
const undefinedTable = '42P01'
const newest = Object.keys(migrations).at(-1)!

/** The database schema does not match this release. */
export class SchemaOutdatedError extends Error {
  constructor(found: string | null) {
    super(
      `The database schema is at ${found ?? 'nothing'}; this release requires ${newest}. Run: npx liquidity migrate`,
    )
  }
}

/** Name of the newest migration that the database has seen, or null on an empty one. */
export async function schemaVersion(database: Database): Promise<string | null> {
  try {
    const { rows } = await database.pool.query(
      'select max(name) as name from public.kysely_migration',
    )
    return rows[0]?.name ?? null
  } catch (error) {
    if ((error as { code?: string }).code === undefinedTable) return null
    throw error
  }
}

/**
 * A newer schema is acceptable too: a later release only drops or changes parts that this one no
 * longer uses.
 *
 * @throws SchemaOutdatedError if `migrate` must run first
 */
export async function assertMigrated(database: Database): Promise<void> {
  const found = await schemaVersion(database)
  if (!hasReached(found)) throw new SchemaOutdatedError(found)
}

const hasReached = (found: string | null) => found !== null && found >= newest

/** Applies missing migrations, each once, under the library's lock. Returns their names. */
export async function migrate(database: Database): Promise<string[]> {
  if (hasReached(await schemaVersion(database))) return []
  // Loaded on demand, because it is expensive at startup.
  const [{ Kysely, PostgresDialect, sql }, { Migrator }] = await Promise.all([
    import('kysely'),
    import('kysely/migration'),
  ])
  await using db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: unhurried(database) }),
  })
  const provider = {
    getMigrations: async () =>
      Object.fromEntries(
        Object.entries(migrations).map(([name, text]) => [
          name,
          { up: async (trx: typeof db) => void (await sql.raw(text).execute(trx)) },
        ]),
      ),
  }
  const { error, results } = await new Migrator({ db, provider }).migrateToLatest()
  if (error) throw error
  return (results ?? []).map((result) => result.migrationName)
}

/** Connections for schema changes, without the request timeouts. */
function unhurried(database: Database) {
  if (database.kind === 'postgres') {
    return new pg.Pool({ ...database.pool.options, max: 2, query_timeout: 0, statement_timeout: 0 })
  }
  // The embedded database has one connection and no timeouts. Its pool outlives the library.
  return { connect: () => database.pool.connect(), end: async () => {} } as never
}
