import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { textOf } from '../../../store/database/row.ts'
import { sql, values } from '../../../store/database/sql.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { observationName, observations } from './records.ts'

export type ObservationRecord = VersionedRecord<contract.ProjectObservation>

/** An observation of a project by number, or null. */
export async function findObservation(
  records: TenantRecords,
  projectId: string,
  version: number,
): Promise<ObservationRecord | null> {
  const [found] = await findObservations(records, projectId, [version])
  return found ?? null
}

/** Observations of a project by their numbers, newest first. */
export async function findObservations(
  records: TenantRecords,
  projectId: string,
  versions: readonly number[],
): Promise<ObservationRecord[]> {
  const found = await observationsNamed(
    records,
    versions.map((version) => observationName(projectId, version)),
  )
  return found.sort((a, b) => b.payload.version - a.payload.version)
}

/** The latest observation of each saved project, in any order. */
export const latestObservations = (
  records: TenantRecords,
  projects: readonly VersionedRecord<contract.SavedProject>[],
): Promise<ObservationRecord[]> =>
  observationsNamed(
    records,
    projects.map(({ id, payload }) => observationName(id, payload.latest.version)),
  )

async function observationsNamed(
  records: TenantRecords,
  names: readonly ReturnType<typeof observationName>[],
): Promise<ObservationRecord[]> {
  const [first] = names
  if (!first) return []
  const [rows = []] = await records.query([
    sql`select record_id from names where organization_id = ${records.organizationId}
      and kind = ${first.kind} and name in ${values(names.map(({ name }) => name))}`,
  ])
  return observations.find(records, { ids: rows.map((row) => textOf(row, 'record_id')) })
}
