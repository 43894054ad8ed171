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
 * A database of its own for a test file: a fresh database on the server that DATABASE_URL names, else an
 * embedded one in memory, loaded from an image that is made once.
 */
export async function testDatabase(): Promise<{ database: Database; url: string | null }> {
  const server = process.env.DATABASE_URL
  if (!server) return { database: await fromImage(), url: null }
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
  if (existsSync(path)) return openInMemory(new Blob([readFileSync(path)]))
  const database = await openInMemory(new Blob([zstdDecompressSync(readFileSync(imageFile))]))
  await migrate(database)
  const image = await database.dump()
  const own = `${path}.${randomBytes(6).toString('hex')}`
  writeFileSync(own, Buffer.from(await image.arrayBuffer()))
  renameSync(own, path)
  return database
}

/** Where images of the schema of today lie, made by whoever comes first; without the end of the name. */
export function schemaImage(): string {
  const folder = join(tmpdir(), 'liquidity-test-images')
  mkdirSync(folder, { recursive: true })
  return join(folder, H('test-image', { imageRelease, migrations }).slice(2, 18))
}
