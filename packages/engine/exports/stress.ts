export {
  type ExecutionPlan,
  type ExecutionTerms,
  executionPlan,
  riskAversionFor,
} from '../src/stress/almgren-chriss.ts'
export {
  betasOn,
  exponentialCovariance,
  floorCorrelation,
  type Matrix,
  shrinkToDiagonal,
} from '../src/stress/covariance.ts'
export {
  type Coverage,
  DEFAULT_HAIRCUT_PIPS,
  liquidityCoverage,
  type Tiers,
  type TierValue,
} from '../src/stress/coverage.ts'
export {
  type Leg,
  type LegObservations,
  type MarkedAsset,
  type MarkedPrice,
  markLegs,
  stressBetas,
} from '../src/stress/legs.ts'
export {
  type HorizonShortfall,
  horizonDaysOf,
  horizonShortfall,
} from '../src/stress/liquidity-horizons.ts'
export { type ReverseStress, reverseStress } from '../src/stress/reverse-stress.ts'
export {
  runScenario,
  type ScenarioOutcome,
  type StressAsset,
  type StressBooks,
  type StressObligation,
  type StressSale,
} from '../src/stress/run-scenario.ts'
export {
  type Liquidation,
  type LiquidationTerms,
  liquidate,
  pressure,
  squareRootImpact,
} from '../src/stress/square-root-impact.ts'
export {
  type FactorModel,
  LEAST_BOOTSTRAP_ROWS,
  type TreasuryLosses,
  type TreasuryPathTerms,
  treasuryLosses,
} from '../src/stress/treasury-paths.ts'
