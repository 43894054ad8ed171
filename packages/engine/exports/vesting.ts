export { carveOut, evenPeak, linearise } from '../src/vesting/mitigation.ts'
export {
  ASSUMED_BEHAVIOUR,
  addFlows,
  type ImpactDay,
  type ImpactTerms,
  impactCurve,
  peakImpact,
  type RecipientClass,
  type SellBehaviour,
  type UnlockFlow,
  unlockFlow,
} from '../src/vesting/unlock-impact.ts'
export { unlocksPerDay, type VestingSchedule, vestedAt } from '../src/vesting/vested.ts'
