import { limits } from '../../../limits.ts'
import type { RecordSweeping, ScheduleReading } from '../../../services.ts'
import { textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import { TenantRecords } from '../../../store/records/tenant-records.ts'
import { handled } from './alert-notices.ts'
import { alertsOf } from './alerts.ts'
import { queueMessages } from './messages/queue-messages.ts'
import { noteAlerts } from './note-alerts.ts'
import { commitEvaluation } from './thresholds/commit-evaluation.ts'

/** Checks the alerts of every organization, publishes changes and queues the messages of alert rules. */
export async function sweepAlerts(services: RecordSweeping & ScheduleReading): Promise<void> {
  const { database, log } = services
  for (let after = ''; ; ) {
    const [organizations = []] = await database.dispatch([
      sql`select id from organizations where id > ${after} order by id limit ${limits.sweptOrganizations}`,
    ])
    const ids = organizations.map((row) => textOf(row, 'id'))
    for (const organizationId of ids) {
      try {
        await sweepOf(services, organizationId)
      } catch (error) {
        // Unreadable data of one organization must not block the others.
        log.warn({ err: error, organizationId }, 'The alert sweep of an organization failed.')
      }
    }
    const last = ids.at(-1)
    if (last === undefined || ids.length < limits.sweptOrganizations) return
    after = last
  }
}

async function sweepOf(
  services: RecordSweeping & ScheduleReading,
  organizationId: string,
): Promise<void> {
  const { database, verified, artifacts, clock } = services
  await commitEvaluation(services, organizationId, { kind: 'ALL' })
  const records = new TenantRecords({
    purpose: 'JOB',
    organizationId,
    actor: { kind: 'SYSTEM', id: 'alert-sweep' },
    now: clock(),
    database,
    verified,
    artifacts,
  })
  const alerts = await alertsOf(records, services)
  const notices = await noteAlerts(services, records, alerts)
  const handledAlerts = alerts.map((alert) => handled(alert, notices.get(alert.id), records.now))
  await queueMessages(records, handledAlerts)
}
