import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { jobOf } from '../../../jobs/job.ts'
import { sql } from '../../../store/database/sql.ts'
import { pageOf, pageText } from '../../collection.ts'

const operation = contract.listStudyReportJobs

/** Newest first, because job ids sort by time. */
export default handle(operation, async (request): Promise<Outcome> => {
  const { params, records, organizationId, fail } = request
  const { after, limit } = pageOf(operation, request)
  if (!(await records.text('SimulationStudy', params.id))) {
    throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  }
  const [rows = []] = await records.query([
    sql`select * from jobs where organization_id = ${organizationId} and kind = 'STUDY_REPORT'
      and subject_id = ${params.id} ${after ? sql`and id < ${after}` : { text: '' }}
      order by id desc limit ${limit + 1}`,
  ])
  const shown = rows.slice(0, limit)
  return {
    text: pageText(operation, request, {
      texts: shown.map((row) => JSON.stringify(jobOf(row))),
      lastId: shown.at(-1)?.id ?? null,
      hasMore: rows.length > limit,
    }),
  }
})
