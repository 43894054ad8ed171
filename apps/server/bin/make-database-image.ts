import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, zstdCompressSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { imageFile, imageRelease } from '../src/store/database/fresh-directory.ts'

/**
 * Creates the image of a fresh data directory: the files that the installed PGlite writes at its
 * first start. Omits the two template databases.
 *
 *     node apps/server/bin/make-database-image.ts
 */
const installed = JSON.parse(
  readFileSync(
    fileURLToPath(import.meta.resolve('@electric-sql/pglite')).replace(/dist.*/, 'package.json'),
    'utf8',
  ),
) as { version: string }
if (installed.version !== imageRelease) {
  throw new Error(`PGlite ${installed.version} is installed; imageRelease says ${imageRelease}.`)
}
const directory = mkdtempSync(join(tmpdir(), 'liquidity-image-'))
const lite = await PGlite.create({ dataDir: directory })
// Template databases are unused, yet make up two thirds of the files written at a first start.
await lite.exec('update pg_database set datistemplate = false')
for (const template of ['template0', 'template1']) await lite.exec(`drop database ${template}`)
await lite.exec('checkpoint')
const tar = Buffer.from(await (await lite.dumpDataDir('none')).arrayBuffer())
await lite.close()
rmSync(directory, { recursive: true })
// Unpacked at every first start, packed once: the slowest level of the format that unpacks the fastest.
const image = zstdCompressSync(tar, {
  params: { [constants.ZSTD_c_compressionLevel]: 22, [constants.ZSTD_c_windowLog]: 24 },
})
mkdirSync(new URL('.', imageFile), { recursive: true })
writeFileSync(imageFile, image)
process.stdout.write(`${fileURLToPath(imageFile)}: ${tar.length} bytes in ${image.length}\n`)
