export type { SlippageSummary } from '../src/montecarlo/aggregate.ts'
export {
  type AggregateTerms,
  type ArmStatistics,
  aggregate,
  type DepthSummary,
  judgeStop,
  type RiskFigures,
  type StudyStatistics,
} from '../src/montecarlo/aggregate.ts'
export type { ActionCounts, ArmDesk } from '../src/montecarlo/arm-desk.ts'
export type { ArmSamples } from '../src/montecarlo/arm-recorder.ts'
export {
  fullRangeArm,
  holdArm,
  inventoryFor,
  type MonteCarloArm,
  rangeArm,
  rebalancingArm,
  type StepView,
} from '../src/montecarlo/arms.ts'
export {
  type BandSeries,
  type BandVolatility,
  type SignaturePoint,
  signaturePlot,
} from '../src/montecarlo/band-two-scale.ts'
export {
  type Calibration,
  type CalibrationRefusal,
  type ClassifiedSwap,
  calibrate,
  classifySwaps,
  type ObservedSwap,
  type ReturnSeries,
} from '../src/montecarlo/calibrate.ts'
export { estimatePaths, pathEstimate } from '../src/montecarlo/estimator/estimator.ts'
export type { EstimatorTerms, PathEstimate } from '../src/montecarlo/estimator/terms.ts'
export type { FailureRule } from '../src/montecarlo/failure.ts'
export type { NoiseFlow, OtherLps } from '../src/montecarlo/flow-draws.ts'
export { type BaseFeeProcess, FREE_GAS, type GasModel, gasAlong } from '../src/montecarlo/gas.ts'
export { type ActionKind, gasTable } from '../src/montecarlo/gas-table.ts'
export type { MarketSession, PlannedSwap, TickRange } from '../src/montecarlo/market-session.ts'
export {
  benchmarkArmIds,
  type MonteCarloData,
  monteCarloSpec,
} from '../src/montecarlo/monte-carlo-data.ts'
export type { MonteCarloSpec } from '../src/montecarlo/monte-carlo-spec.ts'
export {
  aggregateTerms,
  type Breakeven,
  findBreakeven,
  netVsHoldByArm,
  runMonteCarlo,
  runPaths,
  runPathsReadably,
  scaled,
} from '../src/montecarlo/monte-carlo-study.ts'
export { openSession, UnsupportedMarketError } from '../src/montecarlo/open-session.ts'
export { type OpeningPositions, openingPositions } from '../src/montecarlo/opening-positions.ts'
export {
  type ArmFigures,
  figuresByArm,
  type PathFigure,
  pathFigures,
} from '../src/montecarlo/path-figures.ts'
export {
  type BlockBootstrapModel,
  type GbmModel,
  generateMarketPath,
  generatePath,
  type JumpDiffusionModel,
  type MarketPath,
  type PriceModel,
} from '../src/montecarlo/price-model.ts'
export type { Estimate } from '../src/montecarlo/realized-volatility.ts'
export {
  type ReferenceVolatility,
  referenceVolatility,
} from '../src/montecarlo/reference-volatility.ts'
export {
  type ArmOutcome,
  type FlowTotals,
  type PathRun,
  type RunConfig,
  runPath,
} from '../src/montecarlo/run-path.ts'
export {
  crash50In24h,
  type ForcedSale,
  lpExit80,
  quoteDepeg5,
  type Scenario,
  type ScenarioPoint,
  unlockSell,
  volumeX10,
} from '../src/montecarlo/scenario.ts'
export type { RecoverySummary } from '../src/montecarlo/summarize-measures.ts'
