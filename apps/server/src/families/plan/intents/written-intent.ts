import type { contract } from '@liquidity-os/contract'
import type { SealedRecord, VersionedRecord } from '@liquidity-os/evidence'
import type { Outcome } from '../../../http/handler.ts'
import type { Change } from '../../../store/records/change.ts'
import type { Evaluated } from './evaluate-intent.ts'

type Intent = contract.IssuerIntent
type Study = contract.CapitalRequirementStudy

export const refOf = ({ resourceType, id, resourceVersion }: VersionedRecord) => ({
  resourceType,
  id,
  resourceVersion,
})

export function intentPayload(
  request: Intent['request'],
  study: VersionedRecord<Study>,
  { projection, checks }: Pick<Evaluated, 'projection' | 'checks'>,
  isOwnStudy: boolean,
): Intent {
  return {
    request,
    capitalRequirement: refOf(study),
    isOwnStudy,
    projection,
    checks,
    executionAuthorityGranted: false,
    executionPerformed: false,
  }
}

export const eventPayloadOf = ({ capitalRequirement, checks }: Intent) => ({
  capitalRequirement,
  open: checks.filter(({ result }) => result !== 'PASS').map(({ check }) => check),
})

/** The response contains both records; its ETag is that of the intent. */
export function writtenReply(
  status: 200 | 201,
  intent: SealedRecord<Intent>,
  study: VersionedRecord<Study>,
  change: Change,
): Outcome {
  const data = { intent: intent.record, capitalRequirement: study }
  return { status, data, etag: intent.resourceVersion, change }
}
