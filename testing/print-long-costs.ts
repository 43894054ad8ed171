import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type FileCost, startUpSeconds, tableFile } from './cpu-reporter.ts'
import { costsFile, findLongFiles, type LongCosts, readCosts } from './select-long.ts'

/**
 * Writes what each long file cost in the last run of tests in this folder into `long-costs.json`: CPU seconds of the
 * reference machine. Files that did not run keep their cost, and files that are gone lose it.
 */

/**
 * @param known  costs until now
 * @param last   files of the last run
 * @param paths  long files that exist
 */
export function mergeCosts(
  known: LongCosts,
  last: readonly FileCost[],
  paths: readonly string[],
): LongCosts {
  const measured = new Map(last.map((cost) => [cost.path, secondsOf(cost)]))
  const costs: Record<string, number> = {}
  for (const path of paths.toSorted()) {
    const seconds = measured.get(path) ?? known[path]
    if (seconds !== undefined) costs[path] = seconds
  }
  return costs
}

/** Without the start of the worker, which the first of its files pays for. */
function secondsOf({ seconds, isFirstOfWorker, slowness }: FileCost): number {
  const own = seconds / slowness - (isFirstOfWorker ? startUpSeconds : 0)
  return Math.max(1, Math.round(own))
}

if (import.meta.main) {
  if (!existsSync(tableFile)) {
    process.stderr.write('No tests ran in this folder yet. Run `npm run test:long` first.\n')
    process.exit(1)
  }
  const last = readFileSync(tableFile, 'utf8').split('\n').filter(Boolean)
  const paths = findLongFiles().map(({ path }) => path)
  const costs = mergeCosts(
    readCosts(),
    last.map((line): FileCost => JSON.parse(line)),
    paths,
  )
  writeFileSync(costsFile, `${JSON.stringify(costs, null, 2)}\n`)
  const total = Object.values(costs).reduce((sum, seconds) => sum + seconds, 0)
  console.log(
    `${Object.keys(costs).length} of ${paths.length} long files have a cost: ${total} CPU seconds.`,
  )
}
