import { limits } from '../../../limits.ts'
import type { Services } from '../../../services.ts'
import { ConflictError } from '../../../store/database/database.ts'
import type { Change } from '../../../store/records/change.ts'
import type { Current, TenantRecords } from '../../../store/records/tenant-records.ts'
import type { Alert } from './alert.ts'
import { buildOpenNotice, buildResolvedNotice, type Notice, noticeIds } from './alert-notices.ts'
import { notices } from './records.ts'

/**
 * Publishes changes of an organization's alerts: opened, escalated and resolved. Each change is one
 * event. A sweep without changes writes no record.
 *
 * @param alerts all current alerts
 * @returns the notices of open alerts
 */
export async function noteAlerts(
  services: Pick<Services, 'committer' | 'log'>,
  records: TenantRecords,
  alerts: readonly Alert[],
): Promise<ReadonlyMap<string, Notice>> {
  const open = new Map(alerts.filter(({ state }) => state === 'OPEN').map((one) => [one.id, one]))
  const active = new Map(
    (await records.find<Notice>('AlertNotice', { status: ['ACTIVE'] })).map((record) => [
      record.payload.alertId,
      record,
    ]),
  )
  const news = [...open.values()].filter(
    (alert) => buildOpenNotice(active.get(alert.id) ?? null, alert) !== null,
  )
  const ids = await noticeIds(
    records,
    news.map(({ id }) => id),
  )
  const over = [...active.values()].filter(({ payload }) => !open.has(payload.alertId))
  const changed = [...news.map((alert) => ({ alert, id: ids.get(alert.id) ?? null })), ...over]
  for (let first = 0; first < changed.length; first += limits.alertCommitsAtOnce) {
    const some = changed.slice(first, first + limits.alertCommitsAtOnce)
    await Promise.all(
      some.map((one) => tryToTell(services, records, one.id, 'alert' in one ? one.alert : null)),
    )
  }
  const after =
    changed.length === 0
      ? [...active.values()]
      : await records.find<Notice>('AlertNotice', { status: ['ACTIVE'] })
  return new Map(after.map(({ payload }) => [payload.alertId, payload]))
}

/** @param alert null if it is resolved */
async function tryToTell(
  { committer, log }: Pick<Services, 'committer' | 'log'>,
  records: TenantRecords,
  noticeId: string | null,
  alert: Alert | null,
): Promise<void> {
  try {
    const current = noticeId === null ? null : await notices.current(records, noticeId)
    const change = alert ? changeOfOpen(records, current, alert) : changeOfOver(records, current)
    if (change) await committer.commit(change)
  } catch (error) {
    // Another server or a user was faster. The next sweep publishes the rest.
    if (error instanceof ConflictError) return
    log.warn({ err: error, noticeId, alert: alert?.id }, 'An alert notification failed.')
  }
}

function changeOfOpen(
  records: TenantRecords,
  current: Current<Notice> | null,
  alert: Alert,
): Change | null {
  const version = buildOpenNotice(current?.record ?? null, alert)
  if (!version) return null
  const { change } = current
    ? notices.next(records, current, version)
    : notices.first(records, version)
  return change
}

function changeOfOver(records: TenantRecords, current: Current<Notice> | null): Change | null {
  if (current?.record.status !== 'ACTIVE') return null
  return notices.next(records, current, buildResolvedNotice(current.record.payload, records.now))
    .change
}
