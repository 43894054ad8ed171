import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const longMilliseconds = 10_000

/**
 * Services, then the unit tests; of each the long files first, the longest before all, and the rest by the
 * seed. Begun last, a long file would keep one worker busy while the others have nothing left to do; and a
 * worker is handed on only to the next file of its own project, so that each project is one row of files.
 */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence
    // The runner tells the seed only of its own orders.
    console.log(`Files in the order of --sequence.seed=${seed}`)
    const keyed = files.map((file) => {
      const milliseconds = this.#expected(file)
      return {
        file,
        project: file.project.name === 'units' ? 1 : 0,
        milliseconds: milliseconds < longMilliseconds ? 0 : milliseconds,
        key: createHash('sha256').update(`${seed} ${file.moduleId}`).digest('hex'),
      }
    })
    keyed.sort(
      (a, b) =>
        a.project - b.project || b.milliseconds - a.milliseconds || (a.key < b.key ? -1 : 1),
    )
    return keyed.map(({ file }) => file)
  }

  /** What the file took the last time, as the runner has kept it; else a millisecond for each of its bytes. */
  #expected(file: TestSpecification): number {
    const last = this.ctx.cache.getTestSpecificationResult(file)?.duration
    return last || statSync(file.moduleId).size
  }
}
