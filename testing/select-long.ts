import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findBaseCommit } from './base-commit.ts'
import { isLong } from './tiers.ts'

/**
 * Chooses the long test files that a landing runs: every file that covers a part of the change, and one of
 * `rotation` shares of the rest. The hash of the commit picks the share, so each file runs in every sixth
 * landing on average, and the same commit always runs the same files.
 */

const rotation = 6
const root = join(import.meta.dirname, '..')

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
 * What a test covers: itself, the paths of its `// @covers` lines, and for a test beside the code its package,
 * its family, or its folder.
 */
function readCovers(path: string): string[] {
  const source = readFileSync(join(root, path), 'utf8')
  const declared = [...source.matchAll(/^\/\/ @covers (.+)$/gm)].flatMap(([, paths = '']) =>
    paths.trim().split(/\s+/),
  )
  return [path, ...declared, ...findOwnFolder(path)]
}

function findOwnFolder(path: string): string[] {
  const family = /^apps\/server\/src\/families\/[^/]+\/[^/]+/.exec(path)
  if (family) return [family[0]]
  const inPackage = /^packages\/[^/]+/.exec(path)
  if (inPackage) return [inPackage[0]]
  return path.startsWith('apps/server/test/') ? [] : [dirname(path)]
}

/** The files that a landing runs for these changed paths and this commit. */
export function selectLong(
  files: readonly LongFile[],
  changed: readonly string[],
  commit: string,
): string[] {
  const isTouched = ({ covers }: LongFile) =>
    changed.some((path) => covers.some((part) => path === part || path.startsWith(`${part}/`)))
  const share = hashNumber(commit) % rotation
  return files
    .filter((file) => isTouched(file) || hashNumber(`${commit} ${file.path}`) % rotation === share)
    .map(({ path }) => path)
}

/** A number below 2³² that depends on every bit of the text. */
export const hashNumber = (text: string): number =>
  createHash('sha256').update(text).digest().readUInt32BE(0)

/** The hash of the commit that is checked out. */
export const readCommit = (): string => git('rev-parse', 'HEAD')

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

if (import.meta.main) {
  const files = findLongFiles()
  const base = process.env.BASE || findBaseCommit()
  const changed = base === null ? null : git('diff', '--name-only', base, 'HEAD').split('\n')
  const selected = changed
    ? selectLong(files, changed, readCommit())
    : files.map(({ path }) => path)
  console.error(
    `${selected.length} of ${files.length} long files: what ${base?.slice(0, 8) ?? 'a new repository'}..HEAD touches, and one of ${rotation} shares of the rest.`,
  )
  console.log(selected.join('\n'))
}
