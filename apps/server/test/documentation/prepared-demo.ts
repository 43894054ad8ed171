import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, startDemoProcess } from './demo-process.ts'
import { runAlone } from './run-alone.ts'

const cache = join(tmpdir(), 'liquidity-prepared-demo')

/** Everything that the first start of the demo depends on. */
const sources = [
  'bin/{demo,with-node}.js',
  'apps/{demo,server}/{src,package.json}',
  'packages/*/{src,exports,package.json}',
  'packages/contract/*.json',
  'datasets',
  'package-lock.json',
]

const hourMilliseconds = 3_600_000
/** The demo ends its records at the time of its first start, so the pages would read old records later on. */
const maxAgeMilliseconds = hourMilliseconds
const unusedMilliseconds = 24 * hourMilliseconds

/**
 * Copies the data directory of the demo's first start. The first start takes about twice as long as
 * a later one, so it runs once for all test files. Test files in several processes can call this
 * concurrently.
 *
 * @param target directory that does not exist yet
 * @returns output of the first start until it served
 */
export async function copyPreparedDemo(target: string): Promise<string> {
  mkdirSync(cache, { recursive: true, mode: 0o700 })
  const folder = join(cache, hashSources())
  return runAlone(`${folder}.lock`, async () => {
    if (!existsSync(folder) || ageOf(folder) > maxAgeMilliseconds) await prepare(folder)
    cpSync(join(folder, 'data'), target, { recursive: true })
    return readFileSync(join(folder, 'printed.txt'), 'utf8')
  })
}

/** Starts the demo and stops it when it serves. A folder that exists is complete. */
async function prepare(folder: string): Promise<void> {
  removeUnused()
  const building = mkdtempSync(`${folder}.`)
  try {
    const demo = await startDemoProcess({ DATA_DIR: join(building, 'data') })
    await demo.stop()
    writeFileSync(join(building, 'printed.txt'), demo.printed)
    rmSync(folder, { recursive: true, force: true })
    renameSync(building, folder)
  } finally {
    rmSync(building, { recursive: true, force: true })
  }
}

function hashSources(): string {
  const hash = createHash('sha256').update(process.version)
  for (const path of listSources().sort()) {
    const content = readFileSync(join(root, path))
    hash.update(`${path} ${content.length}\n`).update(content)
  }
  return hash.digest('hex').slice(0, 16)
}

function listSources(): string[] {
  return globSync(sources, { cwd: root }).flatMap((path) =>
    statSync(join(root, path)).isFile()
      ? path
      : readdirSync(join(root, path), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
          .map((entry) => join(entry.parentPath, entry.name).slice(root.length)),
  )
}

/** Removes what earlier sources left in the cache. */
function removeUnused(): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name)
    if (ageOf(path) > unusedMilliseconds) rmSync(path, { recursive: true, force: true })
  }
}

const ageOf = (path: string) => Date.now() - statSync(path).mtimeMs
