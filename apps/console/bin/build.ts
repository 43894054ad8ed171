import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const stamp = join(root, 'apps/console/dist/made-of')

/** Everything whose change makes the built console stale. */
const sources = [
  'package-lock.json',
  'apps/console/{bin,declarations,src}/**/*.*',
  'apps/console/index.html',
  'packages/{contract,client,drawing,evidence}/src/**/*.{ts,json}',
]

/**
 * Modification times and sizes suffice: the stamp is no security control, and every start reads it.
 */
function printSources(): string {
  const files = globSync(sources, { cwd: root }).sort()
  const hash = createHash('sha256')
  for (const file of files) {
    const { mtimeMs, size } = statSync(join(root, file))
    hash.update(`${file} ${mtimeMs} ${size}\n`)
  }
  return hash.digest('hex')
}

/**
 * Builds the console into `apps/console/dist` if it is missing or its sources changed. Takes about
 * 2 s. If the build tools are not installed, as in production, the service serves the existing
 * build.
 */
export async function buildWhenStale(): Promise<void> {
  const made = printSources()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === made) return
  const builder = await import('./make.ts').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return null
    throw error
  })
  if (builder === null) {
    process.stderr.write(
      'The console is not built: its tools are not installed (npm ci installs them).\n',
    )
    return
  }
  rmSync(stamp, { force: true })
  await builder.makeConsole()
  writeFileSync(stamp, made)
}
