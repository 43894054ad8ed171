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
  'packages/{contract,client,evidence}/src/**/*.{ts,json}',
]

/** Times and sizes are enough here: nothing is trusted to it, and it is read at every start. */
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
 * Builds the console into `apps/console/dist` where it is not there or its sources have changed since; some two seconds. Where
 * the tools are not installed, as in production, what was built before is served.
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
