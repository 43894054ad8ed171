import { contract } from '@liquidity-os/contract'
import { openEvent, openRecord } from '@liquidity-os/evidence'
import { sql } from '../../../database/sql.ts'
import { handle, type Outcome } from '../../../http/handler.ts'

const mostVersions = 1000
const mostStudies = 200

/** Everything that speaks for a strategy: its versions, the studies that ran it, and its history. */
export default handle(contract.getStrategyEvidence, async (request): Promise<Outcome> => {
  const { params, records, organizationId, fail } = request
  const current = await records.current('StrategyDefinitionV2', params.id)
  if (!current) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const [versions = [], events = [], studies = []] = await records.query([
    sql`select body from records where organization_id = ${organizationId} and id = ${params.id}
      order by sequence limit ${mostVersions}`,
    sql`select body from events where organization_id = ${organizationId} and subject_id = ${params.id}
      order by sequence limit ${mostVersions}`,
    sql`select r.body from record_heads h join records r on r.organization_id = ${organizationId}
        and r.id = h.id and r.sequence = h.sequence
      where h.organization_id = ${organizationId} and h.id >= 'study_0' and h.id < 'study_g'
      and jsonb_path_exists(r.body::jsonb, '$.payload.spec.arms[*].strategy ? (@.id == $id)',
        jsonb_build_object('id', ${params.id}::text))
      order by h.id desc limit ${mostStudies}`,
  ])
  // Each is checked against its hash again: what is shown as evidence has to be evidence.
  const opened = (rows: readonly { body?: string | null }[], open: (text: string) => unknown) =>
    rows.map(({ body }) => open(body ?? ''))
  return {
    data: {
      strategy: current.record,
      versions: opened(versions, openRecord),
      studies: opened(studies, openRecord),
      events: opened(events, openEvent),
    },
  }
})
