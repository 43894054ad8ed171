export { type BufferNeed, bufferNeed } from '../src/capital/buffer.ts'
export {
  depthOfLiquidity,
  efficiencyPips,
  isNarrowerThan,
  liquidityForDepth,
  liquidityForDepths,
  type PriceRange,
  rangeInventory,
  wholeCurveInventory,
} from '../src/capital/constant-product.ts'
export {
  type DepthCurvePoint,
  depthCurve,
  type NetTarget,
  netTargets,
  type ObservedMarket,
} from '../src/capital/existing-depth.ts'
export {
  type LadderBand,
  ladderDepth,
  ladderInventory,
  scaleLadder,
  targetLadder,
  type WeightedBand,
} from '../src/capital/ladder.ts'
export {
  breakEvenDailyVolume,
  feeFactor,
  lvrInRange,
  lvrShareOfWeightedPool,
  lvrShareOfWholeCurve,
} from '../src/capital/loss-versus-rebalancing.ts'
export { type DepthTarget, type Inventory, moved } from '../src/capital/move.ts'
export { orderBookInventory, scaleToBudget } from '../src/capital/order-book.ts'
export { expectedExitYears, rangeSurvival } from '../src/capital/range-survival.ts'
export { stableInventory } from '../src/capital/stable-pool.ts'
export { weightedDepth, weightedInventory } from '../src/capital/weighted-pool.ts'
