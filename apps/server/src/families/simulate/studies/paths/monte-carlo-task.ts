import { type MonteCarloData, monteCarloSpec, runPaths } from '@liquidity-os/engine/montecarlo'
import { type PathPart, partOf } from './path-part.ts'

/** Some paths of a study, as they travel to a thread. */
export interface MonteCarloTask {
  data: MonteCarloData
  /** First path, and the one after the last. */
  from: number
  to: number
}

/** Runs some paths. Pure: whichever thread runs them, the outcomes are the same. */
export default function runMonteCarloTask({ data, from, to }: MonteCarloTask): PathPart {
  return partOf(runPaths(monteCarloSpec(data), from, to))
}
