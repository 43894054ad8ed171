import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Change } from '../store/records/change.ts'
import type { ResourceType } from '../store/records/resource-types.ts'
import type { Current, TenantRecords } from '../store/records/tenant-records.ts'

/**
 * Effect of a member removal on a record: revoke it, pause it, or leave it unchanged for the owner
 * to review.
 */
export type DepartureOutcome = 'REVOKED' | 'PAUSED' | 'UNCHANGED'

export interface DepartedRecord {
  readonly resourceType: string
  readonly id: string
  readonly title: string
}

export interface DepartureEffects {
  readonly revoked: readonly DepartedRecord[]
  readonly paused: readonly DepartedRecord[]
  /** Still active. An owner decides whether they remain. */
  readonly unchanged: readonly DepartedRecord[]
}

/** How the records of one kind react if the member who made them is removed. */
export interface Departure {
  readonly type: ResourceType
  readonly outcomeOf: (record: VersionedRecord) => DepartureOutcome
  readonly titleOf: (record: VersionedRecord) => string
  /** Which version decides who made the record. */
  readonly maker: 'FIRST' | 'LAST' | 'FIRST_OR_LAST'
  /** The change that revokes or pauses the record. */
  readonly end: (records: TenantRecords, current: Current, userId: string) => Change
}
