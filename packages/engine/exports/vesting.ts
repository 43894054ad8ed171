export { carveOut, evenPeak, linearise } from '../src/vesting/mitigation.ts'
export {
  freedAt,
  freedByDay,
  totalOfEvents,
  type UnlockEvent,
} from '../src/vesting/unlock-events.ts'
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
export {
  type Case,
  type StudiedCase,
  type StudiedSchedule,
  type StudyTerms,
  sellingFlow,
  studyUnlocks,
} from '../src/vesting/unlock-study.ts'
export { unlocksPerDay, type VestingSchedule, vestedAt } from '../src/vesting/vested.ts'
