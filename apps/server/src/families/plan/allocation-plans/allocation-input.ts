import type { contract, ErrorCode, FieldErrors } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { hourSeconds } from '../../../units.ts'
import type { StudyResult, StudySpec } from '../../simulate/studies/api.ts'

export type AllocationRequest = Static<typeof contract.AllocationRequest>
export type AllocationPlan = Static<typeof contract.AllocationPlan>

/** A venue of the pair as it was last observed; plain data, so that it travels to a thread. */
export interface AllocationVenue {
  id: string
  /** Its sealed state. */
  state: Uint8Array
  /** What all its positions earn in a day; null where the observation is too short to say it. */
  feesQuotePerDay: bigint | null
  /** Standard deviation of ln price per root of a second; null where it is not known. */
  volatility: number | null
  /** Most value that its profile allows in it. */
  maxCapitalQuote: bigint | null
}

/** The study whose price paths the losses are taken from. */
export interface AllocationRisk {
  spec: StudySpec
  calibration: StudyResult['calibration']
  /** How many paths it ran. */
  paths: number
}

/** Everything that a plan is computed from. */
export interface AllocationInput {
  request: AllocationRequest
  venues: readonly AllocationVenue[]
  risk: AllocationRisk | null
}

/** A request that cannot be asked, in the words of its caller. */
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

/** Where a request leaves something out. */
export const allocationDefaults = {
  confidencePips: 950_000,
  toleranceBps: 10,
  maxStateAgeSeconds: 6 * hourSeconds,
} as const
