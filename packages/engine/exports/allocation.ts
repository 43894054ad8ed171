export {
  type AllocationStage,
  type AllocationTerms,
  buildAllocationModel,
  type OptionTerms,
  type RiskCut,
  slackOf,
  type TargetTerms,
} from '../src/allocation/allocation-model.ts'
export {
  activeLiquidity,
  isActive,
  NotThereError,
  type PlacedRange,
  placementOf,
  withLiquidity,
} from '../src/allocation/place-liquidity.ts'
export {
  diffusionLoss,
  drawPathPrices,
  type PathPrices,
  type PositionLosses,
  positionLosses,
} from '../src/allocation/position-losses.ts'
export {
  type AllocationTarget,
  type CostLimit,
  commonMidOf,
  depthIn,
  largestWithin,
  type SizeWithin,
  sizeShare,
  slippageOver,
} from '../src/allocation/quote-targets.ts'
