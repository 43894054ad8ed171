import {
  type LineSensitivity,
  lineSensitivity,
  type PathTerms,
  type ProjectedScenario,
  type ProjectionWork,
  projectionWork,
  projectScenario,
  type ScenarioProjection,
  type TreasuryPaths,
  type TreasuryTerms,
  treasuryPaths,
} from '@liquidity-os/engine/treasury'

export interface ProjectionTask {
  readonly terms: TreasuryTerms
  /** The same with controlled holdings only; null if all holdings are controlled. */
  readonly controlled: TreasuryTerms | null
  readonly scenarios: readonly ProjectedScenario[]
  /** Base scenario of the assumptions, for line sensitivity and simulated paths. */
  readonly base: ProjectedScenario
  readonly paths: PathTerms | null
  /** Maximum number of steps; see `projectionWork`. */
  readonly maxSteps: number
}

export interface ProjectionResult {
  readonly scenarios: readonly ScenarioProjection[]
  /** Results with controlled holdings only, in the same order. */
  readonly controlled: readonly ScenarioProjection[]
  readonly sensitivity: readonly LineSensitivity[]
  readonly simulation: TreasuryPaths | null
  /** The same paths with controlled holdings only. */
  readonly controlledSimulation: TreasuryPaths | null
}

/** Estimated work that exceeds the limit of a thread. */
export interface TooLarge {
  readonly tooLarge: ProjectionWork
}

/** Projects a treasury, or reports that it is too large. The result is the same in every thread. */
export default (task: ProjectionTask): ProjectionResult | TooLarge => {
  const { terms, controlled, scenarios, base, paths, maxSteps } = task
  const courses = controlled ? 2 : 1
  const { steps, stepsOfPath: ofCourse } = projectionWork(terms, base, scenarios.length * courses)
  const stepsOfPath = ofCourse * courses
  if (steps + stepsOfPath * (paths?.paths ?? 0) > maxSteps) {
    return { tooLarge: { steps, stepsOfPath } }
  }
  const whole = scenarios.map((scenario) => projectScenario(terms, scenario))
  const simulation = paths && treasuryPaths(terms, base, paths)
  return {
    scenarios: whole,
    controlled:
      controlled === null ? whole : scenarios.map((one) => projectScenario(controlled, one)),
    sensitivity: lineSensitivity(terms, base),
    simulation,
    controlledSimulation: paths && controlled ? treasuryPaths(controlled, base, paths) : simulation,
  }
}
