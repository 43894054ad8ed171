import type { OperatingSystemEvent } from '@liquidity-os/contract'
import type { FoldedFamilies, JobAudit, JobRow } from '../families/family.ts'
import type { RecordRules, RecordState } from '../family-parts.ts'
import { limits } from '../limits.ts'
import type { Database } from '../store/database/database.ts'
import { optionalTextOf, type Row, textOf } from '../store/database/row.ts'
import { sql, values } from '../store/database/sql.ts'
import { createdAtOf } from '../store/records/find.ts'

/** A row outside the chains that does not follow from them. */
interface DerivedFault {
  subject: string
  message: string
}

/** The rows of one organization that can be worked out from its records and events, and are not hashed themselves. */
export class DerivedRows {
  readonly #rules: ReadonlyMap<string, RecordRules>
  readonly #witnesses: readonly JobAudit[]
  readonly #names = new Map<string, { id: string; status: string; isOptional: boolean }>()
  readonly #acting = new Map<string, Readonly<Record<string, string | null>>>()
  readonly #broken = new Set<string>()
  readonly #faults: DerivedFault[] = []

  constructor({ kinds, jobAudits }: FoldedFamilies) {
    this.#rules = new Map(kinds.map((rules) => [rules.type, rules]))
    this.#witnesses = jobAudits.map((witness) => witness())
  }

  /** Marks a record with a broken chain; no rows can be derived from it. */
  skip(subject: string): void {
    this.#broken.add(subject)
  }

  /** A record whose chain holds: its versions and events, oldest first. */
  note(records: readonly RecordState[], events: readonly OperatingSystemEvent[]): void {
    const last = records.at(-1)
    try {
      for (const witness of this.#witnesses) witness.note(records, events)
      if (last) this.#held(last, events)
    } catch (error) {
      // Hashes are valid but the fields do not fit the type, so the writer bypassed the service.
      if (!last) throw error
      const message = `it is not a valid ${last.resourceType} of this service: ${(error as Error).message}`
      this.#faults.push({ subject: last.id, message })
      this.#broken.add(last.id)
    }
  }

  /** @param noteReferences receives the references of a job; the store must contain them */
  async faults(
    database: Database,
    organizationId: string,
    noteReferences: (jobId: string, named: unknown) => void,
  ): Promise<DerivedFault[]> {
    const rules = [...this.#rules.values()]
    const kinds = rules.flatMap(({ nameKinds }) => nameKinds)
    const stored = rules.flatMap(({ row }) => (row ? [row.stored(organizationId)] : []))
    const [names = [], jobs = [], ...acting] = await database.tenant(organizationId, [
      sql`select kind, name, record_id from names where organization_id = ${organizationId}
        and kind in ${values(kinds)} order by kind, name`,
      sql`select id, kind, status, subject_id, subject, input, result from jobs
        where organization_id = ${organizationId} order by id`,
      ...stored,
    ])
    return [
      ...this.#faults,
      ...this.#nameFaults(names),
      ...this.#actingFaults(acting.flat()),
      ...this.#jobFaults(jobs, noteReferences),
    ]
  }

  #held(record: RecordState, events: readonly OperatingSystemEvent[]): void {
    const { id, status, resourceType } = record
    const rules = this.#rules.get(resourceType)
    if (!rules) return
    const stated = rules.row?.says(record) ?? null
    if (stated) this.#acting.set(id, stated)
    for (const { kind, name, isOptional = false } of rules.held(record, events)) {
      const key = `${kind} ${name}`
      const other = this.#names.get(key)
      if (other) {
        const message = `it and ${other.id} both hold the name ${key}`
        this.#faults.push({ subject: id, message })
      }
      this.#names.set(key, { id, status, isOptional })
    }
  }

  #nameFaults(rows: readonly Row[]): DerivedFault[] {
    const current = new Map(
      rows.map((row) => [`${row.kind} ${row.name}`, textOf(row, 'record_id')]),
    )
    const missing = [...this.#names].flatMap(([name, { id, status, isOptional }]) => {
      const holder = current.get(name)
      if (holder === id || (holder === undefined && isOptional)) return []
      const found = holder === undefined ? 'no record has' : `${holder} has`
      return [
        { subject: id, message: `it is ${status} and must have the name ${name}, which ${found}` },
      ]
    })
    const foreign = [...current].flatMap(([name, id]) =>
      this.#names.has(name) || this.#broken.has(id)
        ? []
        : [{ subject: id, message: `it has the name ${name}, which is not its own` }],
    )
    return [...missing, ...foreign]
  }

  #actingFaults(rows: readonly Row[]): DerivedFault[] {
    const stored = new Map(rows.map((row) => [textOf(row, 'id'), row]))
    return [...new Set([...this.#acting.keys(), ...stored.keys()])].flatMap((subject) => {
      if (this.#broken.has(subject)) return []
      const message = actingFault(this.#acting.get(subject), stored.get(subject))
      return message ? [{ subject, message }] : []
    })
  }

  #jobFaults(
    rows: readonly Row[],
    noteReferences: (jobId: string, named: unknown) => void,
  ): DerivedFault[] {
    const faults = rows.flatMap((row) => {
      const job = jobOf(row)
      const message = subjectFault(job) ?? this.#testified(job)
      if (message) return [{ subject: job.id, message }]
      for (const named of [parsed(row, 'subject'), job.result]) noteReferences(job.id, named)
      return []
    })
    const stored = new Set(rows.map(({ id }) => id))
    // The purge deletes a run only a while after it was queued, and once a later one of its kind went well.
    const newest = new Map(
      rows
        .filter((row) => textOf(row, 'status') === 'COMPLETED')
        .map((row) => [`${textOf(row, 'kind')} ${textOf(row, 'subject_id')}`, textOf(row, 'id')]),
    )
    const isPurged = (jobId: string, kind: string, subject: string) => {
      const success = newest.get(`${kind} ${subject}`)
      const isOld = createdAtOf(jobId) < Date.now() - limits.runRetentionMilliseconds
      return isOld && success !== undefined && jobId < success
    }
    const eventJobs = this.#witnesses.flatMap((witness) => [...(witness.eventJobs?.() ?? [])])
    const missing = eventJobs
      .filter(([jobId, { kind, subject }]) => !stored.has(jobId) && !isPurged(jobId, kind, subject))
      .map(([jobId, { subject }]) => ({
        subject,
        message: `an event names ${jobId}, which is not stored`,
      }))
    return [...faults, ...missing]
  }

  #testified(job: JobRow): string | null {
    for (const witness of this.#witnesses) {
      const fault = witness.jobFault(job)
      if (fault) return fault
    }
    return null
  }
}

/** Fault in the row of a record; null if it matches the record. */
function actingFault(
  expected: Readonly<Record<string, string | null>> | undefined,
  row: Row | undefined,
): string | null {
  if (expected === undefined) return 'the service uses a row without a record'
  if (row === undefined) return 'the row that the service uses is not stored'
  const name = Object.keys(expected).find((member) => expected[member] !== row[member])
  if (name === undefined) return null
  return `its ${name} is ${expected[name]}, but the service uses ${row[name]}`
}

function jobOf(row: Row): JobRow {
  return {
    id: textOf(row, 'id'),
    kind: textOf(row, 'kind'),
    status: textOf(row, 'status'),
    subjectId: textOf(row, 'subject_id'),
    row,
    input: parsed(row, 'input'),
    result: parsed(row, 'result'),
  }
}

function subjectFault({ subjectId, row }: JobRow): string | null {
  const { id } = parsed(row, 'subject') as { id?: string }
  return id === subjectId ? null : `it belongs to ${subjectId}, but its subject names ${id}`
}

const parsed = (row: Row, column: string): unknown =>
  JSON.parse(optionalTextOf(row, column) ?? 'null') ?? {}
