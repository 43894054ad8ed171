import type { OperatingSystemEvent } from '@liquidity-os/contract'
import { canonicalize } from '@liquidity-os/evidence'
import type { Database } from '../store/database/database.ts'
import type { Row } from '../store/database/row.ts'
import { sql, values } from '../store/database/sql.ts'
import { actingFault, actingRow, actingRows } from './acting-rows.ts'
import { derivedKinds, heldNames, type Standing } from './held-names.ts'

/** What stands in a table beside the chains and does not follow from them. */
interface DerivedFault {
  subject: string
  message: string
}

interface IndexRequest {
  jobId: string
  mode: string
  fromBlock: number | null
  toBlock: number | null
  reason: string
}

/** The rows of one organization that can be worked out from its records and events, and are not hashed themselves. */
export class DerivedRows {
  readonly #names = new Map<string, { id: string; status: string; isOptional: boolean }>()
  readonly #indexed = new Map<string, { venueId: string; request: Omit<IndexRequest, 'jobId'> }>()
  readonly #observations = new Map<string, { venueId: string; status: string }>()
  readonly #results = new Map<string, Set<string>>()
  readonly #acting = new Map<string, Readonly<Record<string, string | null>>>()
  readonly #broken = new Set<string>()
  readonly #faults: DerivedFault[] = []

  /** A record whose chain does not hold: nothing follows from it. */
  skip(subject: string): void {
    this.#broken.add(subject)
  }

  /** A record whose chain holds: its versions and events, oldest first. */
  note(versions: readonly string[], events: readonly string[]): void {
    for (const text of versions) this.#version(JSON.parse(text))
    const told = events.map((text) => JSON.parse(text) as OperatingSystemEvent)
    const last = versions.at(-1)
    if (last) this.#held(JSON.parse(last), told)
    for (const event of told) {
      if (event.kind !== 'venue.index_queued') continue
      const { jobId, ...request } = event.payload as unknown as IndexRequest
      this.#indexed.set(jobId, { venueId: event.subject.id, request })
    }
  }

  /** @param noteReferences is given what a job names, which must be stored */
  async faults(
    database: Database,
    organizationId: string,
    noteReferences: (jobId: string, named: unknown) => void,
  ): Promise<DerivedFault[]> {
    const [names = [], jobs = [], ...acting] = await database.tenant(organizationId, [
      sql`select kind, name, record_id from names where organization_id = ${organizationId}
        and kind in ${values(derivedKinds)} order by kind, name`,
      sql`select id, kind, status, subject_id, subject, input, result from jobs
        where organization_id = ${organizationId} order by id`,
      ...actingRows(organizationId),
    ])
    const faults = [
      ...this.#faults,
      ...this.#nameFaults(names),
      ...this.#actingFaults(acting.flat()),
    ]
    for (const row of jobs) {
      const message = this.#jobFault(row)
      if (message) faults.push({ subject: row.id ?? '', message })
      else
        for (const named of [row.subject, row.result]) noteReferences(row.id ?? '', parsed(named))
    }
    const stored = new Set(jobs.map(({ id }) => id))
    for (const [jobId, { venueId }] of this.#indexed) {
      if (stored.has(jobId)) continue
      faults.push({ subject: venueId, message: `an event tells of ${jobId}, which is not stored` })
    }
    return faults
  }

  #version(record: Standing): void {
    const { id, resourceType, status } = record
    const payload = record.payload as { venue?: { id?: string }; result?: { resultHash?: string } }
    if (resourceType === 'VenueObservation') {
      this.#observations.set(id, { venueId: payload.venue?.id ?? '', status })
    }
    const { resultHash } = payload.result ?? {}
    if (resourceType !== 'SimulationStudy' || resultHash === undefined) return
    this.#results.set(id, (this.#results.get(id) ?? new Set()).add(resultHash))
  }

  #held(record: Standing, events: readonly OperatingSystemEvent[]): void {
    const { id, status } = record
    const says = actingRow(record)
    if (says) this.#acting.set(id, says)
    for (const { kind, name, isOptional = false } of heldNames(record, events)) {
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
    const kept = new Map(rows.map((row) => [`${row.kind} ${row.name}`, row.record_id ?? '']))
    const missing = [...this.#names].flatMap(([name, { id, status, isOptional }]) => {
      const holder = kept.get(name)
      if (holder === id || (holder === undefined && isOptional)) return []
      const found = holder === undefined ? 'nobody has' : `${holder} has`
      return [
        { subject: id, message: `it is ${status} and must have the name ${name}, which ${found}` },
      ]
    })
    const foreign = [...kept].flatMap(([name, id]) =>
      this.#names.has(name) || this.#broken.has(id)
        ? []
        : [{ subject: id, message: `it has the name ${name}, which is not its own` }],
    )
    return [...missing, ...foreign]
  }

  #actingFaults(rows: readonly Row[]): DerivedFault[] {
    const stored = new Map(rows.map((row) => [row.id ?? '', row]))
    return [...new Set([...this.#acting.keys(), ...stored.keys()])].flatMap((subject) => {
      if (this.#broken.has(subject)) return []
      const message = actingFault(this.#acting.get(subject), stored.get(subject))
      return message ? [{ subject, message }] : []
    })
  }

  #jobFault(row: Row): string | null {
    const { id = '', kind, status, subject_id: subjectId = '' } = row
    const subject = parsed(row.subject) as { id?: string }
    if (subject.id !== subjectId)
      return `it is of ${subjectId}, but its subject names ${subject.id}`
    if (kind === 'VENUE_INDEX') {
      const asked = this.#indexed.get(id ?? '')
      if (!asked) return 'no event tells that it was queued'
      if (asked.venueId !== subjectId)
        return `it is of ${subjectId}, but was queued for ${asked.venueId}`
      if (canonicalize(asked.request) !== canonicalize(parsed(row.input) as typeof asked.request)) {
        return 'its input is not what its event tells'
      }
    }
    if (status !== 'COMPLETED' || !row.result) return null
    return this.#resultFault(kind ?? '', subjectId ?? '', parsed(row.result) as JobResult)
  }

  #resultFault(kind: string, subjectId: string, result: JobResult): string | null {
    if (kind === 'VENUE_INDEX' && result.observation) {
      const made = this.#observations.get(result.observation.id)
      if (made && made.venueId !== subjectId) {
        return `it is of ${subjectId}, but the observation it made of ${made.venueId}`
      }
      return made && made.status !== result.status
        ? `it says ${result.status}, but the observation it made is ${made.status}`
        : null
    }
    const known = this.#results.get(subjectId)
    if (kind !== 'STUDY_RUN' || !known || result.resultHash === undefined) return null
    return known.has(result.resultHash) ? null : 'its result is not that of its study'
  }
}

interface JobResult {
  observation?: { id: string } | null
  status?: string
  resultHash?: string
}

const parsed = (text: string | null | undefined): unknown => JSON.parse(text ?? 'null') ?? {}
