import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { hashNumber, isTouched, readLanding } from './changed-paths.ts'
import { fillBudget } from './fill-budget.ts'
import { isLong } from './tiers.ts'

/**
 * Chooses the long test files that a landing runs within a budget: the files whose own text changed, then the files that
 * cover a part of the change, the closest first, then the rest. Files of the same distance come in the order of a hash of the
 * commit, so the same commit always runs the same files.
 */

/** CPU seconds of a landing's long files on the reference machine. Changed files always run, beyond the budget too. */
const budgetSeconds = 150
/** The cost of a file that `long-costs.json` does not have yet. */
const unmeasuredSeconds = 30
const root = join(import.meta.dirname, '..')

/** CPU seconds by path, as `print-long-costs.ts` writes them. */
export type LongCosts = Readonly<Record<string, number>>

export const costsFile = join(import.meta.dirname, 'long-costs.json')

export interface LongFile {
  /** Path from the root of the repository. */
  readonly path: string
  /** Folders and files that the test covers, as paths from the root. */
  readonly covers: readonly string[]
}

/** The long files of the repository and what they cover. */
export function findLongFiles(): LongFile[] {
  return globSync('{packages,apps,bench,trust,testing}/**/*.test.ts', {
    cwd: root,
    exclude: ['**/node_modules/**', 'apps/*/test/browser/**'],
  })
    .filter((path) => isLong(join(root, path)))
    .sort()
    .map((path) => ({ path, covers: readCovers(path) }))
}

/**
 * What a test covers: itself, the paths of its `// @covers` lines, and for a test beside the code its folder, and its family or
 * its package.
 */
function readCovers(path: string): string[] {
  return [path, ...readDeclaredCovers(join(root, path)), ...findOwnFolder(path)]
}

/** The paths of the `// @covers` lines of a test file. */
export const readDeclaredCovers = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^\/\/ @covers (.+)$/gm)].flatMap(([, paths = '']) =>
    paths.trim().split(/\s+/),
  )

function findOwnFolder(path: string): string[] {
  const family = /^apps\/server\/src\/families\/[^/]+\/[^/]+/.exec(path)
  if (family) return [family[0]]
  const inPackage = /^packages\/[^/]+/.exec(path)
  if (inPackage) return [dirname(path), inPackage[0]]
  return path.startsWith('apps/server/test/') ? [] : [dirname(path)]
}

/** How close a file is to a change, the closest first. */
const distances = ['ITSELF', 'FAMILY', 'PACKAGE', 'UNTOUCHED'] as const
type Distance = (typeof distances)[number]

/** A whole package, the sources of one, or a folder at the root. */
const isWholePackage = (part: string) => /^(?:packages|apps)\/[^/]+(?:\/src)?$|^[^/]+$/.test(part)

function distanceOf({ path, covers }: LongFile, changed: readonly string[]): Distance {
  if (changed.includes(path)) return 'ITSELF'
  const touched = covers.filter((part) => isTouched(part, changed))
  if (touched.length === 0) return 'UNTOUCHED'
  return touched.every(isWholePackage) ? 'PACKAGE' : 'FAMILY'
}

export interface LongChoice {
  /** Paths in the order of their choice. */
  readonly chosen: readonly string[]
  /** Files that cover a part of the change and do not run, because the budget is full. */
  readonly waiting: readonly string[]
  /** The other files, which their turn has not reached. */
  readonly resting: readonly string[]
  /** Expected CPU seconds of the chosen files. */
  readonly seconds: number
}

/** The files that a landing runs for these changed paths and this commit. */
export function selectLong(
  files: readonly LongFile[],
  { commit, changed }: { commit: string; changed: readonly string[] },
  { costs, budget = budgetSeconds }: { costs: LongCosts; budget?: number },
): LongChoice {
  const ordered = files
    .map((file) => {
      const { path } = file
      const distance = distanceOf(file, changed)
      return {
        path,
        distance,
        seconds: costs[path] ?? unmeasuredSeconds,
        place: distances.indexOf(distance),
        turn: hashNumber(`${commit} ${path}`),
      }
    })
    .sort((a, b) => a.place - b.place || a.turn - b.turn)
  const own = ordered.filter(({ distance }) => distance === 'ITSELF')
  const others = ordered.filter(({ distance }) => distance !== 'ITSELF')
  const ownSeconds = own.reduce((sum, { seconds }) => sum + seconds, 0)
  const { chosen, left, seconds } = fillBudget(others, budget - ownSeconds)
  const pathsOf = (kept: typeof ordered) => kept.map(({ path }) => path)
  return {
    chosen: pathsOf([...own, ...chosen]),
    waiting: pathsOf(left.filter(({ distance }) => distance !== 'UNTOUCHED')),
    resting: pathsOf(left.filter(({ distance }) => distance === 'UNTOUCHED')),
    seconds: ownSeconds + seconds,
  }
}

export const readCosts = (): LongCosts => JSON.parse(readFileSync(costsFile, 'utf8'))

const listOf = (paths: readonly string[]) => paths.map((path) => `  ${path}\n`).join('')

if (import.meta.main) {
  const files = findLongFiles()
  const { commit, base, changed } = readLanding()
  if (changed === null) {
    process.stderr.write(
      `The repository has no earlier commit: all ${files.length} long files run.\n`,
    )
    console.log(files.map(({ path }) => path).join('\n'))
  } else {
    const { chosen, waiting, resting, seconds } = selectLong(
      files,
      { commit, changed },
      { costs: readCosts() },
    )
    process.stderr.write(
      `${chosen.length} of ${files.length} long files for ${base?.slice(0, 8)}..${commit.slice(0, 8)}, about ${Math.round(seconds)} CPU seconds of ${budgetSeconds}. \`npm run test:long\` runs all.\n` +
        `Touched by the change and waiting for it (${waiting.length}):\n${listOf(waiting)}` +
        `Waiting for their turn (${resting.length}):\n${listOf(resting)}`,
    )
    console.log(chosen.join('\n'))
  }
}
