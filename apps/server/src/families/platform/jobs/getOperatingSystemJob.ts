import { contract } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import { handle } from '../../../http/handler.ts'
import { jobOf, operatorJobOf } from '../../../jobs/job.ts'
import { sql } from '../../../store/database/sql.ts'

export default handle(contract.getOperatingSystemJob, async ({ records, params, actor }) => {
  const [[row] = []] = await records.query([
    sql`select * from jobs where organization_id = ${records.organizationId} and id = ${params.id}`,
  ])
  if (!row) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
  const viewOf = actor.permissions.has('operate') ? operatorJobOf : jobOf
  return { data: viewOf(row) }
})
