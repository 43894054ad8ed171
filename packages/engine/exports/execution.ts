export {
  isFinalLeg,
  type LegMove,
  type LegState,
  type LegTeller,
  legMoves,
  legStates,
  type PlanStanding,
  standingOf,
  tellerOf,
} from '../src/execution/leg-machine.ts'
export {
  type ExecutionSplit,
  splitExactIn,
  type Unfillable,
} from '../src/execution/plan-execution.ts'
export { type SandwichExposure, sandwichExposure } from '../src/execution/sandwich-bound.ts'
export {
  type ExecutionLeg,
  type ExecutionLimits,
  type ExecutionSource,
  type PoolSource,
  pays,
  type QuoteSource,
  quotePays,
} from '../src/execution/source.ts'
export {
  type ExecutionShares,
  limitsOf,
  splitExactOut,
} from '../src/execution/split-exact-out.ts'
