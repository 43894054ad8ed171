export {
  type AllocationStage,
  type AllocationTerms,
  buildAllocationModel,
  type OptionTerms,
  type RiskCut,
  slackOf,
  type TargetTerms,
} from './allocation/allocation-model.ts'
export {
  activeLiquidity,
  isActive,
  NotThereError,
  type PlacedRange,
  placementOf,
  withLiquidity,
} from './allocation/place-liquidity.ts'
export {
  diffusionLoss,
  drawPathPrices,
  type PathPrices,
  type PositionLosses,
  positionLosses,
} from './allocation/position-losses.ts'
export {
  type AllocationTarget,
  type CostLimit,
  commonMidOf,
  depthIn,
  largestWithin,
  type SizeWithin,
  sizeShare,
  slippageOver,
} from './allocation/quote-targets.ts'
export {
  assertTokens,
  type Dir,
  type LoggedMarket,
  type Market,
  type Orientation,
  type PoolMarket,
  type SwapOut,
  tokenCount,
} from './amm/market.ts'
export { type JsonSafe, marketToJson, toJsonSafe } from './amm/market-json.ts'
export { type BookLevel, type BookState, createBook } from './amm/order-book/state.ts'
export { PoolRevertError, type RevertReason } from './amm/pool-revert.ts'
export { rampAmplification, stopRamp, withdrawAdminFees } from './amm/stableswap/administration.ts'
export { exchangeStable, type StableExchange, viewGetDy } from './amm/stableswap/exchange.ts'
export { getD, getY, getYOfD } from './amm/stableswap/invariant.ts'
export {
  addStableLiquidity,
  invariantOf,
  removeStableImbalance,
  removeStableLiquidity,
  removeStableOneCoin,
  type StableLiquidityChange,
  viewCalcTokenAmount,
  viewCalcWithdrawOneCoin,
  viewVirtualPrice,
} from './amm/stableswap/liquidity.ts'
export {
  type AmplificationRamp,
  amplificationOf,
  createStablePool,
  FEE_DENOMINATOR,
  findStableFault,
  PRECISION,
  rateOfDecimals,
  type StableState,
  type StableVariant,
} from './amm/stableswap/state.ts'
export {
  burn,
  collect,
  type LiquidityChange,
  midPrice,
  mint,
  priceOrNull,
  swapExactIn,
  swapExactOut,
  swapToPrice,
} from './amm/swap.ts'
export { getAmountIn, getAmountOut } from './amm/v2/formulas.ts'
export {
  type CpmmState,
  createCpmmPair,
  LOCKED_ACCOUNT,
  PAIR_ACCOUNT,
  type PairFee,
  UNISWAP_V2_FEE,
} from './amm/v2/state.ts'
export { quoteBatch, SwapOutcomes, swapBatch } from './amm/v3/fast/batch.ts'
export { type ClmmSession, openClmmSession, type SwapOutcome } from './amm/v3/fast/session.ts'
export { liquidityForAmounts } from './amm/v3/liquidity-amounts.ts'
export type { CumulativesInside, OracleReading } from './amm/v3/oracle.ts'
export { observeOracle, readCumulativesInside } from './amm/v3/oracle-reading.ts'
export {
  type ClmmState,
  createClmmPool,
  type Observation,
  type PositionKey,
  type PositionState,
  type TickState,
} from './amm/v3/state.ts'
export type { SwapRequest } from './amm/v3/swap.ts'
export {
  MAX_SQRT_RATIO,
  MAX_TICK,
  MIN_SQRT_RATIO,
  MIN_TICK,
  maxLiquidityPerTickFor,
  sqrtRatioAtTick,
  tickAtSqrtRatio,
} from './amm/v3/tick-math.ts'
export { integerSquareRoot, type Rat } from './arithmetic/integer.ts'
export { shareOutPips } from './arithmetic/share-out.ts'
export {
  decomposeByPrices,
  type PricedFill,
  type PricedLeg,
} from './attribution/decompose-by-prices.ts'
export {
  decomposeFill,
  type Fill,
  type KnownFillCosts,
  opportunityCost,
  type SandwichEvidence,
} from './attribution/decompose-fill.ts'
export {
  averagePrice,
  branchSize,
  decomposeRoute,
  type FillTerms,
  legPrice,
  type RoutedFill,
  type RouteLeg,
  routePrice,
} from './attribution/decompose-route.ts'
export { pairBeforeSwap, poolFromEvents } from './attribution/event-state.ts'
export {
  COST_PARTS,
  type CostPart,
  type FillCosts,
  type OrderCosts,
  partsInPips,
  type ResidualPart,
  sumCosts,
} from './attribution/fill-costs.ts'
export {
  movePips,
  REVERSION_SECONDS,
  reversionOf,
  type SquareRootBenchmark,
  shareProRata,
  squareRootBenchmark,
} from './attribution/impact.ts'
export { marketWithout } from './attribution/market-without.ts'
export { branchesOf, type TokenSwap } from './attribution/route.ts'
export { type BlockSwap, findSandwiches, type Sandwich } from './attribution/sandwich.ts'
export { type BufferNeed, bufferNeed } from './capital/buffer.ts'
export {
  depthOfLiquidity,
  efficiencyPips,
  isNarrowerThan,
  liquidityForDepth,
  liquidityForDepths,
  type PriceRange,
  rangeInventory,
  wholeCurveInventory,
} from './capital/constant-product.ts'
export {
  type DepthCurvePoint,
  depthCurve,
  type NetTarget,
  netTargets,
  type ObservedMarket,
} from './capital/existing-depth.ts'
export {
  type LadderBand,
  ladderDepth,
  ladderInventory,
  scaleLadder,
  targetLadder,
  type WeightedBand,
} from './capital/ladder.ts'
export {
  breakEvenDailyVolume,
  feeFactor,
  lvrInRange,
  lvrShareOfWeightedPool,
  lvrShareOfWholeCurve,
} from './capital/loss-versus-rebalancing.ts'
export { type DepthTarget, type Inventory, moved } from './capital/move.ts'
export { orderBookInventory, scaleToBudget } from './capital/order-book.ts'
export { expectedExitYears, rangeSurvival } from './capital/range-survival.ts'
export { stableInventory } from './capital/stable-pool.ts'
export { weightedDepth, weightedInventory } from './capital/weighted-pool.ts'
export {
  type Depth,
  depthLadder,
  type Side,
} from './depth/depth-ladder.ts'
export { type Slip, slippageTable } from './depth/slippage-table.ts'
export { baseFor, quoteValue } from './depth/value.ts'
export { type DepthCause, splitDepthChange } from './detection/depth-cause.ts'
export {
  type AbsoluteRule,
  type AnomalyKind,
  type DetectorSpec,
  detectors,
  type Severity,
} from './detection/detectors.ts'
export {
  type DivergenceMetric,
  type DivergenceVerdict,
  judgeDivergence,
} from './detection/divergence.ts'
export {
  type Disagreement,
  depegPips,
  type Excursion,
  flowImbalance,
  inactiveShare,
  inventoryChange,
  isFlowQualified,
  largestDisagreement,
  largestExcursion,
  type MonitoredRange,
  type PriceSource,
  roundTripShare,
  type TradeLeg,
  turnover,
} from './detection/features.ts'
export {
  type BlockAction,
  identicalSizeShare,
  jitShare,
  type SizedTrade,
} from './detection/flow-patterns.ts'
export {
  type InventoryBooks,
  type InventoryCause,
  type PoolPlace,
  type PositionSegment,
  principalAt,
  splitInventoryChange,
} from './detection/inventory-cause.ts'
export { integerMedian } from './detection/median-deviation.ts'
export {
  type DetectorOutcome,
  type Evaluation,
  type FeatureSample,
  type IntSeries,
  robustMad,
} from './detection/robust-mad.ts'
export { valueLocked } from './detection/value-locked.ts'
export { type Elasticity, type MarketDay, volumeElasticity } from './incentives/elasticity.ts'
export {
  estimateLift,
  type LiftEstimate,
  levelOf,
  type PooledEffect,
  poolEffects,
  progress,
} from './incentives/estimate-lift.ts'
export {
  areNeighbours,
  buildIncentiveModel,
  type IncentiveModelTerms,
  onNeighbours,
  readIncentiveModel,
} from './incentives/incentive-model.ts'
export {
  type IncentiveBaseline,
  incentiveResponse,
  type ResponseDay,
  type ResponseDraw,
  type ResponsePath,
  solveEquilibrium,
} from './incentives/incentive-response.ts'
export { type ObservedEffect, observedEffect } from './incentives/observed-effect.ts'
export { type PowerTerms, pilotPower, pseudoStarts } from './incentives/pilot-power.ts'
export {
  type CostCurve,
  concaveHull,
  impactAt,
  type RewardBenefit,
  rewardBenefits,
} from './incentives/reward-benefit.ts'
export { rewardedDays, type Switchback, switchbackWeeks } from './incentives/switchback.ts'
export { costCurve } from './incentives/trading-costs.ts'
export { type BootstrappingPool, priceWithoutTrades } from './launch/bootstrapping-pool.ts'
export type { BaseShareTarget, InventoryCourse } from './measures/inventory-course.ts'
export { MARKOUT_SECONDS, type Markout } from './measures/markout-ledger.ts'
export { RECOVERY_SECONDS, type ShockRecovery } from './measures/shock-recovery.ts'
export type {
  DepthFloor,
  PairAmounts as PlanAmounts,
  PlanLimits,
  PlanStep,
  SourcePosition,
  StepOutcome,
  StepRefusal,
  TargetShare,
  World,
} from './migration/plan.ts'
export {
  type BegunTranche,
  type MigrationPlanning,
  type MigrationTerms,
  planMigration,
  type TrancheOutcome,
} from './migration/plan-migration.ts'
export { type Rollback, rollbackOf } from './migration/rollback.ts'
export { simulatePlan, smallestTranches } from './migration/simulate-plan.ts'
export {
  advance as advanceMigration,
  draftState,
  type MigrationMove,
  type MigrationPhase,
  type MigrationState,
  type MoveRefusal,
  nextStep,
  type PauseCause,
  type StepNature,
  terminalPhases,
} from './migration/state-machine.ts'
export { ROLLBACK_MOVES, rollbacksOf, type StepRollback } from './migration/step-rollbacks.ts'
export type { SlippageSummary } from './montecarlo/aggregate.ts'
export {
  type AggregateTerms,
  type ArmStatistics,
  aggregate,
  type DepthSummary,
  judgeStop,
  type RiskFigures,
  type StudyStatistics,
} from './montecarlo/aggregate.ts'
export type { ActionCounts, ArmDesk } from './montecarlo/arm-desk.ts'
export type { ArmSamples } from './montecarlo/arm-recorder.ts'
export {
  fullRangeArm,
  holdArm,
  inventoryFor,
  type MonteCarloArm,
  rangeArm,
  rebalancingArm,
  type StepView,
} from './montecarlo/arms.ts'
export {
  type Calibration,
  type CalibrationRefusal,
  type ClassifiedSwap,
  calibrate,
  classifySwaps,
  type ObservedSwap,
  type ReturnSeries,
} from './montecarlo/calibrate.ts'
export { estimatePaths, pathEstimate } from './montecarlo/estimator/estimator.ts'
export type { EstimatorTerms, PathEstimate } from './montecarlo/estimator/terms.ts'
export type { FailureRule } from './montecarlo/failure.ts'
export type { NoiseFlow, OtherLps } from './montecarlo/flow-draws.ts'
export { type BaseFeeProcess, FREE_GAS, type GasModel, gasAlong } from './montecarlo/gas.ts'
export { type ActionKind, gasTable } from './montecarlo/gas-table.ts'
export {
  type MarketSession,
  openSession,
  type PlannedSwap,
  type TickRange,
  UnsupportedMarketError,
} from './montecarlo/market-session.ts'
export {
  benchmarkArmIds,
  type MonteCarloData,
  monteCarloSpec,
} from './montecarlo/monte-carlo-data.ts'
export {
  aggregateTerms,
  type Breakeven,
  findBreakeven,
  type MonteCarloSpec,
  netVsHoldByArm,
  runMonteCarlo,
  runPaths,
  scaled,
} from './montecarlo/monte-carlo-study.ts'
export {
  type BlockBootstrapModel,
  type GbmModel,
  generateMarketPath,
  generatePath,
  type JumpDiffusionModel,
  type MarketPath,
  type PriceModel,
} from './montecarlo/price-model.ts'
export type { Estimate } from './montecarlo/realized-volatility.ts'
export {
  type ArmOutcome,
  type FlowTotals,
  type PathRun,
  type RunConfig,
  runPath,
} from './montecarlo/run-path.ts'
export {
  crash50In24h,
  type ForcedSale,
  lpExit80,
  quoteDepeg5,
  type Scenario,
  type ScenarioPoint,
  unlockSell,
  volumeX10,
} from './montecarlo/scenario.ts'
export type { RecoverySummary } from './montecarlo/summarize-measures.ts'
export { exp } from './numerics/exp.ts'
export { roundHalfEven, toPips } from './numerics/half-even.ts'
export { ln, power } from './numerics/ln.ts'
export { normalCdf, normalQuantile } from './numerics/normal-distribution.ts'
export { type Certificate, certify } from './optimization/certify.ts'
export {
  type LinearProgram,
  printLinearProgram,
  type Row,
  type Term,
  type Variable,
} from './optimization/linear-program.ts'
export { LinearProgramError } from './optimization/read-linear-program.ts'
export { type TailCut, tailCut } from './optimization/tail-cut.ts'
export { applyOperation, type OperationOutcome } from './parity/apply-operation.ts'
export type { PoolLog } from './parity/logs.ts'
export type {
  PoolOperation,
  UniswapV2Operation,
  UniswapV3Operation,
} from './parity/operations.ts'
export { randomV2Sequence, type V2SequenceSpec } from './parity/random-v2.ts'
export { randomV3Sequence, type V3SequenceSpec } from './parity/random-v3.ts'
export {
  answerStableCall,
  compareStableRecordings,
  type StableCall,
  type StableParity,
  type StableRecording,
} from './parity/recorded-stable.ts'
export { listStorage, tickBitmap } from './parity/storage.ts'
export { stationaryBootstrapIndices } from './random/draws.ts'
export { type DrawStream, pathStream, type StreamName } from './random/streams.ts'
export { type RandomStream, randomStream, xoshiro128 } from './random/xoshiro128.ts'
export {
  type Replay,
  type ReplayOptions,
  replayBaseline,
  startReplay,
} from './replay/baseline.ts'
export type { PositionCoverage } from './replay/clmm-replay.ts'
export { classifyPairSwap, type PairAmounts, type PairSwapClass } from './replay/cpmm-replay.ts'
export { decodeLog, LogDecodeError, type RawLog } from './replay/decode-log.ts'
export type {
  ClmmEvent,
  CpmmEvent,
  EventPlace,
  EventType,
  LiquidityEvent,
  MarketEvent,
  PoolEvent,
  StableEvent,
  SwapEvent,
} from './replay/events.ts'
export type {
  Divergence,
  Fidelity,
  KindCount,
  Mismatch,
  SwapMode,
  Verdict,
} from './replay/fidelity.ts'
export { followMarket, type MarketFollower } from './replay/market-follower.ts'
export { type PairFlows, pairFlows } from './replay/pair-flows.ts'
export {
  type ClmmTerms,
  type ReadClmmState,
  readClmmState,
} from './replay/read/clmm-state.ts'
export {
  bindColumns,
  bindObject,
  parseUtc,
  type RowSource,
  readEventRow,
} from './replay/read/event-row.ts'
export { type InputFault, ReplayInputError, showCell } from './replay/read/input-error.ts'
export { asNode, type JsonNode, readBigint } from './replay/read/json-fields.ts'
export { readMarket } from './replay/read/market.ts'
export {
  type ClmmPoolTerms,
  type CpmmPoolTerms,
  type FeeStep,
  readFeePips,
  readPairFee,
  readPoolTerms,
  readReserve,
  readTickSpacing,
} from './replay/read/pool-terms.ts'
export { readStableRecording, type StableRow } from './replay/read/stable-recording.ts'
export { isStableDocument, readStableState } from './replay/read/stable-state.ts'
export { parseSmall, parseWhole } from './replay/read/whole-number.ts'
export { type RecoveredCall, recoverSwap } from './replay/recover-swap.ts'
export { SingleRangeReplay } from './replay/single-range.ts'
export { atTime } from './replay/stable-replay.ts'
export { type Split, type SplitLeg, splitOrder, type Venue } from './routing/split-order.ts'
export {
  CompositeMarket,
  type CompositeSlip,
  type CompositeVenue,
  feePipsOf,
  type PricedMarket,
} from './scoring/composite-market.ts'
export { sandwichTrades, suspiciousTrades, type TapeTrade } from './scoring/flow-integrity.ts'
export { type HourlyWindow, type HourOfFlow, hourlyInterval } from './scoring/hourly-score.ts'
export {
  diagnoseMarket,
  type MarketDiagnostics,
  type PricePoint,
} from './scoring/market-diagnostics.ts'
export {
  type ComponentFeature,
  type ComponentScore,
  type Grade,
  type MarketFeatures,
  type ScoreResult,
  scoreInterval,
  scoreMarket,
} from './scoring/market-quality.ts'
export {
  type MarketSample,
  measureMarket,
  type ScoreWindow,
} from './scoring/measure-market.ts'
export {
  chooseRecoveries,
  LargestTrades,
  type MarketLevel,
  type Recovery,
  RecoveryWatch,
} from './scoring/recovery-watch.ts'
export {
  type ComponentCode,
  type ComponentDefinition,
  MQS_1,
  type RawUnit,
} from './scoring/weight-set-mqs-1.ts'
export { type ReplaySearch, type SearchResult, searchReplay } from './search/search-replay.ts'
export {
  type GridAxis,
  GridError,
  type GridPoint,
  MOST_POINTS,
  strategyGrid,
} from './search/strategy-grid.ts'
export { automaticBlockLength } from './statistics/block-length.ts'
export { type BootstrapTerms, bootstrapInterval, pick } from './statistics/bootstrap.ts'
export { type Dist, summarize } from './statistics/distribution.ts'
export { type TailRisk, tailRiskOfSorted } from './statistics/expected-shortfall.ts'
export { type FirstPassage, firstPassage, type PassagePoint } from './statistics/first-passage.ts'
export { holm } from './statistics/holm.ts'
export {
  type Duration,
  medianSurvival,
  type SurvivalStep,
  survivalCurve,
} from './statistics/kaplan-meier.ts'
export { type LinearFit, leastSquares } from './statistics/least-squares.ts'
export { type Overfitting, probabilityOfOverfitting } from './statistics/overfitting.ts'
export {
  type ArmSample,
  comparePairs,
  type PairedComparison,
} from './statistics/paired-difference.ts'
export type { Pairing } from './statistics/pairs.ts'
export { ascending, median, quantile, quantileOfSorted } from './statistics/quantile.ts'
export {
  BATCH as PATHS_PER_BATCH,
  judgePrecision,
  type PrecisionGoal,
  type PrecisionState,
} from './statistics/stopping-rule.ts'
export { bootstrapTail, type TailIntervals } from './statistics/tail-bootstrap.ts'
export { thinSeries } from './statistics/thin-series.ts'
export { type Proportion, wilson, wilsonOfPaths } from './statistics/wilson.ts'
export type { StrategyError, StrategyErrorCode } from './strategy/check-strategy.ts'
export {
  type Compilation,
  type CompilationContext,
  type CompilationReport,
  compileStrategy,
  type PositionPreview,
  type StrategyBounds,
  type StrategyWarning,
} from './strategy/compile-strategy.ts'
export type {
  Action,
  Guards,
  PositionPlan,
  RangeTemplate,
  Rule,
  StrategyDefinition,
  TokenRole,
  Trigger,
} from './strategy/definition.ts'
export { layRanges, type Place } from './strategy/lay-ranges.ts'
export { PriceMemory } from './strategy/price-memory.ts'
export { type StrategyTerms, strategyArm, UnknownVolatilityError } from './strategy/strategy-arm.ts'
export {
  type ExecutionPlan,
  type ExecutionTerms,
  executionPlan,
  riskAversionFor,
} from './stress/almgren-chriss.ts'
export {
  betasOn,
  exponentialCovariance,
  floorCorrelation,
  type Matrix,
  shrinkToDiagonal,
} from './stress/covariance.ts'
export {
  type Coverage,
  DEFAULT_HAIRCUT_PIPS,
  liquidityCoverage,
  type Tiers,
  type TierValue,
} from './stress/coverage.ts'
export {
  type Leg,
  type LegObservations,
  type MarkedAsset,
  type MarkedPrice,
  markLegs,
  stressBetas,
} from './stress/legs.ts'
export {
  type HorizonShortfall,
  horizonDaysOf,
  horizonShortfall,
} from './stress/liquidity-horizons.ts'
export { type ReverseStress, reverseStress } from './stress/reverse-stress.ts'
export {
  runScenario,
  type ScenarioOutcome,
  type StressAsset,
  type StressBooks,
  type StressObligation,
  type StressSale,
} from './stress/run-scenario.ts'
export {
  type Liquidation,
  type LiquidationTerms,
  liquidate,
  pressure,
  squareRootImpact,
} from './stress/square-root-impact.ts'
export {
  type FactorModel,
  LEAST_BOOTSTRAP_ROWS,
  type TreasuryLosses,
  type TreasuryPathTerms,
  treasuryLosses,
} from './stress/treasury-paths.ts'
export type { Holdings, StudyArm, StudyCapital } from './study/arm.ts'
export type { Deposit, Opening } from './study/arm-run.ts'
export {
  COST_MICROSECONDS,
  estimateCost,
  monteCarloSize,
  type StudyCost,
  type StudySize,
} from './study/estimate-cost.ts'
export type { FlowModel } from './study/flow.ts'
export type {
  ReplayMeasures,
  ReplayMeasureTerms,
  RuleOutcome,
  SlippageOverTime,
} from './study/replay-measures.ts'
export { type ReplayStudy, type ReplayStudyResult, runReplayStudy } from './study/replay-study.ts'
export {
  closeHolder,
  closeMaker,
  type HolderWaterfall,
  type MakerWaterfall,
  WaterfallError,
} from './study/waterfall.ts'
export { carveOut, evenPeak, linearise } from './vesting/mitigation.ts'
export {
  ASSUMED_BEHAVIOUR,
  addFlows,
  type ImpactDay,
  type ImpactTerms,
  impactCurve,
  peakImpact,
  type RecipientClass,
  type SellBehaviour,
  unlockFlow,
} from './vesting/unlock-impact.ts'
export { unlocksPerDay, type VestingSchedule, vestedAt } from './vesting/vested.ts'

export const engineVersion = '0.1.0'
