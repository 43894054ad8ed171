import { EvidenceError, verifyEventChain, verifyRecordChain } from '@liquidity-os/evidence'
import type { Families } from '../families/family.ts'
import { limits } from '../limits.ts'
import type { Artifacts } from '../store/artifacts/artifacts.ts'
import type { Database } from '../store/database/database.ts'
import { integerOf, type Row, type Rows, textOf } from '../store/database/row.ts'
import { sql } from '../store/database/sql.ts'
import { contentHashOf } from '../store/records/statements.ts'
import { DerivedRows } from './verify-derived.ts'

export interface HistoryFault {
  organizationId: string
  subject: string
  message: string
}

export interface HistoryReport {
  organizations: number
  records: number
  events: number
  artifacts: number
  faults: HistoryFault[]
}

/**
 * Walks every record chain and every event chain, and holds heads, records, events, artifacts and references
 * against each other: a version without its event, a head that says another status than its version, an
 * artifact or a version that a record names and that is not stored, each is a changed or deleted row. Jobs, and
 * names of the kinds that records and events decide, have no hash and are held against those.
 */
export async function verifyHistory(
  database: Database,
  organizationId: string | null,
  artifacts: Artifacts,
  families: Families,
): Promise<HistoryReport> {
  const [rows = []] = await database.global([
    organizationId === null
      ? sql`select id from organizations order by id`
      : sql`select id from organizations where id = ${organizationId}`,
  ])
  // An organization whose row was deleted still has members, keys or work that name it.
  const [known = []] = await database.dispatch([
    sql`select distinct organization_id as id from (select organization_id from memberships
      union all select organization_id from idempotency union all select organization_id from jobs) as named
      order by 1`,
  ])
  const missing = known.filter(
    ({ id }) =>
      !rows.some((row) => row.id === id) && (organizationId === null || organizationId === id),
  )
  const report: HistoryReport = {
    organizations: rows.length,
    records: 0,
    events: 0,
    artifacts: 0,
    faults: [],
  }
  for (const row of missing) {
    const id = textOf(row, 'id')
    const message = 'its organization is not stored, but its members or its work are'
    report.faults.push({ organizationId: id, subject: id, message })
  }
  for (const row of [...rows, ...missing]) {
    const id = textOf(row, 'id')
    const references = new References()
    const derived = new DerivedRows(families)
    await verifyOrganization(database, id, { references, derived }, report)
    const noteReferences = (job: string, named: unknown) => references.noteNamed(job, named)
    for (const fault of await derived.faults(database, id, noteReferences)) {
      report.faults.push({ organizationId: id, ...fault })
    }
    const stored = await verifyArtifacts(database, id, artifacts, report)
    report.faults.push(...references.faults(id, stored))
  }
  return report
}

/** What is only known once every record of an organization was seen. */
interface Whole {
  references: References
  derived: DerivedRows
}

async function verifyOrganization(
  database: Database,
  organizationId: string,
  whole: Whole,
  report: HistoryReport,
): Promise<void> {
  for (let after = ''; ; ) {
    const [subjects = []] = await database.tenant(organizationId, [
      sql`select distinct id from (
          select id from record_heads where organization_id = ${organizationId} and id > ${after}
          union select id from records where organization_id = ${organizationId} and id > ${after}
          union select subject_id from events where organization_id = ${organizationId} and subject_id > ${after}
        ) as subjects order by id limit ${limits.verifiedSubjects}`,
    ])
    const last = subjects.at(-1)?.id
    if (!last) return
    await verifySubjects(database, organizationId, { after, last }, whole, report)
    after = last
  }
}

/** Hashes every artifact again, one at a time; its address is the hash of its bytes. */
async function verifyArtifacts(
  database: Database,
  organizationId: string,
  artifacts: Artifacts,
  report: HistoryReport,
): Promise<Set<string>> {
  const stored = new Set<string>()
  for (let after = ''; ; ) {
    const [next = []] = await database.tenant(organizationId, [
      sql`select content_hash from artifacts where organization_id = ${organizationId}
        and part = 0 and content_hash > ${after} order by content_hash limit 1`,
    ])
    const contentHash = next[0]?.content_hash
    if (!contentHash) return stored
    stored.add(contentHash)
    const message = artifactFault(contentHash, await artifacts.stored(organizationId, contentHash))
    if (message) report.faults.push({ organizationId, subject: contentHash, message })
    report.artifacts += 1
    after = contentHash
  }
}

function artifactFault(
  contentHash: string,
  stored: Awaited<ReturnType<Artifacts['stored']>>,
): string | null {
  if (!stored?.bytes) return 'it is registered, and its bytes are not in the store'
  const found = contentHashOf(stored.bytes)
  if (found !== contentHash) return `its bytes have the hash ${found}`
  return stored.byteLength === stored.bytes.length
    ? null
    : `it is said to have ${stored.byteLength} bytes and has ${stored.bytes.length}`
}

async function verifySubjects(
  database: Database,
  organizationId: string,
  { after, last }: { after: string; last: string },
  { references, derived }: Whole,
  report: HistoryReport,
): Promise<void> {
  const within = (column: string) => ({
    text: sql`organization_id = ${organizationId} and ${{ text: column }} > ${after} and ${{ text: column }} <= ${last}`
      .text,
  })
  const [heads = [], records = [], events = []] = await database.tenant(organizationId, [
    sql`select id, sequence, resource_version, status from record_heads where ${within('id')}`,
    sql`select id, sequence, body from records where ${within('id')} order by id, sequence`,
    sql`select subject_id as id, sequence, kind, at, body from events where ${within('subject_id')} order by subject_id, sequence`,
  ])
  const versionsOf = Map.groupBy(records, (row) => textOf(row, 'id'))
  const eventsOf = Map.groupBy(events, (row) => textOf(row, 'id'))
  const headOf = new Map(heads.map((row) => [textOf(row, 'id'), row]))
  report.records += records.length
  report.events += events.length
  const ids = new Set([...versionsOf.keys(), ...eventsOf.keys(), ...headOf.keys()])
  for (const subject of [...ids].sort()) {
    const versions = versionsOf.get(subject) ?? []
    const told = eventsOf.get(subject) ?? []
    const messages = faultsOf(subject, organizationId, versions, told, headOf.get(subject))
    for (const message of messages) report.faults.push({ organizationId, subject, message })
    if (messages.length > 0) {
      derived.skip(subject)
      continue
    }
    for (const row of versions) references.note(subject, textOf(row, 'body'))
    const texts = (of: Rows) => of.map((row) => textOf(row, 'body'))
    derived.note(texts(versions), texts(told))
  }
}

/** A stored record, as far as it is held against the rows around it. */
interface Version {
  id: string
  organizationId: string
  resourceVersion: string
  sequence: number
  status: string
}

function faultsOf(
  subject: string,
  organizationId: string,
  versionRows: Rows,
  eventRows: Rows,
  head: Row | undefined,
): string[] {
  const texts = versionRows.map((row) => textOf(row, 'body'))
  const told = eventRows.map((row) => textOf(row, 'body'))
  const faults = [verifyRecordChain(texts), verifyEventChain(told)].flatMap((chain) =>
    chain.isIntact ? [] : [new EvidenceError(chain.break).message],
  )
  if (faults.length > 0) return faults
  const versions = texts.map((text) => JSON.parse(text) as Version)
  const misplaced = versions.find((r) => r.id !== subject || r.organizationId !== organizationId)
  if (misplaced) return [`a version of ${misplaced.id} stands in its place`]
  const isShifted = (row: Row, index: number) => integerOf(row, 'sequence') !== index + 1
  if (versionRows.some(isShifted)) return ['a version stands under another sequence than its own']
  if (eventRows.some(isShifted)) return ['an event stands under another sequence than its own']
  if (eventRows.some(isMisfiled)) return ['an event stands under another kind or time than its own']
  return [...headFaults(head, versions), ...eventFaults(told, versions)].slice(0, 1)
}

/** What events are found by must be what they say. */
function isMisfiled(row: Row): boolean {
  const { kind, occurredAt } = JSON.parse(textOf(row, 'body')) as {
    kind: string
    occurredAt: string
  }
  return textOf(row, 'kind') !== kind || integerOf(row, 'at') !== Date.parse(occurredAt)
}

function headFaults(head: Row | undefined, versions: readonly Version[]): string[] {
  const last = versions.at(-1)
  if (!head) return ['its head is missing']
  const sequence = integerOf(head, 'sequence')
  if (sequence !== versions.length) {
    return [`its head is at version ${sequence}, but ${versions.length} versions are stored`]
  }
  if (head.resource_version !== last?.resourceVersion) {
    return ['its head names another version than the last one stored']
  }
  return head.status === last?.status
    ? []
    : [`its head says ${head.status}, but its last version ${last?.status}`]
}

/** Every version has an event, and every event a version. */
function eventFaults(told: readonly string[], versions: readonly Version[]): string[] {
  const named = new Set(
    told.map(
      (text) =>
        (JSON.parse(text) as { subject: { resourceVersion: string } }).subject.resourceVersion,
    ),
  )
  const untold = versions.find(({ resourceVersion }) => !named.has(resourceVersion))
  if (untold) return [`no event tells of version ${untold.resourceVersion}`]
  for (const { resourceVersion } of versions) named.delete(resourceVersion)
  const [unknown] = named
  return unknown ? [`an event tells of version ${unknown}, which is not stored`] : []
}

/** What the records of one organization name: exact versions of other records, and artifacts. */
class References {
  readonly #stored = new Set<string>()
  readonly #versions = new Map<string, string>()
  readonly #artifacts = new Map<string, string>()

  note(subject: string, text: string): void {
    const record = JSON.parse(text) as { resourceVersion: string; payload: unknown }
    this.#stored.add(`${subject}|${record.resourceVersion}`)
    this.#walk(subject, record.payload)
  }

  /** What something else than a record names. */
  noteNamed(subject: string, named: unknown): void {
    this.#walk(subject, named)
  }

  /** @param artifacts the content hashes that are stored */
  faults(organizationId: string, artifacts: ReadonlySet<string>): HistoryFault[] {
    const lost = (named: ReadonlyMap<string, string>, stored: ReadonlySet<string>, what: string) =>
      [...named]
        .filter(([name]) => !stored.has(name))
        .map(([name, subject]) => ({
          organizationId,
          subject,
          message: `it names the ${what} ${name.replace('|', ' at ')}, which is not stored`,
        }))
    return [
      ...lost(this.#versions, this.#stored, 'version'),
      ...lost(this.#artifacts, artifacts, 'artifact'),
    ]
  }

  #walk(subject: string, value: unknown): void {
    if (Array.isArray(value)) {
      for (const item of value) this.#walk(subject, item)
      return
    }
    if (typeof value !== 'object' || value === null) return
    const { id, resourceVersion, artifactHash, seriesArtifacts } = value as Record<string, unknown>
    if (typeof id === 'string' && typeof resourceVersion === 'string') {
      this.#versions.set(`${id}|${resourceVersion}`, subject)
    }
    if (typeof artifactHash === 'string') this.#artifacts.set(artifactHash, subject)
    if (Array.isArray(seriesArtifacts)) {
      for (const { hash } of seriesArtifacts as { hash: string }[]) {
        this.#artifacts.set(hash, subject)
      }
    }
    for (const member of Object.values(value)) this.#walk(subject, member)
  }
}
