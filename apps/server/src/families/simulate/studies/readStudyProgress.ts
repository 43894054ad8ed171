import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { optionalTextOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'

export default handle(contract.readStudyProgress, async (request): Promise<Outcome> => {
  const { params, records, organizationId, fail } = request
  const study = await records.current<contract.SimulationStudy>('SimulationStudy', params.id)
  if (!study) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const { id, resourceVersion, status } = study.record
  const ref = { id, resourceVersion }
  if (status !== 'VALIDATED' && status !== 'ACTIVE') {
    return {
      data: { study: ref, state: 'ENDED', estimates: null } satisfies contract.StudyProgress,
    }
  }
  const [rows = []] = await records.query([
    sql`select preliminary from jobs where organization_id = ${organizationId}
      and kind = 'STUDY_RUN' and subject_id = ${id} and status in ('QUEUED', 'RUNNING')`,
  ])
  const estimatesText = rows[0] ? optionalTextOf(rows[0], 'preliminary') : null
  const estimates =
    estimatesText === null ? null : (JSON.parse(estimatesText) as contract.StudyEstimates)
  const state = estimates === null ? 'WAITING' : 'PRELIMINARY'
  return { data: { study: ref, state, estimates } satisfies contract.StudyProgress }
})
