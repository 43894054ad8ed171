import { Failure } from '../../../failure.ts'
import { reviewedVersion } from '../../../http/reviewed-version.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'

/**
 * The version of a study that a request means: the version in the body, otherwise the current one.
 *
 * @param precondition from If-Match; must name the current version
 * @throws Failure 404 LIQUIDITY_RESOURCE_NOT_FOUND, 412, 409 LIQUIDITY_STUDY_GENERATION_MISMATCH
 */
export async function namedGeneration(
  records: TenantRecords,
  id: string,
  resourceVersion: string | undefined,
  precondition: string | null,
) {
  reviewedVersion(precondition, resourceVersion, 'payload.resourceVersion')
  const current = await records.reviewed('SimulationStudy', id, precondition)
  if (resourceVersion === undefined || resourceVersion === current.record.resourceVersion) {
    return current.record
  }
  const named = await records.version('SimulationStudy', id, resourceVersion)
  if (!named) throw new Failure('LIQUIDITY_STUDY_GENERATION_MISMATCH')
  return named.record
}
