import { contract, type OperatingSystemEvent } from '@liquidity-os/contract'
import { openEvent } from '@liquidity-os/evidence'
import { handle, type Outcome } from '../../../http/handler.ts'
import { limits } from '../../../limits.ts'
import { textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import type { ProgramPayload } from './read-program.ts'

/** One exact version and its events; events without a version reference are only counted. */
export default handle(contract.getIncentiveEvidence, async (request): Promise<Outcome> => {
  const { params, query, records, organizationId, fail } = request
  const found = await records.version<ProgramPayload>(
    ...(['IncentiveProgram', params.id, query.resourceVersion] as const),
  )
  if (!found) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const [rows = []] = await records.query([
    sql`select body from events where organization_id = ${organizationId} and subject_id = ${params.id}
      order by sequence limit ${limits.incentiveEvents}`,
  ])
  // Verifies every event against its hash again before returning it as evidence.
  const events = rows.map((row) => openEvent(textOf(row, 'body')) as OperatingSystemEvent)
  const bound = ({ subject }: OperatingSystemEvent): string | undefined => subject.resourceVersion
  return {
    data: {
      schemaVersion: 'incentive-evidence-view-v1',
      program: found.record,
      events: events.filter((event) => bound(event) === query.resourceVersion),
      unboundEventCount: events.filter((event) => !bound(event)).length,
      executionPerformed: false,
      executionAuthorityGranted: false,
    },
  }
})
