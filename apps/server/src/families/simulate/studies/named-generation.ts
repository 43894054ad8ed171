import { Failure } from '../../../failure.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'

/**
 * The version of a study that a request means: the stated version, otherwise the current one.
 *
 * @throws Failure 404 LIQUIDITY_RESOURCE_NOT_FOUND, 409 LIQUIDITY_STUDY_GENERATION_MISMATCH
 */
export async function namedGeneration(
  records: TenantRecords,
  id: string,
  resourceVersion: string | undefined,
) {
  const current = await records.current('SimulationStudy', id)
  if (!current) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
  if (resourceVersion === undefined || resourceVersion === current.record.resourceVersion) {
    return current.record
  }
  const named = await records.version('SimulationStudy', id, resourceVersion)
  if (!named) throw new Failure('LIQUIDITY_STUDY_GENERATION_MISMATCH')
  return named.record
}
