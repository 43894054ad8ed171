import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, zstdCompressSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { imageFile, imageRelease } from '../src/database/fresh-directory.ts'

/**
 * Makes the image of a fresh data directory: what the installed PGlite itself writes at its first start.
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
