import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { hashNumber, isTouched, readLanding } from './changed-paths.ts'
import { readDeclaredCovers } from './select-long.ts'

/**
 * Chooses what a landing looks at in a browser: the families and the test files that cover a part of the change, and a third of
 * the others. The hash of the commit picks the third, so the same commit always looks at the same ones.
 */

const rotation = 3
const root = join(import.meta.dirname, '..')
const browserTests = 'apps/server/test/browser'
/** It opens pages of every chosen family, so it always runs. */
const familyPages = `${browserTests}/console.test.ts`

export interface Part {
  readonly name: string
  /** Folders and files whose change touches it, as paths from the root. */
  readonly covers: readonly string[]
}

/** @param changed null to choose every part */
export function selectParts(
  parts: readonly Part[],
  { commit, changed }: { commit: string; changed: readonly string[] | null },
): string[] {
  const share = hashNumber(commit) % rotation
  return parts
    .filter(
      ({ name, covers }) =>
        changed === null ||
        covers.some((part) => isTouched(part, changed)) ||
        hashNumber(`${commit} ${name}`) % rotation === share,
    )
    .map(({ name }) => name)
}

/**
 * The sources of a family: each folder of the server and each file of the contract that names one of its operations.
 *
 * @param operations ids of operations by the name of their family
 */
export function findFamilies(operations: ReadonlyMap<string, readonly string[]>): Part[] {
  const places = [
    ...globSync('apps/server/src/families/*/*/**/*.ts', { cwd: root }).map((file) => ({
      file,
      place: /^apps\/server\/src\/families\/[^/]+\/[^/]+/.exec(file)?.[0] ?? file,
    })),
    ...globSync('packages/contract/src/*/*.ts', { cwd: root })
      .filter((file) => basename(dirname(file)) !== 'generated')
      .map((file) => ({ file, place: file })),
  ].map(({ file, place }) => ({
    place,
    words: new Set(readFileSync(join(root, file), 'utf8').match(/\w+/g)),
  }))
  return [...operations].map(([name, ids]) => {
    const own = places.filter(({ words }) => ids.some((id) => words.has(id)))
    return { name, covers: [...new Set(own.map(({ place }) => place))].sort() }
  })
}

/** The test files of the browser and what they cover: themselves, and the paths of their `// @covers` lines. */
export const findBrowserFiles = (): Part[] =>
  globSync(`${browserTests}/*.test.ts`, { cwd: root })
    .sort()
    .map((path) => ({ name: path, covers: [path, ...readDeclaredCovers(join(root, path))] }))

if (import.meta.main) {
  const files = findBrowserFiles()
  const chosen = new Set([familyPages, ...selectParts(files, readLanding())])
  const left = files.filter(({ name }) => !chosen.has(name))
  process.stderr.write(
    `${chosen.size} of ${files.length} browser files. \`npm run test:e2e -- --mode long\` runs all, on every family. Waiting for their turn (${left.length}):\n${left.map(({ name }) => `  ${name}\n`).join('')}`,
  )
  console.log([...chosen].join('\n'))
}
