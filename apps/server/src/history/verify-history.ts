import type { OperatingSystemEvent } from '@liquidity-os/contract'
import { EvidenceError, verifyEventChain, verifyRecordChain } from '@liquidity-os/evidence'
import type { FoldedFamilies } from '../families/family.ts'
import type { RecordState } from '../family-parts.ts'
import { limits } from '../limits.ts'
import { required } from '../required.ts'
import type { Artifacts } from '../store/artifacts/artifacts.ts'
import { contentHashOf } from '../store/artifacts/content-hash.ts'
import type { Database } from '../store/database/database.ts'
import { integerOf, type Row, type Rows, textOf } from '../store/database/row.ts'
import { type Sql, sql, values } from '../store/database/sql.ts'
import {
  artifactsSince,
  faultBefore,
  placeNow,
  subjectsBehind,
  type VerifiedHistory,
  type VerifiedOrganization,
  verifiedHistory,
} from './verified-until.ts'
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
  /** Verified extent; null if verification failed. */
  until: VerifiedHistory | null
}

/**
 * Walks every record chain and event chain and cross-checks heads, records, events, artifacts and
 * references. Any mismatch shows a changed or deleted row. Examples are a version without its
 * event, a head with the wrong status, or a named artifact or version that is missing. Jobs and
 * derived names have no hash, so they are compared with records and events.
 *
 * @param since end of an earlier walk. Then the walk covers only subjects with later events, each
 * completely, with their artifacts and newly registered ones. It counts earlier events only. Rows
 * without a hash require a full walk.
 */
export async function verifyHistory(
  database: Database,
  organizationId: string | null,
  artifacts: Artifacts,
  families: FoldedFamilies,
  since: VerifiedHistory | null = null,
): Promise<HistoryReport> {
  const [rows = []] = await database.global([
    organizationId === null
      ? sql`select id from organizations order by id`
      : sql`select id from organizations where id = ${organizationId}`,
  ])
  // The row of an organization was deleted, but members, keys or jobs still reference it.
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
    until: null,
  }
  for (const row of missing) {
    const id = textOf(row, 'id')
    const message = 'its organization is not stored, but its members or jobs are'
    report.faults.push({ organizationId: id, subject: id, message })
  }
  const until: VerifiedOrganization[] = []
  const before = new Map(since?.organizations.map((one) => [one.organizationId, one]))
  for (const row of [...rows, ...missing]) {
    const id = textOf(row, 'id')
    const earlier = before.get(id)
    until.push(await placeNow(database, id, earlier))
    before.delete(id)
    const walk = { database, organizationId: id, artifacts, report }
    if (earlier) await verifyBehind(walk, earlier)
    else await verifyWhole(walk, families)
  }
  const gone = organizationId === null ? [...before.keys()] : []
  for (const id of gone) {
    const message = 'it was verified before but is no longer stored'
    report.faults.push({ organizationId: id, subject: id, message })
  }
  return { ...report, until: report.faults.length > 0 ? null : verifiedHistory(until) }
}

interface Walk {
  readonly database: Database
  readonly organizationId: string
  readonly artifacts: Artifacts
  readonly report: HistoryReport
}

async function verifyWhole(walk: Walk, families: FoldedFamilies): Promise<void> {
  const { database, organizationId, report } = walk
  const references = new References(database, organizationId)
  const derived = new DerivedRows(families)
  await verifyPages(walk, { references, derived }, (after) =>
    nextSubjects(database, organizationId, after),
  )
  const noteReferences = (job: string, named: unknown) => references.note(job, named)
  for (const fault of await derived.faults(database, organizationId, noteReferences)) {
    report.faults.push({ organizationId, ...fault })
  }
  report.faults.push(...(await references.faults()))
  for (const audit of families.audits) {
    for (const fault of await audit(walk)) report.faults.push({ organizationId, ...fault })
  }
  await verifyArtifacts(walk)
}

/**
 * Walks only subjects with later events, the artifacts that they name, and newly registered
 * artifacts.
 */
async function verifyBehind(walk: Walk, earlier: VerifiedOrganization): Promise<void> {
  const { database, organizationId, artifacts, report } = walk
  const fault = await faultBefore(database, earlier)
  if (fault) report.faults.push({ organizationId, subject: organizationId, message: fault })
  const named = new Set<string>()
  const references = new References(database, organizationId, named)
  await verifyPages(walk, { references, derived: null }, (after) =>
    subjectsBehind(database, earlier, after),
  )
  const since = await artifactsSince(database, earlier)
  for (const contentHash of new Set([...since, ...named])) {
    // Missing registrations were already reported.
    if (await artifacts.stored(organizationId, contentHash)) await verifyArtifact(walk, contentHash)
  }
}

/** Checks that complete only after all records of an organization. */
interface Whole {
  references: References
  /** Null for partial walks: derived rows follow from all records only. */
  derived: DerivedRows | null
}

/** @param subjects returns the next page of IDs after the given one, in order */
async function verifyPages(
  { database, organizationId, report }: Walk,
  whole: Whole,
  subjects: (after: string) => Promise<readonly string[]>,
): Promise<void> {
  const isEverySubject = whole.derived !== null
  const read = async (after: string) => {
    const ids = await subjects(after)
    const last = ids.at(-1)
    if (last === undefined) return null
    const within = (column: string) =>
      isEverySubject
        ? sql`${{ text: column }} > ${after} and ${{ text: column }} <= ${last}`
        : sql`${{ text: column }} in ${values(ids)}`
    return readPage(database, organizationId, ids, within)
  }
  // The next page is read while one is verified.
  for (let next = read(''); ; ) {
    const page = await next
    if (!page) return
    next = read(page.last)
    try {
      verifyPage(page, organizationId, whole, report)
      report.faults.push(...(await whole.references.faults()))
    } catch (error) {
      await next.catch(() => null)
      throw error
    }
  }
}

/** Some subjects of one organization with all their rows. */
interface Page {
  last: string
  heads: Rows
  records: Rows
  events: Rows
}

async function nextSubjects(
  database: Database,
  organizationId: string,
  after: string,
): Promise<readonly string[]> {
  // Each part stops at the end of the page, so the cost of a page does not depend on its position.
  const next = (table: string, id: string) =>
    sql`(select distinct ${{ text: id }} as id from ${{ text: table }} where organization_id = ${organizationId}
      and ${{ text: id }} > ${after} order by 1 limit ${limits.verifiedSubjects})`
  const [subjects = []] = await database.tenant(organizationId, [
    sql`select id from (${next('record_heads', 'id')} union ${next('records', 'id')}
      union ${next('events', 'subject_id')}) as subjects order by id limit ${limits.verifiedSubjects}`,
  ])
  return subjects.map((row) => textOf(row, 'id'))
}

async function readPage(
  database: Database,
  organizationId: string,
  subjects: readonly string[],
  of: (column: string) => Sql,
): Promise<Page> {
  const last = required(subjects.at(-1), 'subject on the page')
  const within = (column: string) => sql`organization_id = ${organizationId} and ${of(column)}`
  const [heads = [], records = [], events = []] = await database.tenant(organizationId, [
    sql`select id, sequence, resource_version, status from record_heads where ${within('id')}`,
    sql`select id, sequence, body from records where ${within('id')} order by id, sequence`,
    sql`select subject_id as id, sequence, kind, at, body from events where ${within('subject_id')} order by subject_id, sequence`,
  ])
  return { last, heads, records, events }
}

function verifyPage(
  { heads, records, events }: Page,
  organizationId: string,
  { references, derived }: Whole,
  report: HistoryReport,
): void {
  const versionsOf = Map.groupBy(records, (row) => textOf(row, 'id'))
  const eventsOf = Map.groupBy(events, (row) => textOf(row, 'id'))
  const headOf = new Map(heads.map((row) => [textOf(row, 'id'), row]))
  report.records += records.length
  report.events += events.length
  const ids = new Set([...versionsOf.keys(), ...eventsOf.keys(), ...headOf.keys()])
  for (const subject of [...ids].sort()) {
    const versions = versionsOf.get(subject) ?? []
    const subjectEvents = eventsOf.get(subject) ?? []
    const read = readSubject(subject, organizationId, versions, subjectEvents, headOf.get(subject))
    if (typeof read === 'string') {
      report.faults.push({ organizationId, subject, message: read })
      derived?.skip(subject)
      continue
    }
    for (const { payload } of read.versions) references.note(subject, payload)
    derived?.note(read.versions, read.subjectEvents)
  }
}

/** Hashes every artifact again, one at a time; its address is the hash of its bytes. */
async function verifyArtifacts(walk: Walk): Promise<void> {
  const { database, organizationId } = walk
  for (let after = ''; ; ) {
    const [next = []] = await database.tenant(organizationId, [
      sql`select content_hash from artifacts where organization_id = ${organizationId}
        and part = 0 and content_hash > ${after} order by content_hash limit 1`,
    ])
    const contentHash = next[0]?.content_hash
    if (!contentHash) return
    await verifyArtifact(walk, contentHash)
    after = contentHash
  }
}

async function verifyArtifact(
  { artifacts, organizationId, report }: Walk,
  contentHash: string,
): Promise<void> {
  const message = artifactFault(contentHash, await artifacts.stored(organizationId, contentHash))
  if (message) report.faults.push({ organizationId, subject: contentHash, message })
  report.artifacts += 1
}

function artifactFault(
  contentHash: string,
  stored: Awaited<ReturnType<Artifacts['stored']>>,
): string | null {
  if (!stored?.bytes) return 'it is registered, but its bytes are not in the store'
  const found = contentHashOf(stored.bytes)
  if (found !== contentHash) return `its bytes have the hash ${found}`
  return stored.byteLength === stored.bytes.length
    ? null
    : `its registered size is ${stored.byteLength} bytes, but it has ${stored.bytes.length}`
}

/** The part of a stored record that is compared with related rows. */
type Version = RecordState & { organizationId: string; resourceVersion: string; payload: unknown }

interface Subject {
  versions: readonly Version[]
  subjectEvents: readonly OperatingSystemEvent[]
}

/** Versions and events of one subject, each parsed once, or the first fault in them. */
function readSubject(
  subject: string,
  organizationId: string,
  versionRows: Rows,
  eventRows: Rows,
  head: Row | undefined,
): Subject | string {
  const texts = versionRows.map((row) => textOf(row, 'body'))
  const eventTexts = eventRows.map((row) => textOf(row, 'body'))
  for (const chain of [verifyRecordChain(texts), verifyEventChain(eventTexts)]) {
    if (!chain.isIntact) return new EvidenceError(chain.break).message
  }
  const versions = texts.map((text) => JSON.parse(text) as Version)
  const subjectEvents = eventTexts.map((text) => JSON.parse(text) as OperatingSystemEvent)
  const misplaced = versions.find((r) => r.id !== subject || r.organizationId !== organizationId)
  if (misplaced) return `a version of ${misplaced.id} is stored in its place`
  const isShifted = (row: Row, index: number) => integerOf(row, 'sequence') !== index + 1
  if (versionRows.some(isShifted)) return 'a version is stored under a wrong sequence number'
  if (eventRows.some(isShifted)) return 'an event is stored under a wrong sequence number'
  // The index columns of events must match their content.
  const isMisfiled = ({ kind, occurredAt }: OperatingSystemEvent, index: number) => {
    const row = eventRows[index] ?? {}
    return textOf(row, 'kind') !== kind || integerOf(row, 'at') !== Date.parse(occurredAt)
  }
  if (subjectEvents.some(isMisfiled)) return 'an event is stored under a wrong kind or time'
  return (
    headFault(head, versions) ?? eventFault(subjectEvents, versions) ?? { versions, subjectEvents }
  )
}

function headFault(head: Row | undefined, versions: readonly Version[]): string | null {
  const last = versions.at(-1)
  if (!head) return 'its head is missing'
  const sequence = integerOf(head, 'sequence')
  if (sequence !== versions.length) {
    return `its head is at version ${sequence}, but ${versions.length} versions are stored`
  }
  if (head.resource_version !== last?.resourceVersion) {
    return 'its head names a version other than the last one stored'
  }
  return head.status === last?.status
    ? null
    : `its head has status ${head.status}, but its last version ${last?.status}`
}

/** Every version has an event, and every event a version. */
function eventFault(
  subjectEvents: readonly OperatingSystemEvent[],
  versions: readonly Version[],
): string | null {
  const named = new Set(subjectEvents.map(({ subject }) => subject.resourceVersion))
  const unreferenced = versions.find(({ resourceVersion }) => !named.has(resourceVersion))
  if (unreferenced) return `no event names version ${unreferenced.resourceVersion}`
  for (const { resourceVersion } of versions) named.delete(resourceVersion)
  const [unknown] = named
  return unknown ? `an event names version ${unknown}, which is not stored` : null
}

/** References of the records and jobs of one organization: exact record versions, and artifacts. */
class References {
  readonly #database: Database
  readonly #organizationId: string
  /** A referencing subject, by `id|resourceVersion` or content hash. */
  readonly #versions = new Map<string, string>()
  readonly #artifacts = new Map<string, string>()
  readonly #seen: Set<string> | null

  /** @param seen is given every artifact that is named */
  constructor(database: Database, organizationId: string, seen: Set<string> | null = null) {
    this.#database = database
    this.#seen = seen
    this.#organizationId = organizationId
  }

  note(subject: string, named: unknown): void {
    this.#walk(subject, named)
  }

  /** Names noted since the last call that are not stored. */
  async faults(): Promise<HistoryFault[]> {
    const versions = await this.#without(this.#versions, [currentVersions, formerVersions])
    for (const hash of this.#artifacts.keys()) this.#seen?.add(hash)
    const artifacts = await this.#without(this.#artifacts, [storedArtifacts])
    this.#versions.clear()
    this.#artifacts.clear()
    const lost = (what: string, missing: ReadonlyMap<string, string>) =>
      [...missing].map(([name, subject]) => ({
        organizationId: this.#organizationId,
        subject,
        message: `it names the ${what} ${name.replace('|', ' at ')}, which is not stored`,
      }))
    return [...lost('version', versions), ...lost('artifact', artifacts)]
  }

  /** References that no query has found; each query receives only the missing ones. */
  async #without(
    named: ReadonlyMap<string, string>,
    questions: readonly ((organizationId: string, names: readonly string[]) => Sql)[],
  ): Promise<ReadonlyMap<string, string>> {
    const unread = new Map(named)
    for (const question of questions) {
      for (const names of chunked([...unread.keys()], limits.verifiedSubjects)) {
        const [found = []] = await this.#database.tenant(this.#organizationId, [
          question(this.#organizationId, names),
        ])
        for (const row of found) unread.delete(textOf(row, 'name'))
      }
    }
    return unread
  }

  #walk(subject: string, value: unknown): void {
    if (Array.isArray(value)) {
      for (const item of value) this.#walk(subject, item)
      return
    }
    if (typeof value !== 'object' || value === null) return
    const { issuerOrganizationId: issuer = this.#organizationId } = value as Record<string, unknown>
    // Evidence that an issuer shared with a partner is stored in the issuer's own history.
    if (issuer !== this.#organizationId) return
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

const idOf = (name: string) => name.slice(0, name.indexOf('|'))

const currentVersions = (organizationId: string, names: readonly string[]): Sql =>
  sql`select id || '|' || resource_version as name from record_heads
    where organization_id = ${organizationId} and id in ${values([...new Set(names.map(idOf))])}`

const formerVersions = (organizationId: string, names: readonly string[]): Sql =>
  sql`select id || '|' || (body::jsonb ->> 'resourceVersion') as name from records
    where organization_id = ${organizationId} and id in ${values([...new Set(names.map(idOf))])}`

const storedArtifacts = (organizationId: string, hashes: readonly string[]): Sql =>
  sql`select content_hash as name from artifacts
    where organization_id = ${organizationId} and part = 0 and content_hash in ${values(hashes)}`

function* chunked<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}
