import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { H } from '@liquidity-os/evidence'
import pg from 'pg'
import { connectPostgres, openInMemory } from '../../src/store/database/connect.ts'
import type { Database } from '../../src/store/database/database.ts'
import { imageFile, imageRelease } from '../../src/store/database/fresh-directory.ts'
import { migrate, migrations } from '../../src/store/database/migrate.ts'

/**
 * A separate database per test file. Uses a fresh database on the DATABASE_URL server, else an
 * embedded one in memory, loaded from a shared image.
 */
export async function testDatabase(): Promise<{ database: Database; url: string | null }> {
  const server = process.env.DATABASE_URL
  if (!server) return { database: (await emptied()) ?? (await fromImage()), url: null }
  const name = `liquidity_test_${randomBytes(8).toString('hex')}`
  const admin = new pg.Client(server)
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href
  const database = connectPostgres(url, 'liquidity-test')
  await migrateOnce(database)
  return { database, url }
}

/**
 * Embedded databases released by earlier files of the worker. Starting one takes 2 s of CPU time;
 * emptying one takes 0.2 s.
 */
const idle: Database[] = []
const maxIdle = 2
/** Rows that the schema itself inserts, as JSON by table. */
let laid: ReadonlyMap<string, string> | null = null

/** Gives back what a file has done with: the next one gets it empty. */
export async function doneWith(database: Database): Promise<void> {
  if (database.kind === 'embedded' && idle.length < maxIdle) idle.push(database)
  else await database.close()
}

/** An emptied database of an earlier file; null if none is available. */
async function emptied(): Promise<Database | null> {
  const database = idle.pop()
  if (!database || !laid) return null
  const { rows } = await database.pool.query<{ schema: string; name: string }>(tablesOfAll)
  const foreign = new Set(rows.map(({ schema }) => schema).filter((one) => one !== 'public'))
  const own = rows.filter(({ schema, name }) => schema === 'public' && !name.startsWith('kysely_'))
  await database.pool.query(
    [
      ...[...foreign].map((schema) => `drop schema "${schema}" cascade`),
      `truncate ${own.map(({ name }) => `"${name}"`).join(', ')} restart identity cascade`,
      ...[...laid].map(
        ([name, json]) =>
          `insert into "${name}" select * from json_populate_recordset(null::"${name}", '${json.replaceAll("'", "''")}')`,
      ),
    ].join(';\n'),
  )
  return database
}

const tablesOfAll = `select schemaname as schema, tablename as name from pg_tables
  where schemaname not in ('pg_catalog', 'information_schema')`

/** Remembers what the schema lays into its tables. */
async function noteLaid(database: Database): Promise<void> {
  if (laid) return
  const { rows } = await database.pool.query<{ schema: string; name: string }>(tablesOfAll)
  const found = new Map<string, string>()
  for (const { name } of rows.filter((one) => !one.name.startsWith('kysely_'))) {
    const { rows: kept } = await database.pool.query<{ json: string | null }>(
      `select json_agg(t)::text as json from "${name}" t`,
    )
    if (kept[0]?.json) found.set(name, kept[0].json)
  }
  laid = found
}

/** Roles are shared by the databases of a server, so two first migrations can meet there. */
async function migrateOnce(database: Database): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await migrate(database)
      return
    } catch (error) {
      const { code } = error as { code?: string }
      const isMeeting = code === '23505' || code === 'XX000' || code === '42710'
      if (!isMeeting || attempt === 20) throw error
    }
  }
}

async function fromImage(): Promise<Database> {
  const path = `${schemaImage()}.tar`
  if (existsSync(path)) {
    const copy = await openInMemory(new Blob([readFileSync(path)]))
    await noteLaid(copy)
    return copy
  }
  const database = await openInMemory(new Blob([zstdDecompressSync(readFileSync(imageFile))]))
  await migrate(database)
  const image = await database.dump()
  const own = `${path}.${randomBytes(6).toString('hex')}`
  writeFileSync(own, Buffer.from(await image.arrayBuffer()))
  renameSync(own, path)
  await noteLaid(database)
  return database
}

/** Path prefix of the images of the current schema, created by the first test. */
export function schemaImage(): string {
  const folder = join(tmpdir(), 'liquidity-test-images')
  mkdirSync(folder, { recursive: true })
  return join(folder, H('test-image', { imageRelease, migrations }).slice(2, 18))
}
