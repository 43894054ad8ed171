import { mkdirSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { limits } from '../../limits.ts'
import { Database } from './database.ts'
import { lockDirectory } from './directory-lock.ts'
import { EmbeddedDatabase, EmbeddedSocket } from './embedded.ts'
import { fillFreshDirectory } from './fresh-directory.ts'

// Every value arrives as text: int8 and numeric have no exact JavaScript number, and times are printed in SQL.
const asText = { getTypeParser: () => (value: string) => value }

/** Connects to PostgreSQL by URL. Connections are opened when they are needed. */
export function connectPostgres(url: string, applicationName: string): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: limits.databaseConnections,
    connectionTimeoutMillis: limits.databaseConnectMilliseconds,
    query_timeout: limits.databaseQueryMilliseconds,
    // Slightly shorter than the client timeout, so the server stops abandoned queries.
    statement_timeout: limits.databaseStatementMilliseconds,
    application_name: applicationName,
    types: asText as never,
  })
  surviveDeaths(pool)
  return new Database('postgres', pool, () => pool.end())
}

/**
 * A dying connection must not end the process, whether idle or in use: the query fails and the next
 * one reconnects. A stopping server may even report it in the ready packet, before the caller has
 * the connection.
 */
function surviveDeaths(pool: pg.Pool): void {
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
}

/** Response for a process that connects to the socket of the directory. */
export type Converse = (database: Database, socket: Socket) => void

/**
 * Opens the embedded database in a directory, which one process owns at a time.
 *
 * It survives a killed process. It does not survive a power loss, because it never flushes to disk.
 *
 * @param converse serves processes on the lock socket, such as the CLI
 * @throws DirectoryInUseError if another process owns the directory
 */
export async function openEmbedded(directory: string, converse?: Converse): Promise<Database> {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, 'database')
  // Sessions that arrive before the database is open wait for it.
  const opened = Promise.withResolvers<Database>()
  const unlock = await lockDirectory(path, (socket) => {
    socket.on('error', () => {})
    if (converse)
      opened.promise.then(
        (database) => converse(database, socket),
        () => socket.destroy(),
      )
    else socket.destroy()
  })
  const database = await embedded(path, unlock)
  opened.resolve(database)
  return database
}

const inMemory = 'memory://'

/** Opens an embedded database that lives in memory, optionally from a dumped image. */
export function openInMemory(image?: Blob): Promise<Database> {
  return embedded(inMemory, () => {}, image)
}

async function embedded(dataDir: string, unlock: () => void, image?: Blob): Promise<Database> {
  const lite = new EmbeddedDatabase()
  try {
    if (dataDir !== inMemory) await fillFreshDirectory(dataDir)
    await lite.open(dataDir, image ?? null)
  } catch (cause) {
    await lite.close()
    unlock()
    throw cause
  }
  const pool = new pg.Pool({
    stream: () => new EmbeddedSocket(lite),
    ssl: false,
    user: 'postgres',
    database: 'postgres',
    max: 1,
    connectionTimeoutMillis: limits.databaseQueryMilliseconds,
    types: asText as never,
  })
  surviveDeaths(pool)
  return new Database(
    'embedded',
    pool,
    async () => {
      // Connections of a hanging database never end on their own.
      await Promise.race([
        pool.end(),
        sleep(limits.databaseCloseMilliseconds, undefined, { ref: false }),
      ])
      await lite.close()
      unlock()
    },
    () => lite.dump(),
    (bytes) => lite.reserve(bytes),
  )
}
