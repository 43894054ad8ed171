import type { contract } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import { reviewedVersion } from '../../../http/reviewed-version.ts'
import type { Current, TenantRecords } from '../../../store/records/tenant-records.ts'

/**
 * Reviewed version of the seed study.
 *
 * @throws Failure 428 if none is stated, 404, 412, and 409 for a withheld study
 */
export async function usableStudy(
  records: TenantRecords,
  id: string,
  precondition: string | null,
  named: string | undefined,
): Promise<Current<contract.CapitalRequirementStudy>> {
  const reviewed = reviewedVersion(precondition, named, 'studyResourceVersion')
  const exists = await records.text('CapitalRequirementStudy', id)
  if (!exists) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
  if (reviewed === null) throw new Failure('LIQUIDITY_STUDIO_PRECONDITION_REQUIRED')
  const current = await records.reviewed<contract.CapitalRequirementStudy>(
    'CapitalRequirementStudy',
    id,
    reviewed,
  )
  if (current.record.status !== 'ABSTAINED') return current
  throw new Failure('LIQUIDITY_CAPITAL_STUDY_UNUSABLE', {
    fieldErrors: { id: current.record.payload.computation.gaps.map(({ detail }) => detail) },
  })
}
