import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import type { SimulatedArm } from './simulated-arm.ts'

export interface PathStatistics {
  paths: NonNullable<Static<typeof contract.StudyResult>['paths']>
  arms: SimulatedArm[]
  comparisons: Static<typeof contract.ArmComparison>[]
}
