import type { contract, ErrorCode, FieldErrors } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { hourSeconds } from '../../../units.ts'
import type { StudyResult, StudySpec } from '../../simulate/studies/api.ts'

export type AllocationRequest = Static<typeof contract.AllocationRequest>
export type AllocationPlan = Static<typeof contract.AllocationPlan>

/** Last observed state of a venue of the pair. Plain data: crosses a thread boundary. */
export interface AllocationVenue {
  id: string
  /** Its sealed state. */
  state: Uint8Array
  /** Daily fees of all its positions; null if the observation is too short. */
  feesQuotePerDay: bigint | null
  /** Standard deviation of ln price per square root of a second; null if unknown. */
  volatility: number | null
  /** Maximum value of the venue by its profile. */
  maxCapitalQuote: bigint | null
}

/** The study whose price paths supply the losses. */
export interface AllocationRisk {
  spec: StudySpec
  calibration: StudyResult['calibration']
  /** Number of its paths. */
  paths: number
}

/** All inputs of a plan. */
export interface AllocationInput {
  request: AllocationRequest
  venues: readonly AllocationVenue[]
  risk: AllocationRisk | null
}

/** An invalid request, with a message for the caller. */
export class AllocationRefusal extends Error {
  readonly code: ErrorCode
  readonly fieldErrors: FieldErrors

  constructor(code: ErrorCode, fieldErrors: FieldErrors) {
    super(code)
    this.code = code
    this.fieldErrors = fieldErrors
  }
}

export const optionInvalid = (field: string, message: string) =>
  new AllocationRefusal('LIQUIDITY_ALLOCATION_OPTION_INVALID', { [field]: [message] })

export const targetInvalid = (field: string, message: string) =>
  new AllocationRefusal('LIQUIDITY_ALLOCATION_TARGET_INVALID', { [field]: [message] })

export const allocationDefaults = {
  confidencePips: 950_000,
  toleranceBps: 10,
  maxStateAgeSeconds: 6 * hourSeconds,
} as const
