import type { Family as Declared, OperatingSystemEvent } from '@liquidity-os/contract'
import type { Departure } from '../access/departure.ts'
import type { PictureFamily, Pictures } from '../drawing/picture-family.ts'
import type {
  ChecklistItem,
  Families,
  RecordRules,
  RecordState,
  Retention,
  Schedule,
} from '../family-parts.ts'
import type { Handler } from '../http/handler.ts'
import type { JobKind } from '../jobs/job-kinds.ts'
import type { Dispatches, Sweep } from '../jobs/sweeps.ts'
import type { Artifacts } from '../store/artifacts/artifacts.ts'
import type { Database } from '../store/database/database.ts'
import type { Row } from '../store/database/row.ts'

/**
 * Server part of a family. The service iterates over the list of families and names no family in
 * code.
 */
export interface Family {
  /** Contract declarations: one per kind of record, or one for the operations alone. */
  readonly contracts: readonly Declared[]
  /** By operation id: a handler, or how it is loaded with the first request. */
  readonly operations: Readonly<Record<string, Handler | (() => Promise<{ default: Handler }>)>>
  /** Rules that derive rows from record chains. */
  readonly kinds?: readonly RecordRules[]
  readonly jobs?: Readonly<Record<string, JobKind>>
  readonly sweeps?: readonly Sweep[]
  /** Outgoing messages, sent from a separate queue. */
  readonly dispatches?: Dispatches
  /** Data that the service refreshes automatically. */
  readonly schedules?: readonly Schedule[]
  readonly retention?: Retention
  /** Changes to its records when the member who created them is removed. */
  readonly departures?: readonly Departure[]
  readonly pictures?: () => Promise<{ pictures: PictureFamily }>
  /** Created per organization whose history is verified. */
  readonly jobAudit?: () => JobAudit
  readonly audit?: Audit
  readonly checklist?: readonly ChecklistItem[]
}

/**
 * Compares derived rows of an organization with their source records, if one record alone does not
 * determine them. Reports each row that differs.
 */
export type Audit = (audited: {
  readonly database: Database
  readonly organizationId: string
  readonly artifacts: Artifacts
}) => Promise<readonly { readonly subject: string; readonly message: string }[]>

/** Expectations about jobs that follow from the records and events of a family. */
export interface JobAudit {
  /** A record with verified chains: its versions and events, oldest first. */
  note: (versions: readonly RecordState[], events: readonly OperatingSystemEvent[]) => void
  /** Error in a job row, or null if the row matches the records. */
  jobFault: (job: JobRow) => string | null
  /** Jobs mentioned in events, by job id. */
  eventJobs?: () => ReadonlyMap<string, { readonly kind: string; readonly subject: string }>
}

export interface JobRow {
  readonly id: string
  readonly kind: string
  readonly status: string
  readonly subjectId: string
  readonly input: unknown
  readonly result: unknown
  readonly row: Row
}

/**
 * The combined list of families. In addition to `Families` it contains the code with which the
 * service runs, verifies and draws.
 */
export interface FoldedFamilies extends Families {
  /** By operation id, as `Family.operations`. */
  readonly operations: Family['operations']
  readonly jobs: Readonly<Record<string, JobKind>>
  readonly sweeps: readonly Sweep[]
  readonly dispatches: readonly Dispatches[]
  readonly jobAudits: readonly (() => JobAudit)[]
  readonly audits: readonly Audit[]
  readonly pictures: Pictures
}

/** @throws Error if two families declare the same job kind */
export function foldFamilies(families: readonly Family[]): FoldedFamilies {
  const jobs = families.flatMap((family) => Object.entries(family.jobs ?? {}))
  const twice = jobs.find(([kind], index) => jobs.findIndex(([other]) => other === kind) < index)
  if (twice) throw new Error(`Two families declare the job ${twice[0]}.`)
  return {
    operations: Object.assign({}, ...families.map(({ operations }) => operations)),
    jobs: Object.fromEntries(jobs),
    cancellations: Object.fromEntries(
      jobs.flatMap(([kind, { cancelled }]) => (cancelled ? [[kind, cancelled]] : [])),
    ),
    sweeps: families.flatMap(({ sweeps = [] }) => sweeps),
    dispatches: families.flatMap(({ dispatches }) => dispatches ?? []),
    schedules: families.flatMap(({ schedules = [] }) => schedules),
    retention: families.flatMap(({ retention }) => retention ?? []),
    departures: families.flatMap(({ departures = [] }) => departures),
    kinds: families.flatMap(({ kinds = [] }) => kinds),
    jobAudits: families.flatMap(({ jobAudit }) => jobAudit ?? []),
    audits: families.flatMap(({ audit }) => audit ?? []),
    checklist: families
      .flatMap(({ checklist = [] }) => checklist)
      .toSorted((a, b) => a.place - b.place),
    pictures: new Map(
      families.flatMap(({ contracts, pictures }) =>
        pictures ? [[findModuleName(contracts), pictures] as const] : [],
      ),
    ),
  }
}

function findModuleName([first]: readonly Declared[]): string {
  const name = first?.module.split('/')[1]
  if (name === undefined) throw new Error('A family has no declarations in the contract.')
  return name
}
