import { contract } from '@liquidity-os/contract'
import { openEvent } from '@liquidity-os/evidence'
import { type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import { limits } from '../../../limits.ts'
import { textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import { fetchedBytes } from '../../fetched-bytes.ts'

const operation = contract.downloadStudyReport
type Request = HandlerRequest<typeof operation>

export default handle(operation, async (request): Promise<Outcome> => {
  const { params, organizationId, services, fail } = request
  const { contentHash, format } = params
  const signed = await signedBodies(request)
  const hash = format === 'json' ? signed[0] : await renderingIn(request, signed)
  if (!hash) {
    throw fail('LIQUIDITY_RESOURCE_NOT_FOUND', {
      message: `The report ${contentHash} has no ${format} rendering. Create a report with this format.`,
    })
  }
  const isShown = format === 'html' || format === 'pdf'
  return fetchedBytes(services, organizationId, hash, { called: 'study', ending: format, isShown })
})

/**
 * Hashes of the signed bodies with this content, newest first, from the study's events. The content
 * does not depend on the requested formats.
 */
async function signedBodies({ params, organizationId, records, fail }: Request): Promise<string[]> {
  const { id, contentHash } = params
  if (!(await records.text('SimulationStudy', id))) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const [events = [], waiting = []] = await records.query([
    sql`select body from events where organization_id = ${organizationId} and subject_id = ${id}
      and position(${`"contentHash":"${contentHash}"`} in body) > 0 order by sequence desc`,
    sql`select 1 from jobs where organization_id = ${organizationId} and subject_id = ${id}
      and kind = 'STUDY_REPORT' and status in ('QUEUED', 'RUNNING') limit 1`,
  ])
  const hashes = events
    .map((row) => openEvent(textOf(row, 'body')))
    .filter(({ kind }) => kind === 'study.report_signed')
    // The job that signed it wrote this.
    .map(({ payload }) => payload as { contentHash: string; reportHash: string })
    .filter((signed) => signed.contentHash === contentHash)
    .map(({ reportHash }) => reportHash)
  if (hashes.length > 0) return [...new Set(hashes)]
  throw fail('LIQUIDITY_RESOURCE_NOT_FOUND', {
    ...(waiting.length > 0 ? { retryAfterSeconds: limits.reportRetrySeconds } : {}),
  })
}

/** The hash of the rendering in the newest report body that lists this format. */
async function renderingIn(
  { params, organizationId, services }: Request,
  signed: readonly string[],
): Promise<string | undefined> {
  for (const hash of signed) {
    const body = await services.artifacts.find(organizationId, hash)
    if (!body) continue
    // The job that signed it wrote this.
    const { renderings } = JSON.parse(body.toString()) as contract.StudyReport
    const drawn = renderings.find(({ format }) => format === params.format)
    if (drawn) return drawn.hash
  }
  return undefined
}
