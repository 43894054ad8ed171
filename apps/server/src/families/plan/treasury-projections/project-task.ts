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

/** What a thread projects. */
export interface ProjectionTask {
  readonly terms: TreasuryTerms
  /** The same with nothing but what is controlled; null where that is all of it. */
  readonly controlled: TreasuryTerms | null
  readonly scenarios: readonly ProjectedScenario[]
  /** The base of the assumptions, by which lines are varied and paths are drawn. */
  readonly base: ProjectedScenario
  readonly paths: PathTerms | null
  /** Steps that are taken at most; see `projectionWork`. */
  readonly maxSteps: number
}

export interface ProjectionResult {
  readonly scenarios: readonly ScenarioProjection[]
  /** Those of what is controlled, in the same order. */
  readonly controlled: readonly ScenarioProjection[]
  readonly sensitivity: readonly LineSensitivity[]
  readonly simulation: TreasuryPaths | null
  /** The same paths of what is controlled alone. */
  readonly controlledSimulation: TreasuryPaths | null
}

/** What is more than a thread takes on, and what it would be. */
export interface TooLarge {
  readonly tooLarge: ProjectionWork
}

/** Projects a treasury, or says that it is too large. Whichever thread does, the figures are the same. */
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
