import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { queuedJob } from '../../../jobs/job.ts'
import { emptyChange } from '../../../store/records/change.ts'
import { namedGeneration, reportJob } from '../studies/api.ts'

const operation = contract.createSignedStudyReport

/** Statuses of a study that has a result. */
const reportable: readonly string[] = ['COMPLETED', 'PARTIAL', 'ABSTAINED']

export default handle(operation, async (request): Promise<Outcome> => {
  const { params, body, actor, organizationId, records, now, fail } = request
  const { formats = contract.reportFormats, brandPartnerId } = body.payload
  const study = await namedGeneration(
    records,
    params.id,
    body.payload.resourceVersion,
    request.precondition,
  )
  if (study.status === 'FAILED') throw fail('LIQUIDITY_STUDY_FAILED')
  if (!reportable.includes(study.status)) throw fail('LIQUIDITY_STUDY_NOT_TERMINAL')
  if (brandPartnerId !== undefined) {
    // A consent permits a partner's name on passports of a vault, but not on reports.
    throw fail('LIQUIDITY_STUDY_REPORT_BRAND_UNKNOWN', {
      fieldErrors: {
        'payload.brandPartnerId': [
          `must be omitted: no consent allows a partner brand on a report, got ${brandPartnerId}`,
        ],
      },
    })
  }
  const { evidenceHashes = [], reason } = body
  const requestedBy = { kind: actor.kind, id: actor.id }
  const job = reportJob(study, { formats, reason, evidenceHashes, requestedBy }, now)
  const change = { ...emptyChange(organizationId, now), jobs: [job] }
  return { status: 201, data: queuedJob(job, now), change }
})
