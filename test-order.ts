import { createHash } from 'node:crypto'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take a minute and more, the longest first. Begun last, one of them would keep one worker busy
 * while the others have nothing left to do.
 */
const longest = [
  'documentation',
  'cli',
  'studies-resume',
  'anomalies-divergence',
  'studies-paths',
  'crash',
  'venue-backfill',
  'study-reports',
  'many-studies',
].map((name) => new RegExp(`/server/test/.*\\b${name}\\.test\\.ts$`))

/**
 * Long files, then the other services, then the unit tests; within each of them by the seed. Unit tests
 * share a process only with the one that is next in line, so between services each would start a new one.
 */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence
    // The runner tells the seed only of its own orders.
    console.log(`Files in the order of --sequence.seed=${seed}`)
    const keyed = files.map((file) => ({ file, place: placeOf(file), key: keyOf(file, seed) }))
    keyed.sort((a, b) => a.place - b.place || (a.key < b.key ? -1 : 1))
    return keyed.map(({ file }) => file)
  }
}

function placeOf({ moduleId, project }: TestSpecification): number {
  if (project.name === 'units') return longest.length + 1
  const place = longest.findIndex((pattern) => pattern.test(moduleId))
  return place < 0 ? longest.length : place
}

const keyOf = ({ moduleId }: TestSpecification, seed: number) =>
  createHash('sha256').update(`${seed} ${moduleId}`).digest('hex')
