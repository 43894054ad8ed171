export type { Holdings, StudyArm, StudyCapital } from '../src/study/arm.ts'
export type { Opening } from '../src/study/arm-run.ts'
export type { Deposit } from '../src/study/deposit.ts'
export {
  COST_MICROSECONDS,
  estimateCost,
  monteCarloSize,
  type StudyCost,
  type StudySize,
} from '../src/study/estimate-cost.ts'
export type { FlowModel } from '../src/study/flow.ts'
export type { ReferencePrice } from '../src/study/outside-prices.ts'
export type { ReplayStudy } from '../src/study/recorded-study.ts'
export type {
  ReplayMeasures,
  ReplayMeasureTerms,
  RuleOutcome,
  SlippageOverTime,
} from '../src/study/replay-measures.ts'
export { type ReplayStudyResult, runReplayStudy } from '../src/study/replay-study.ts'
export {
  closeHolder,
  closeMaker,
  type HolderWaterfall,
  type MakerWaterfall,
  WaterfallError,
} from '../src/study/waterfall.ts'
