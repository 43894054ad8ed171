import { EvidenceError, verifyEventChain, verifyRecordChain } from '@liquidity-os/evidence'
import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { contentHashOf } from './statements.ts'

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

// Chains are read in pages of whole subjects, so memory stays flat whatever the history.
const subjectsAtOnce = 500

/**
 * Walks every record chain and every event chain, and holds heads, records and events against each other: a
 * version without its event, or a head without its version, is a deleted row.
 */
export async function verifyHistory(
  database: Database,
  organizationId: string | null,
): Promise<HistoryReport> {
  const [rows = []] = await database.global([
    organizationId === null
      ? sql`select id from organizations order by id`
      : sql`select id from organizations where id = ${organizationId}`,
  ])
  const report: HistoryReport = {
    organizations: rows.length,
    records: 0,
    events: 0,
    artifacts: 0,
    faults: [],
  }
  for (const row of rows) {
    await verifyOrganization(database, row.id ?? '', report)
    await verifyArtifacts(database, row.id ?? '', report)
  }
  return report
}

async function verifyOrganization(
  database: Database,
  organizationId: string,
  report: HistoryReport,
): Promise<void> {
  for (let after = ''; ; ) {
    const [subjects = []] = await database.tenant(organizationId, [
      sql`select distinct id from (
          select id from record_heads where organization_id = ${organizationId} and id > ${after}
          union select id from records where organization_id = ${organizationId} and id > ${after}
          union select subject_id from events where organization_id = ${organizationId} and subject_id > ${after}
        ) as subjects order by id limit ${subjectsAtOnce}`,
    ])
    const last = subjects.at(-1)?.id
    if (!last) return
    await verifySubjects(database, organizationId, after, last, report)
    after = last
  }
}

/** Hashes every artifact again, one at a time; its address is the hash of its bytes. */
async function verifyArtifacts(
  database: Database,
  organizationId: string,
  report: HistoryReport,
): Promise<void> {
  for (let after = ''; ; ) {
    const [next = []] = await database.tenant(organizationId, [
      sql`select content_hash, byte_length from artifacts where organization_id = ${organizationId}
        and part = 0 and content_hash > ${after} order by content_hash limit 1`,
    ])
    const contentHash = next[0]?.content_hash
    if (!contentHash) return
    const [parts = []] = await database.tenant(organizationId, [
      sql`select encode(content, 'base64') as content from artifacts
        where organization_id = ${organizationId} and content_hash = ${contentHash} order by part`,
    ])
    const bytes = Buffer.concat(parts.map((row) => Buffer.from(row.content ?? '', 'base64')))
    if (contentHashOf(bytes) !== contentHash) {
      const message = `its bytes have the hash ${contentHashOf(bytes)}`
      report.faults.push({ organizationId, subject: contentHash, message })
    }
    report.artifacts += 1
    after = contentHash
  }
}

async function verifySubjects(
  database: Database,
  organizationId: string,
  after: string,
  last: string,
  report: HistoryReport,
): Promise<void> {
  const within = (column: string) => ({
    text: sql`organization_id = ${organizationId} and ${{ text: column }} > ${after} and ${{ text: column }} <= ${last}`
      .text,
  })
  const [heads = [], records = [], events = []] = await database.tenant(organizationId, [
    sql`select id, sequence, resource_version from record_heads where ${within('id')}`,
    sql`select id, body from records where ${within('id')} order by id, sequence`,
    sql`select subject_id as id, body from events where ${within('subject_id')} order by subject_id, sequence`,
  ])
  const versionsOf = Map.groupBy(records, (row) => row.id ?? '')
  const eventsOf = Map.groupBy(events, (row) => row.id ?? '')
  const headOf = new Map(heads.map((row) => [row.id ?? '', row]))
  report.records += records.length
  report.events += events.length
  const ids = new Set([...versionsOf.keys(), ...eventsOf.keys(), ...headOf.keys()])
  for (const subject of [...ids].sort()) {
    const versions = (versionsOf.get(subject) ?? []).map((row) => row.body ?? '')
    const told = (eventsOf.get(subject) ?? []).map((row) => row.body ?? '')
    for (const message of faultsOf(subject, organizationId, versions, told, headOf.get(subject))) {
      report.faults.push({ organizationId, subject, message })
    }
  }
}

function faultsOf(
  subject: string,
  organizationId: string,
  versions: readonly string[],
  told: readonly string[],
  head: { sequence?: string | null; resource_version?: string | null } | undefined,
): string[] {
  const recordChain = verifyRecordChain(versions)
  const eventChain = verifyEventChain(told)
  const faults = [recordChain, eventChain].flatMap((chain) =>
    chain.isIntact ? [] : [new EvidenceError(chain.break).message],
  )
  if (faults.length > 0) return faults
  const parsed = versions.map(
    (text) => JSON.parse(text) as { id: string; organizationId: string; resourceVersion: string },
  )
  const misplaced = parsed.find((r) => r.id !== subject || r.organizationId !== organizationId)
  if (misplaced) return [`a version of ${misplaced.id} stands in its place`]
  if (!head) return ['its head is missing']
  if (Number(head.sequence) !== versions.length) {
    return [`its head is at version ${head.sequence}, but ${versions.length} versions are stored`]
  }
  if (head.resource_version !== parsed.at(-1)?.resourceVersion) {
    return ['its head names another version than the last one stored']
  }
  const named = new Set(
    told.map(
      (text) =>
        (JSON.parse(text) as { subject: { resourceVersion: string } }).subject.resourceVersion,
    ),
  )
  const untold = parsed.find(({ resourceVersion }) => !named.has(resourceVersion))
  return untold ? [`no event tells of version ${untold.resourceVersion}`] : []
}
