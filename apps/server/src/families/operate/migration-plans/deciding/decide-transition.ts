import type { ErrorCode } from '@liquidity-os/contract'
import type { MigrationMove, MoveRefusal } from '@liquidity-os/engine/migration'
import type { PlanPayload, Realized } from '../plan-types.ts'
import type { Situation } from './situation.ts'

export interface Decided {
  readonly move: MigrationMove
  readonly step: number | null
  readonly txHash?: string
  readonly safeTxHash?: string
  readonly nonce?: string
  readonly realized?: Realized
  readonly findings?: readonly string[]
  /** Chain state read for the transition; null if not needed. */
  readonly situation: Situation | null
  /** New plan payload, if the plan itself changes. */
  readonly payload?: PlanPayload
}

/** Maps rejections of the state machine to API errors. */
export const refusalCodes = {
  TERMINAL: 'LIQUIDITY_MIGRATION_TERMINAL',
  NOT_ALLOWED: 'LIQUIDITY_MIGRATION_TRANSITION_REFUSED',
  STEP_ORDER: 'LIQUIDITY_MIGRATION_STEP_ORDER',
  IN_FLIGHT: 'LIQUIDITY_MIGRATION_IN_FLIGHT',
  FUNDS_IN_TRANSIT: 'LIQUIDITY_MIGRATION_FUNDS_IN_TRANSIT',
  OVERDUE: 'LIQUIDITY_MIGRATION_PRECONDITION',
  OWNER_REQUIRED: 'LIQUIDITY_ROLE_REQUIRED',
  NO_CHECKPOINT: 'LIQUIDITY_MIGRATION_NO_WAY_BACK',
  STEPS_LEFT: 'LIQUIDITY_MIGRATION_INCOMPLETE',
} as const satisfies Readonly<Record<MoveRefusal, ErrorCode>>

export const refusalTexts: Readonly<Record<MoveRefusal, string>> = {
  TERMINAL: 'the plan has ended',
  NOT_ALLOWED: 'is not allowed in this state',
  STEP_ORDER: 'must be the next step, in the right state',
  IN_FLIGHT: 'a transaction is in flight',
  FUNDS_IN_TRANSIT: 'a transaction was sent',
  OVERDUE: 'the deadline has passed; only a rollback is possible',
  OWNER_REQUIRED: 'a stop rule has triggered; only an owner can continue',
  NO_CHECKPOINT: 'the checkpoint does not exist',
  STEPS_LEFT: 'some steps are not complete',
}
