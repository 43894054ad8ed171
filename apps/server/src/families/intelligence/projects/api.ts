import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { observations, projects } from './records.ts'

/** What other families may use of saved projects: the projects that there are, their observations, and what changed between two. */
export { changesBetween } from './changes.ts'
export { findObservation, type ObservationRecord } from './find-observation.ts'

export const savedProjects = (
  records: TenantRecords,
): Promise<VersionedRecord<contract.SavedProject>[]> => projects.find(records, {})

/** Observations by their records, in any order; those that are not there are left out. */
export const observationsById = (
  records: TenantRecords,
  ids: readonly string[],
): Promise<VersionedRecord<contract.ProjectObservation>[]> => observations.find(records, { ids })
