import { contract } from '@liquidity-os/contract'
import { type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import { queuedJob } from '../../../jobs/job.ts'
import { emptyChange } from '../../../records/change.ts'
import { newId } from '../../../records/ids.ts'

const operation = contract.createSignedStudyReport
type Request = HandlerRequest<typeof operation>

/** Statuses of a study that has a result. */
const reportable: readonly string[] = ['COMPLETED', 'PARTIAL', 'ABSTAINED']

export default handle(operation, async (request): Promise<Outcome> => {
  const { body, actor, organizationId, now, fail } = request
  const { formats = contract.reportFormats, brandPartnerId } = body.payload
  const study = await namedStudy(request)
  if (study.status === 'FAILED') throw fail('LIQUIDITY_STUDY_FAILED')
  if (!reportable.includes(study.status)) throw fail('LIQUIDITY_STUDY_NOT_TERMINAL')
  if (brandPartnerId !== undefined) {
    // No partner can consent yet, so none lends its name.
    throw fail('LIQUIDITY_STUDY_REPORT_BRAND_UNKNOWN', {
      fieldErrors: { 'payload.brandPartnerId': [`names no partner: ${brandPartnerId}`] },
    })
  }
  const { id, resourceType, resourceVersion } = study
  const job = {
    id: newId('job', now),
    kind: 'STUDY_REPORT',
    subject: { resourceType, id, resourceVersion },
    input: {
      // In one order, so that the same wish has the same bytes.
      formats: contract.reportFormats.filter(
        (format) => format !== 'json' && formats.includes(format),
      ),
      reason: body.reason,
      evidenceHashes: body.evidenceHashes ?? [],
      requestedBy: { kind: actor.kind, id: actor.id },
    },
  }
  const change = { ...emptyChange(organizationId, now), jobs: [job] }
  return { status: 201, data: queuedJob(job, now), change }
})

/** The generation that is reported: the named one, else the current one. */
async function namedStudy({ params, body, records, fail }: Request) {
  const current = await records.current('SimulationStudy', params.id)
  if (!current) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const { resourceVersion } = body.payload
  if (resourceVersion === undefined || resourceVersion === current.record.resourceVersion) {
    return current.record
  }
  const named = await records.version('SimulationStudy', params.id, resourceVersion)
  if (!named) throw fail('LIQUIDITY_STUDY_GENERATION_MISMATCH')
  return named.record
}
