import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { Failure } from '../../../failure.ts'
import type { Change } from '../../../store/records/change.ts'
import { emptyChange, joinChanges } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { capitalRequirements } from '../capital-requirements/api.ts'
import { type Evaluated, evaluateIntent, requirePassed } from './evaluate-intent.ts'
import { intents } from './records.ts'
import { eventPayloadOf, intentPayload, writtenReply } from './written-intent.ts'

type Intent = contract.IssuerIntent
type Study = contract.CapitalRequirementStudy
type Written = { readonly record: VersionedRecord<Study>; readonly change: Change }

export default intents.supersede(contract.supersedeIntents, {
  to: ({ body: { status, payload } }, before) => {
    if (status !== undefined) return status
    // Changing a paused intent returns it to DRAFT, because the validation covered the old content.
    return payload && before.status === 'PAUSED' ? 'DRAFT' : before.status
  },
  admit: ({ body: { status, payload } }, before) => {
    if (before.status !== 'PAUSED' || !payload || status === undefined) return
    if (status === 'DRAFT' || status === 'REVOKED') return
    throw new Failure('LIQUIDITY_INTENT_TRANSITION_OUT_OF_BOUNDS', {
      fieldErrors: { status: [`must be DRAFT if a paused intent changes, got ${status}`] },
    })
  },
  decide: async ({ body, records }, before, to) => {
    const request = body.payload ?? before.payload.request
    const evaluated = await evidenceFor(records, request, to)
    if (evaluated && to === 'VALIDATED') requirePassed(evaluated.checks)
    const { reason } = body
    const study = evaluated
      ? await nextStudy(records, before.payload, evaluated, reason)
      : await readStudyOf(records, before.payload)
    const payload = evaluated
      ? intentPayload(request, study.record, evaluated, true)
      : { ...before.payload, request }
    return {
      payload,
      event: 'intent.superseded',
      eventPayload: { ...eventPayloadOf(payload), isEvidenceKept: evaluated === null },
      complete: async (sealed, change) =>
        writtenReply(200, sealed, study.record, joinChanges(change, study.change)),
    }
  },
})

/**
 * Recomputes the evidence. Null if unavailable while stopping an intent, because pausing and
 * revoking must always work.
 */
async function evidenceFor(
  records: TenantRecords,
  request: Intent['request'],
  to: string,
): Promise<Evaluated | null> {
  try {
    return await evaluateIntent(records, request)
  } catch (error) {
    const isBrake = to === 'PAUSED' || to === 'REVOKED'
    if (isBrake && error instanceof Failure) return null
    throw error
  }
}

/** The next version of the intent's study, or the first version of a new one. */
async function nextStudy(
  records: TenantRecords,
  { isOwnStudy, capitalRequirement: { id } }: Intent,
  { study }: Evaluated,
  reason: string,
): Promise<Written> {
  const current = isOwnStudy ? await capitalRequirements.current(records, id) : null
  const version = { ...study, reason }
  const { sealed, change } = current
    ? capitalRequirements.next(records, current, version)
    : capitalRequirements.first(records, version)
  return { record: sealed.record, change }
}

async function readStudyOf(
  records: TenantRecords,
  { capitalRequirement: { id, resourceVersion } }: Intent,
): Promise<Written> {
  const type = 'CapitalRequirementStudy'
  const found = await records.version<Study>(type, id, resourceVersion)
  if (!found) throw new Error(`The study ${id} of an intent does not exist.`)
  return { record: found.record, change: emptyChange(records.organizationId, records.now) }
}
