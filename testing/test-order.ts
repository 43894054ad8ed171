import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const longMilliseconds = 10_000

/**
 * Runs the services first, then the unit tests. In each project the long files come first, longest first, and
 * the others in the order of the seed. A long file that starts last would keep one worker busy alone, and a
 * worker only continues with files of its own project, so each project must be contiguous.
 */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence
    // The runner prints the seed only for its built-in orders.
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

  /** The duration of the last run from the runner's cache; without one, a millisecond per byte of source. */
  #expected(file: TestSpecification): number {
    const last = this.ctx.cache.getTestSpecificationResult(file)?.duration
    return last || statSync(file.moduleId).size
  }
}
