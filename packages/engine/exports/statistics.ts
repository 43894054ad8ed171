export { automaticBlockLength } from '../src/statistics/block-length.ts'
export { type BootstrapTerms, bootstrapInterval, pick } from '../src/statistics/bootstrap.ts'
export { sequenceHalfWidth } from '../src/statistics/confidence-sequence.ts'
export { type Dist, summarize } from '../src/statistics/distribution.ts'
export { type TailRisk, tailRiskOfSorted } from '../src/statistics/expected-shortfall.ts'
export {
  type FirstPassage,
  firstPassage,
  type PassagePoint,
} from '../src/statistics/first-passage.ts'
export { holm } from '../src/statistics/holm.ts'
export {
  type Duration,
  medianSurvival,
  type SurvivalStep,
  survivalCurve,
} from '../src/statistics/kaplan-meier.ts'
export { type LinearFit, leastSquares } from '../src/statistics/least-squares.ts'
export { type Overfitting, probabilityOfOverfitting } from '../src/statistics/overfitting.ts'
export {
  type ArmSample,
  comparePairs,
  type PairedComparison,
} from '../src/statistics/paired-difference.ts'
export type { MeanEstimate, Pairing } from '../src/statistics/pairs.ts'
export {
  ascending,
  median,
  quantile,
  quantileOfSorted,
  selectQuantiles,
} from '../src/statistics/quantile.ts'
export { type RunningMean, runningMeanOfPairs } from '../src/statistics/running-mean.ts'
export {
  BATCH as PATHS_PER_BATCH,
  judgePrecision,
  type PrecisionGoal,
  type PrecisionState,
} from '../src/statistics/stopping-rule.ts'
export { bootstrapTails, type TailIntervals } from '../src/statistics/tail-bootstrap.ts'
export { thinSeries } from '../src/statistics/thin-series.ts'
export { type Proportion, wilson, wilsonOfPaths, Z_95 } from '../src/statistics/wilson.ts'
