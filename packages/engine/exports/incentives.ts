export { type Elasticity, type MarketDay, volumeElasticity } from '../src/incentives/elasticity.ts'
export {
  estimateLift,
  type LiftEstimate,
  levelOf,
  type PooledEffect,
  poolEffects,
  progress,
} from '../src/incentives/estimate-lift.ts'
export {
  areNeighbours,
  buildIncentiveModel,
  type IncentiveModelTerms,
  onNeighbours,
  readIncentiveModel,
} from '../src/incentives/incentive-model.ts'
export {
  type IncentiveBaseline,
  incentiveResponse,
  type ResponseDay,
  type ResponseDraw,
  type ResponsePath,
  solveEquilibrium,
} from '../src/incentives/incentive-response.ts'
export { type ObservedEffect, observedEffect } from '../src/incentives/observed-effect.ts'
export { type PowerTerms, pilotPower, pseudoStarts } from '../src/incentives/pilot-power.ts'
export {
  type CostCurve,
  concaveHull,
  impactAt,
  type RewardBenefit,
  rewardBenefits,
} from '../src/incentives/reward-benefit.ts'
export { rewardedDays, type Switchback, switchbackWeeks } from '../src/incentives/switchback.ts'
export { costCurve } from '../src/incentives/trading-costs.ts'
