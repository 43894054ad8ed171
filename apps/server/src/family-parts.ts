import type { OperatingSystemEvent } from '@liquidity-os/contract'
import type { Departure } from './access/departure.ts'
import type { Config } from './config.ts'
import type { Sql } from './store/database/sql.ts'
import type { Change } from './store/records/change.ts'
import type { ResourceType } from './store/records/resource-types.ts'
import type { TenantRecords } from './store/records/tenant-records.ts'

/**
 * What handlers and jobs may read of all families together. It holds no code that receives `Services`: those types
 * belong to the modules that run such code.
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

/** A record as it is now, as far as it decides which names and rows it has. */
export interface RecordState {
  readonly id: string
  readonly resourceType: string
  readonly status: string
  readonly payload: unknown
}

/** A name that one record of an organization holds at a time. */
export interface HeldName {
  readonly kind: string
  readonly name: string
  /** Whether a record may as well not hold it. */
  readonly isOptional?: boolean
}

/** What follows from a record of one kind in tables beside the chains; verify-history compares it. */
export interface RecordRules {
  readonly type: string
  /** Kinds of names of which the records and their events themselves say who must hold them. */
  readonly nameKinds: readonly string[]
  /** The names of these kinds that a record must or may hold, and no other may. */
  readonly held: (
    record: RecordState,
    events: readonly OperatingSystemEvent[],
  ) => readonly HeldName[]
  readonly row?: RowRule
  /** Whether the family shows a record to a user; to all who read the family where left out. */
  readonly isShownTo?: (record: RecordState, userId: string) => boolean
}

/** A row by which the service acts, and which follows from a record but for its secrets. */
export interface RowRule {
  /** What the row must say, column by column; null where the record must have none. */
  readonly says: (record: RecordState) => Readonly<Record<string, string | null>> | null
  /** The rows of an organization, each with the `id` of its record. */
  readonly stored: (organizationId: string) => Sql
}

/** What a family keeps fresh by itself: a job for each of its subjects, again and again. */
export interface Schedule {
  /** The kind of its jobs. */
  readonly task: string
  readonly type: ResourceType
  /** The state in which a subject is kept; in the others it may be, nothing runs. */
  readonly activeStatus: string
  readonly inactiveStatuses: readonly string[]
  /** Which records of the type are subjects; all, where nothing is said. */
  readonly appliesTo?: (payload: unknown) => boolean
  /** Seconds from one run to the next; 0 where the deployment keeps nothing. */
  readonly everySeconds: (payload: unknown, config: Config) => number
  /** Which jobs, as rows `j`, make a subject fresh when they succeed. */
  readonly refreshes: Sql
  /** The change that queues the next run; null where the subject is gone or no longer to be kept. */
  readonly queue: (records: TenantRecords, subjectId: string) => Promise<Change | null>
}

/** Rows that a family keeps for a while only, as statements over all organizations. */
export type Retention = (now: number) => readonly Sql[]

/** Loads what the subject of a canceled job says. */
export type Cancellation = () => Promise<{ default: CancellationCode }>

/** The last words of the subject of a job that is cancelled; null where there are none. */
export type CancellationCode = (records: TenantRecords, subjectId: string) => Promise<Change | null>

/** A step that the workspace suggests to whoever begins; done once a record of the kind is there. */
export interface ChecklistItem {
  /** Steps are told in the order in which one needs the other. */
  readonly place: number
  readonly code: string
  readonly type: string
  readonly title: string
  readonly why: string
  readonly operationId: string
}
