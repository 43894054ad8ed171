import { type MonteCarloData, monteCarloSpec, runPaths } from '@liquidity-os/engine/montecarlo'
import { outcomesOf, type PathPart, partOf } from './path-part.ts'

/** Some paths of a study, as they travel to a thread. */
export interface MonteCarloTask {
  data: MonteCarloData
  /** First path, and the one after the last. */
  from: number
  to: number
  known?: KnownOutcomes
}

/** What arms came to on the same paths in an earlier study. */
export interface KnownOutcomes extends Pick<PathPart, 'encoded'> {
  /** For each arm of this study its place among those of the earlier one; null where it must be run. */
  places: readonly (number | null)[]
}

/** Runs some paths. Pure: whichever thread runs them, and whatever of them was known before, the outcomes are the same. */
export default function runMonteCarloTask({ data, from, to, known }: MonteCarloTask): PathPart {
  const spec = monteCarloSpec(data)
  if (!known) return partOf(runPaths(spec, from, to))
  const { places } = known
  const missing = () => spec.arms().filter((_, index) => places[index] === null)
  const made = missing().length === 0 ? [] : runPaths({ ...spec, arms: missing }, from, to)
  return partOf(
    outcomesOf(known).map((earlier, path) => {
      const own = (made[path] ?? []).values()
      // Each place is that of an arm of the earlier study, and each null that of one that was run.
      return places.map((place) => (place === null ? own.next().value! : earlier[place]!))
    }),
  )
}
