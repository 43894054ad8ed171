import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Opens the embedded database in DATA_DIR, runs one query and ends: like the product, or like
 * PGlite.
 */
const directory = process.env.DATA_DIR ?? 'data'
mkdirSync(directory, { recursive: true })
if (process.argv[2] === 'initdb') {
  const { PGlite } = await import('@electric-sql/pglite')
  const lite = await PGlite.create({ dataDir: join(directory, 'database') })
  await lite.query('select 1')
} else {
  const { openEmbedded } = await import('../../apps/server/src/store/database/connect.ts')
  const database = await openEmbedded(directory)
  await database.pool.query('select 1')
}
process.stdout.write('{}\n')
process.on('SIGTERM', () => process.exit(0))
setInterval(() => {}, 60_000)
