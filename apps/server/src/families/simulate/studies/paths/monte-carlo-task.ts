import { type MonteCarloData, monteCarloSpec, runPaths } from '@liquidity-os/engine/montecarlo'
import { outcomesOf, type PathPart, partOf } from './path-part.ts'
import { runInPoolDomain } from './pool-domain.ts'

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
 * @throws RangeError if a path leaves the domain of the pool
 */
export default function runMonteCarloTask(task: MonteCarloTask): PathPart {
  return runInPoolDomain(() => runTask(task))
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
