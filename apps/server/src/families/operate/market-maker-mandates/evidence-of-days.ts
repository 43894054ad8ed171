import type { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import { textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { type DayBatch, readExact } from './batch-measures.ts'
import { dayText } from './mandate-terms.ts'
import { dayKind, numberKind, observations, windowKind } from './records.ts'

/** Daily sums, stored with the last batch that changed the day. */
export interface StoredDay {
  readonly day: number
  readonly bytes: Uint8Array
  /** Hash of the mandate terms behind the sums. */
  readonly terms: string
  readonly batches: readonly DayBatch[]
}

/** Bounds of all names that start with the prefix and a bar. */
const below = (prefix: string) => ({ from: `${prefix}|`, to: `${prefix}}` })

/** Amount of evidence of a mandate. */
export async function lastNumber(records: TenantRecords, mandateId: string): Promise<number> {
  const { from, to } = below(mandateId)
  const [rows = []] = await records.query([
    sql`select name from names where organization_id = ${records.organizationId} and kind = ${numberKind}
      and name > ${from} and name < ${to} order by name desc limit 1`,
  ])
  return rows[0] ? Number(textOf(rows[0], 'name').slice(from.length)) : 0
}

/**
 * Stored daily sums.
 *
 * @param days start times in Unix seconds
 * @returns by start of day; days without evidence are absent
 */
export async function readStoredDays(
  records: TenantRecords,
  mandateId: string,
  days: readonly number[],
): Promise<Map<number, StoredDay>> {
  const { organizationId } = records
  const answers = await records.query(
    days.map((day) => {
      const { from, to } = below(`${mandateId}|${dayText(day)}`)
      return sql`select record_id from names where organization_id = ${organizationId}
        and kind = ${dayKind} and name > ${from} and name < ${to} order by name desc limit 1`
    }),
  )
  const holders = days.flatMap((day, index) => {
    const row = answers[index]?.[0]
    return row ? [{ day, id: textOf(row, 'record_id') }] : []
  })
  const ids = [...new Set(holders.map(({ id }) => id))]
  const found = ids.length === 0 ? [] : await observations.find(records, { ids })
  const byId = new Map(found.map((record) => [record.id, record.payload]))
  const stored = await Promise.all(
    holders.map(async ({ day, id }): Promise<StoredDay> => {
      const payload = byId.get(id) as contract.MandateBookBatch | undefined
      const entry = payload?.days.find((one) => one.day === dayText(day))
      if (!entry) throw new Error(`${id} has the name of ${dayText(day)} but not its sums.`)
      const bytes = await records.artifact(entry.artifact)
      const { batches } = readExact<{ batches: readonly DayBatch[] }>(bytes)
      return { day, bytes, terms: entry.terms, batches }
    }),
  )
  return new Map(stored.map((one) => [one.day, one]))
}

/** Artifacts by their hashes, a few at a time. */
export async function artifactsOf(
  records: TenantRecords,
  hashes: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const wanted = [...new Set(hashes)]
  const found = new Map<string, Uint8Array>()
  for (let at = 0; at < wanted.length; at += limits.mandateReadsAtOnce) {
    const some = wanted.slice(at, at + limits.mandateReadsAtOnce)
    const read = await Promise.all(some.map((hash) => records.artifact(hash)))
    for (const [index, hash] of some.entries()) found.set(hash, read[index]!)
  }
  return found
}

/** A published window, parsed from its name. */
export interface PublishedWindow {
  readonly from: string
  readonly verdict: contract.KpiEvaluation['verdict']
  readonly at: string
}

/** Publication state of windows; null for an unpublished window. */
export async function findPublished(
  records: TenantRecords,
  mandateId: string,
  windows: readonly { readonly kpiId: string; readonly from: string }[],
): Promise<(PublishedWindow | null)[]> {
  const answers = await records.query(
    windows.map(({ kpiId, from }) => selectLastPublished(records, `${mandateId}|${kpiId}|${from}`)),
  )
  return windows.map((_, index) => parsePublished(answers[index]?.[0]))
}

/** Last published window per KPI. */
export async function findLastPublished(
  records: TenantRecords,
  mandateId: string,
  kpiIds: readonly string[],
): Promise<(PublishedWindow | null)[]> {
  const answers = await records.query(
    kpiIds.map((kpiId) => selectLastPublished(records, `${mandateId}|${kpiId}`)),
  )
  return kpiIds.map((_, index) => parsePublished(answers[index]?.[0]))
}

function selectLastPublished({ organizationId }: TenantRecords, prefix: string) {
  const { from, to } = below(prefix)
  return sql`select name from names where organization_id = ${organizationId} and kind = ${windowKind}
    and name > ${from} and name < ${to} order by name desc limit 1`
}

function parsePublished(row: Parameters<typeof textOf>[0] | undefined): PublishedWindow | null {
  if (!row) return null
  const [, , from, verdict, at] = textOf(row, 'name').split('|') as [
    ...[string, string, string, PublishedWindow['verdict'], string],
  ]
  return { from, verdict, at }
}
