import { PoolRevertError } from '@liquidity-os/engine/amm'
import { type MonteCarloData, monteCarloSpec, runPaths } from '@liquidity-os/engine/montecarlo'
import { outcomesOf, type PathPart, partOf } from './path-part.ts'

/** Paths of a study, for a thread. */
export interface MonteCarloTask {
  data: MonteCarloData
  /** First path, and the path after the last. */
  from: number
  to: number
  known?: KnownOutcomes
}

/** Arm outcomes on the same paths from an earlier study. */
export interface KnownOutcomes extends Pick<PathPart, 'encoded'> {
  /** Index in the earlier study for each arm of the current one; null if it must run. */
  places: readonly (number | null)[]
}

/**
 * Runs some paths. Pure: the outcomes do not depend on the thread or on reused outcomes.
 *
 * @throws RangeError if a path leads to a state that the pool cannot compute, such as a StableSwap
 * pool with almost none of one coin. Custom error classes do not survive the thread boundary.
 */
export default function runMonteCarloTask(task: MonteCarloTask): PathPart {
  try {
    return runTask(task)
  } catch (error) {
    if (!(error instanceof PoolRevertError)) throw error
    throw new RangeError(`a path leads to a state in which ${error.message}`)
  }
}

function runTask({ data, from, to, known }: MonteCarloTask): PathPart {
  const spec = monteCarloSpec(data)
  if (!known) return partOf(runPaths(spec, from, to))
  const { places } = known
  const missing = () => spec.arms().filter((_, index) => places[index] === null)
  const made = missing().length === 0 ? [] : runPaths({ ...spec, arms: missing }, from, to)
  return partOf(
    outcomesOf(known).map((earlier, path) => {
      const own = (made[path] ?? []).values()
      // A number is the index of an arm in the earlier study; null marks a newly run arm.
      return places.map((itemIndex) =>
        itemIndex === null ? own.next().value! : earlier[itemIndex]!,
      )
    }),
  )
}
