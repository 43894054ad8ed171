import type { OperatingSystemEvent } from '@liquidity-os/contract'
import type { Departure } from './access/departure.ts'
import type { Config } from './config.ts'
import type { Sql } from './store/database/sql.ts'
import type { Change } from './store/records/change.ts'
import type { ResourceType } from './store/records/resource-types.ts'
import type { TenantRecords } from './store/records/tenant-records.ts'

/**
 * Access of handlers and jobs to data of all families. It contains no code that receives
 * `Services`: those types belong to the modules that run such code.
 */
export interface Families {
  /** By kind of job. */
  readonly cancellations: Readonly<Record<string, Cancellation>>
  readonly schedules: readonly Schedule[]
  readonly retention: readonly Retention[]
  readonly departures: readonly Departure[]
  readonly kinds: readonly RecordRules[]
  readonly checklist: readonly ChecklistItem[]
}

/** The part of a record's current state that determines its names and rows. */
export interface RecordState {
  readonly id: string
  readonly resourceType: string
  readonly status: string
  readonly payload: unknown
}

/** A name that only one record of an organization can hold at a time. */
export interface HeldName {
  readonly kind: string
  readonly name: string
  /** True if the name is optional for the record. */
  readonly isOptional?: boolean
}

/**
 * Rules for rows derived from records of one type in tables outside the chains; verify-history
 * compares them.
 */
export interface RecordRules {
  readonly type: string
  /** Name kinds whose holders follow from the records and their events. */
  readonly nameKinds: readonly string[]
  /** Names of these kinds that a record must or may hold exclusively. */
  readonly held: (
    record: RecordState,
    events: readonly OperatingSystemEvent[],
  ) => readonly HeldName[]
  readonly row?: RowRule
  /** True if the family shows a record to a user. Default: shown to all readers of the family. */
  readonly isShownTo?: (record: RecordState, userId: string) => boolean
  /** Text of a record in a response, without members that must stay private. Default: the stored one. */
  readonly shownText?: ((text: string) => string) | undefined
}

/** An operational row of the service that follows from a record, except for its secrets. */
export interface RowRule {
  /** Expected columns of the row; null if the record must not have one. */
  readonly says: (record: RecordState) => Readonly<Record<string, string | null>> | null
  /** The rows of an organization, each with the `id` of its record. */
  readonly stored: (organizationId: string) => Sql
}

/** Recurring jobs of a family, one per subject. */
export interface Schedule {
  /** The kind of its jobs. */
  readonly task: string
  readonly type: ResourceType
  /** Status that enables the schedule; no job runs in any other status. */
  readonly activeStatus: string
  readonly inactiveStatuses: readonly string[]
  /** Selects the subjects among records of the type; all if absent. */
  readonly appliesTo?: (payload: unknown) => boolean
  /** Interval between runs, in seconds; 0 if the deployment disables them. */
  readonly everySeconds: (payload: unknown, config: Config) => number
  /** Which jobs, as rows `j`, make a subject fresh when they succeed. */
  readonly refreshes: Sql
  /** Change that queues the next run; null if the subject is gone or inactive. */
  readonly queue: (records: TenantRecords, subjectId: string) => Promise<Change | null>
}

/** Deletes expired rows of a family, as statements over all organizations. */
export type Retention = (now: number) => readonly Sql[]

/** Loads the handler for canceled jobs. */
export type Cancellation = () => Promise<{ default: CancellationCode }>

/** Final event for the subject of a canceled job, or null. */
export type CancellationCode = (records: TenantRecords, subjectId: string) => Promise<Change | null>

/** A setup step that the workspace suggests; done once a record of the type exists. */
export interface ChecklistItem {
  /** Position in the list; prerequisites come first. */
  readonly place: number
  readonly code: string
  readonly type: string
  readonly title: string
  readonly why: string
  readonly operationId: string
}
