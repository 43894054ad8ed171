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

/** What only the server knows of a family. The service folds over the list of families and names none of them. */
export interface Family {
  /** What the contract says of it: one declaration for each kind of record, or for its operations alone. */
  readonly contracts: readonly Declared[]
  /** By operation id: a handler, or how it is loaded with the first request. */
  readonly operations: Readonly<Record<string, Handler | (() => Promise<{ default: Handler }>)>>
  /** How its records stand in rows beside their chains. */
  readonly kinds?: readonly RecordRules[]
  readonly jobs?: Readonly<Record<string, JobKind>>
  readonly sweeps?: readonly Sweep[]
  /** What leaves the process from a queue of its own. */
  readonly dispatches?: Dispatches
  /** What must stay fresh by itself. */
  readonly schedules?: readonly Schedule[]
  readonly retention?: Retention
  /** What happens to its records if the member who made them is removed. */
  readonly departures?: readonly Departure[]
  readonly pictures?: () => Promise<{ pictures: PictureFamily }>
  /** Made anew for each organization whose history is verified. */
  readonly jobAudit?: () => JobAudit
  readonly audit?: Audit
  readonly checklist?: readonly ChecklistItem[]
}

/**
 * Compares rows of an organization with the records that they follow from, where one record alone does not decide them.
 * Tells each row that says something else.
 */
export type Audit = (audited: {
  readonly database: Database
  readonly organizationId: string
  readonly artifacts: Artifacts
}) => Promise<readonly { readonly subject: string; readonly message: string }[]>

/** What a family knows of jobs that follow from its records and events. */
export interface JobAudit {
  /** A record whose chains hold: its versions and events, oldest first. */
  note: (versions: readonly RecordState[], events: readonly OperatingSystemEvent[]) => void
  /** What is wrong with the row of a job; null where it is as the records tell. */
  jobFault: (job: JobRow) => string | null
  /** Jobs of which events tell, by their ids. */
  toldJobs?: () => ReadonlyMap<string, { readonly kind: string; readonly subject: string }>
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

/** The list of families, folded. Beside `Families` it holds the code that the service runs, verifies and draws with. */
export interface FoldedFamilies extends Families {
  readonly jobs: Readonly<Record<string, JobKind>>
  readonly sweeps: readonly Sweep[]
  readonly dispatches: readonly Dispatches[]
  readonly jobAudits: readonly (() => JobAudit)[]
  readonly audits: readonly Audit[]
  readonly pictures: Pictures
}

/** @throws Error where two families declare the same kind of job */
export function foldFamilies(families: readonly Family[]): FoldedFamilies {
  const jobs = families.flatMap((family) => Object.entries(family.jobs ?? {}))
  const twice = jobs.find(([kind], index) => jobs.findIndex(([other]) => other === kind) < index)
  if (twice) throw new Error(`Two families declare the job ${twice[0]}.`)
  return {
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
        pictures ? [[roomName(contracts), pictures] as const] : [],
      ),
    ),
  }
}

function roomName([first]: readonly Declared[]): string {
  const name = first?.room.split('/')[1]
  if (name === undefined) throw new Error('A family declares nothing in the contract.')
  return name
}
