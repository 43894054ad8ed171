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
export type { StressFlow, StressObligation } from '../src/stress/flows-after.ts'
export {
  type DailyReturns,
  type Leg,
  type LegObservations,
  type MarkedAsset,
  type MarkedPrice,
  markLegs,
  scaleLegs,
  stressBetas,
} from '../src/stress/legs.ts'
export {
  dayCostX18,
  type ExitedLot,
  type ExitLot,
  type ExitTerms,
  sellLots,
} from '../src/stress/liquidation.ts'
export {
  type HorizonShortfall,
  horizonDaysOf,
  horizonShortfall,
} from '../src/stress/liquidity-horizons.ts'
export {
  type ExitCost,
  type ExitVenue,
  exitDepth,
  poolExit,
  poolMove,
  type Withdrawal,
} from '../src/stress/pool-exit.ts'
export { type ReverseStress, reverseStress } from '../src/stress/reverse-stress.ts'
export {
  type Realised,
  runScenario,
  type ScenarioOutcome,
  type StressBooks,
  type StressHolding,
  type StressMarket,
  type StressSale,
  type UnsoldCause,
} from '../src/stress/run-scenario.ts'
export { pressure, squareRootImpact } from '../src/stress/square-root-impact.ts'
export {
  type FactorExposure,
  type FactorModel,
  LEAST_BOOTSTRAP_ROWS,
  type TreasuryLosses,
  type TreasuryPathTerms,
  treasuryLosses,
} from '../src/stress/treasury-paths.ts'
export { withdrawLiquidity } from '../src/stress/withdraw-liquidity.ts'
