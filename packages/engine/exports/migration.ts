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
} from '../src/migration/plan.ts'
export {
  type BegunTranche,
  type MigrationPlanning,
  type MigrationTerms,
  planMigration,
  type TrancheOutcome,
} from '../src/migration/plan-migration.ts'
export { type Rollback, rollbackOf } from '../src/migration/rollback.ts'
export { simulatePlan, smallestTranches } from '../src/migration/simulate-plan.ts'
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
} from '../src/migration/state-machine.ts'
export { ROLLBACK_MOVES, rollbacksOf, type StepRollback } from '../src/migration/step-rollbacks.ts'
