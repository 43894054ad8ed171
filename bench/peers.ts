import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const peers = fileURLToPath(new URL('.peers/', import.meta.url))

/**
 * Installs a package that only a benchmark compares with, into a folder of its own that git ignores, at the
 * first run that needs it.
 *
 * @returns loads that package, or what it depends on itself
 */
export async function installPeer(name: string, version: string): Promise<NodeJS.Require> {
  // One folder per package: npm removes packages that the manifest in the folder does not name.
  const folder = `${peers}${name.replace('/', '-')}/`
  const manifest = `${folder}node_modules/${name}/package.json`
  const isThere =
    existsSync(manifest) &&
    (createRequire(manifest)(manifest) as { version: string }).version === version
  if (!isThere) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(`${folder}package.json`, '{"private":true}\n')
    const wanted = ['install', '--no-audit', '--no-fund', '--ignore-scripts', `${name}@${version}`]
    await promisify(execFile)('npm', wanted, { cwd: folder, timeout: 180_000 })
  }
  return createRequire(manifest)
}
