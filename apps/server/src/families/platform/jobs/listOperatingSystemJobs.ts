import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { jobOf, operatorJobOf } from '../../../jobs/job.ts'
import { sql } from '../../../store/database/sql.ts'
import { pageOf, pageText } from '../../collection.ts'

const operation = contract.listOperatingSystemJobs

export default handle(operation, async (request): Promise<Outcome> => {
  const { after, limit } = pageOf(operation, request)
  const { organizationId, query, actor } = request
  const viewOf = actor.permissions.has('operate') ? operatorJobOf : jobOf
  const [rows = []] = await request.records.query([
    sql`select * from jobs where organization_id = ${organizationId}
      ${after ? sql`and id < ${after}` : { text: '' }}
      ${query.status ? sql`and status = ${query.status}` : { text: '' }}
      ${query.kind ? sql`and kind = ${query.kind}` : { text: '' }}
      ${query.subjectId ? sql`and subject_id = ${query.subjectId}` : { text: '' }}
      order by id desc limit ${limit + 1}`,
  ])
  const shown = rows.slice(0, limit)
  return {
    text: pageText(operation, request, {
      texts: shown.map((row) => JSON.stringify(viewOf(row))),
      lastId: shown.at(-1)?.id ?? null,
      hasMore: rows.length > limit,
    }),
  }
})
