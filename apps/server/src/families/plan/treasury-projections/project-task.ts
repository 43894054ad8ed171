import {
  type LineSensitivity,
  lineSensitivity,
  type PathTerms,
  type ProjectedScenario,
  projectScenario,
  type ScenarioProjection,
  type TreasuryPaths,
  type TreasuryTerms,
  treasuryPaths,
} from '@liquidity-os/engine/treasury'

/** What a thread projects. */
export interface ProjectionTask {
  readonly terms: TreasuryTerms
  readonly scenarios: readonly ProjectedScenario[]
  /** The base of the assumptions, by which lines are varied and paths are drawn. */
  readonly base: ProjectedScenario
  readonly paths: PathTerms | null
}

export interface ProjectionResult {
  readonly scenarios: readonly ScenarioProjection[]
  readonly sensitivity: readonly LineSensitivity[]
  readonly simulation: TreasuryPaths | null
}

/** Projects a treasury. Whichever thread does, the figures are the same. */
export default ({ terms, scenarios, base, paths }: ProjectionTask): ProjectionResult => ({
  scenarios: scenarios.map((scenario) => projectScenario(terms, scenario)),
  sensitivity: lineSensitivity(terms, base),
  simulation: paths && treasuryPaths(terms, base, paths),
})
