export {
  type FundedShare,
  type Funding,
  largestFundedShares,
  MOST_FUNDED,
} from '../src/detection/common-funding.ts'
export { type DepthCause, splitDepthChange } from '../src/detection/depth-cause.ts'
export {
  type AbsoluteRule,
  type AnomalyKind,
  type DetectorSpec,
  detectors,
  type Severity,
} from '../src/detection/detectors.ts'
export {
  type DivergenceMetric,
  type DivergenceVerdict,
  judgeDivergence,
} from '../src/detection/divergence.ts'
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
  turnover,
} from '../src/detection/features.ts'
export {
  type BlockAction,
  identicalSizeShares,
  jitShare,
  type SizedTrade,
} from '../src/detection/flow-patterns.ts'
export {
  type InventoryBooks,
  type InventoryCause,
  type PoolPlace,
  type PositionSegment,
  principalAt,
  splitInventoryChange,
} from '../src/detection/inventory-cause.ts'
export { leastWarning, leastWarningAmong } from '../src/detection/least-visible.ts'
export { usersOf } from '../src/detection/linked-signers.ts'
export { integerMedian } from '../src/detection/median-deviation.ts'
export {
  type DetectorOutcome,
  type Evaluation,
  type FeatureSample,
  type IntSeries,
  LEAST_COVERAGE_PIPS,
  LEAST_SAMPLES,
  robustMad,
} from '../src/detection/robust-mad.ts'
export { valueLocked } from '../src/detection/value-locked.ts'
export { type WashParty, washTrades } from '../src/detection/wash-trades.ts'
