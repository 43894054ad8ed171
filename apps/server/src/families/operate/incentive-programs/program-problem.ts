import type { ErrorCode, FieldErrors } from '@liquidity-os/contract'
import { pathStream } from '@liquidity-os/engine/random'
import type { OwnPosition } from '../../../market/own-positions.ts'
import type { VenueHistory } from '../../../market/venue-history.ts'
import type { DailyPanel } from './daily-panel.ts'

/** Measurements of an earlier program; shares as fractions. */
export interface PriorEvidence {
  response: number
  responseError: number
  speedPerDay: number
  /** Share of the lift that remained; null if not measured yet. */
  retention: number | null
}

export interface ProgramVenue {
  history: VenueHistory
  /** Pool state at the last reading, used to separate the issuer's own part. */
  state: Uint8Array
  owned: readonly OwnPosition[]
  feePips: number
  tvlQuote: string
  /** At most this share of the budget. */
  maxPips: number
}

/** A program for a thread: bytes and plain data only. */
export interface ProgramTask {
  mode: 'PILOT' | 'FULL'
  objective: 'TRADER_COST_SAVED' | 'DEPTH_DAYS' | 'VOLUME'
  venues: readonly ProgramVenue[]
  controls: readonly VenueHistory[]
  /** Unix seconds. */
  window: { from: number; to: number }
  days: number
  /** Atoms of the reward asset. */
  budget: string
  /** Quote atoms per reward atom, times 1e18; null to use the market price. */
  rewardPriceX18: string | null
  quoteDecimals: number
  confidence: number
  minimumLift: number
  requireNetPositive: boolean
  priors: readonly PriorEvidence[]
  seed: Uint8Array
}

/** A venue in the baseline. */
export interface BaselineVenue {
  panel: DailyPanel
  /** Mean daily depth, volume and fees, quote. */
  depth: number
  volumePerDay: number
  feeShare: number
  /** The issuer's share of the depth, 0..1. */
  ownShare: number
  tvlQuote: number
  /** Maximum total reward, quote. */
  maxQuote: number
}

/** Inputs of plans of both modes. */
export interface ProgramBaseline {
  venues: readonly BaselineVenue[]
  /** Quote per reward atom. */
  price: number
  budgetQuote: number
  pseudoLifts: readonly number[]
  meanBlock: number
  coverage: number
  days: number
}

export interface BaselineFigures {
  depth: number
  ownShare: number
  volumePerDay: number
  feesPerDay: number
  elasticity: number
  elasticityError: number
  elasticityIsIdentified: boolean
}

/** Reason why no program is given; error classes do not survive a thread boundary. */
export class ProgramRefusal extends Error {
  readonly code: ErrorCode
  readonly fieldErrors: FieldErrors

  constructor(code: ErrorCode, field: string, message: string) {
    super(message)
    this.code = code
    this.fieldErrors = { [field]: [message] }
  }
}

export const baselineMissing = (message: string, field = 'payload.baseline') =>
  new ProgramRefusal('LIQUIDITY_INCENTIVE_BASELINE_REQUIRED', field, message)
export const tooUncertain = (message: string, field = 'payload') =>
  new ProgramRefusal('LIQUIDITY_INCENTIVE_CONFIDENCE_INSUFFICIENT', field, message)

export const percent = (share: number) => `${Number((share * 100).toFixed(2))} %`

/** Random streams of a program, one per purpose. */
export const streamOf = ({ seed }: Pick<ProgramTask, 'seed'>, purpose: number) =>
  pathStream(seed, purpose, 'bootstrap', false)
