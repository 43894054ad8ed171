import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { VenueRecord } from '../../../../market/named-venue.ts'
import type { ScoreRecord } from './score-runs.ts'
import type { Firing, ThresholdState } from './state-machine.ts'

export type RuleRecord = VersionedRecord<contract.AlertRule>

/** Result of the evaluation of one rule. */
export interface Evaluated {
  readonly rule: RuleRecord
  readonly threshold: contract.AlertThreshold
  readonly venues: readonly VenueRecord[]
  readonly score: ScoreRecord | null
  /** Stored state before; null at the first evaluation. */
  readonly before: ThresholdState | null
  readonly state: ThresholdState
  readonly firings: readonly Firing[]
}
