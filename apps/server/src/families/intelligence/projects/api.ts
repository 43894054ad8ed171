import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { observations, projects } from './records.ts'

/** Public API for other families: saved projects, their observations and differences. */
export { changesBetween } from './changes.ts'
export {
  findObservation,
  latestObservations,
  type ObservationRecord,
} from './find-observation.ts'

export const savedProjects = (
  records: TenantRecords,
): Promise<VersionedRecord<contract.SavedProject>[]> => projects.find(records, {})

/** Observations by record id, in any order. Missing ones are omitted. */
export const observationsById = (
  records: TenantRecords,
  ids: readonly string[],
): Promise<VersionedRecord<contract.ProjectObservation>[]> => observations.find(records, { ids })
