import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { hashNumber, isTouched, readLanding } from './changed-paths.ts'
import { fillBudget } from './fill-budget.ts'
import { readDeclaredCovers } from './select-long.ts'

/**
 * Chooses what a landing opens in a browser: first the families and the test files that cover a part of the change, then
 * others, until a budget is full. The order depends on the hash of the commit, so the same commit always opens the same ones.
 */

/** A landing opens the pages of a third of the families. */
const familyShare = 3
/** Seconds of the browser files beside the one that always runs; two workers share them. */
const budgetSeconds = 200
/** The cost of a file that `browser-costs.json` does not have yet. */
const unmeasuredSeconds = 60
const root = join(import.meta.dirname, '..')
const browserTests = 'apps/server/test/browser'
/** It opens pages of every chosen family, so it always runs. */
const familyPages = `${browserTests}/console.test.ts`

export interface Part {
  readonly name: string
  /** Folders and files whose change touches it, as paths from the root. */
  readonly covers: readonly string[]
}

/** A landing: the hash of its commit, and its changed paths; null if every part counts as changed. */
interface Change {
  readonly commit: string
  readonly changed: readonly string[] | null
}

/** The parts that the change touches, then the others, both in the order of a hash of the commit. */
export function orderParts(parts: readonly Part[], { commit, changed }: Change): Part[] {
  const ranked = parts.map((part) => ({
    part,
    isTouched: changed === null || part.covers.some((path) => isTouched(path, changed)),
    turn: hashNumber(`${commit} ${part.name}`),
  }))
  ranked.sort((a, b) => Number(b.isTouched) - Number(a.isTouched) || a.turn - b.turn)
  return ranked.map(({ part }) => part)
}

/** The families whose pages a landing opens. */
export const selectFamilies = (families: readonly Part[], change: Change): string[] =>
  orderParts(families, change)
    .slice(0, Math.ceil(families.length / familyShare))
    .map(({ name }) => name)

/** Seconds of a worker by the path of a browser file, as the runner printed them on two idle cores. */
const readBrowserCosts = (): Readonly<Record<string, number>> =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'browser-costs.json'), 'utf8'))

/** The browser files that a landing runs beside the one that always runs, and those that wait. */
export function selectBrowserFiles(
  files: readonly Part[],
  change: Change,
  { costs = readBrowserCosts(), budget = budgetSeconds } = {},
): { chosen: string[]; left: string[] } {
  const ordered = orderParts(files, change)
    .filter(({ name }) => name !== familyPages)
    .map(({ name }) => ({ name, seconds: costs[name] ?? unmeasuredSeconds }))
  const { chosen, left } = fillBudget(ordered, budget)
  const namesOf = (kept: typeof ordered) => kept.map(({ name }) => name)
  return { chosen: namesOf(chosen), left: namesOf(left) }
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
  const { chosen, left } = selectBrowserFiles(findBrowserFiles(), readLanding())
  process.stderr.write(
    `${chosen.length + 1} browser files run. \`npm run test:e2e -- --mode long\` runs all, on every family. Waiting for their turn (${left.length}):\n${left.map((name) => `  ${name}\n`).join('')}`,
  )
  console.log([familyPages, ...chosen].join('\n'))
}
