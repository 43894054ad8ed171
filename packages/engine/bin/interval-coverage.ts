import {
  coverageOfLooks,
  coverageOfMeans,
  coverageOfPassages,
  coverageOfScores,
  coverageOfShares,
  coverageOfTails,
  coverageTable,
} from '../test/interval-coverage.ts'

/**
 * Prints the coverage of the engine's intervals on known distributions, with fixed seeds. This is
 * the table of `docs/methodology/statistics.md`. Takes two minutes.
 *
 *     node packages/engine/bin/interval-coverage.ts
 */
const rows = [
  ...coverageOfShares(4000),
  ...coverageOfPassages(4000),
  ...coverageOfMeans(4000),
  ...coverageOfLooks(1000),
  ...coverageOfTails(500),
  ...coverageOfScores(400),
]
process.stdout.write(`${coverageTable(rows)}\n`)
