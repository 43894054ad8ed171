import type { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import { textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import { findStatement } from '../../../store/records/find.ts'
import type { Current, TenantRecords, Version } from '../../../store/records/tenant-records.ts'
import type { Alert } from './alert.ts'
import { ranks } from './alerts.ts'
import { alertName, notices } from './records.ts'

export type Notice = contract.AlertNotice
export type HandledAlert = contract.Alert

/** Recent notices, by alert id. */
export async function noticesOf(records: TenantRecords): Promise<ReadonlyMap<string, Notice>> {
  const newest = findStatement(records.organizationId, 'AlertNotice', {
    limit: limits.alertNotices,
  })
  const [rows = []] = await records.query([newest])
  return new Map(records.opened<Notice>(rows).map(({ payload }) => [payload.alertId, payload]))
}

/** Adds the acknowledgment and mute state to an alert. */
export function handled(alert: Alert, notice: Notice | undefined, now: number): HandledAlert {
  const until = notice?.mutedUntil ?? null
  return {
    ...alert,
    acknowledged: alert.state === 'OPEN' ? (notice?.acknowledged ?? null) : null,
    mutedUntil: until !== null && Date.parse(until) > now ? until : null,
  }
}

/** Returns the notice of an alert, or null if none was published. */
export async function noticeOf(
  records: TenantRecords,
  alertId: string,
): Promise<Current<Notice> | null> {
  const id = await records.holder({ kind: alertName, name: alertId })
  return id === null ? null : notices.current(records, id)
}

export async function noticeIds(
  records: TenantRecords,
  alertIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (alertIds.length === 0) return new Map()
  const [rows = []] = await records.query([
    sql`select name, record_id from names where organization_id = ${records.organizationId}
      and kind = ${alertName} and name in (${{ text: alertIds.map((id) => sql`${id}`.text).join(',') }})`,
  ])
  return new Map(rows.map((row) => [textOf(row, 'name'), textOf(row, 'record_id')]))
}

/**
 * Returns the notice version for an open alert: opened or escalated, or null if unchanged. A lower
 * severity is not published. The notice retains the highest severity until the alert resolves.
 */
export function buildOpenNotice(
  before: { readonly status: string; readonly payload: Notice } | null,
  alert: Alert,
): Version<Notice> | null {
  const isOpen = before?.status === 'ACTIVE'
  const { id: alertId, source, kind, severity, title, openedAt, subject, evidenceHash } = alert
  const notice = { alertId, source, kind, severity, title, openedAt, subject, evidenceHash }
  const mutedUntil = before?.payload.mutedUntil ?? null
  if (!isOpen) {
    return {
      status: 'ACTIVE',
      payload: { ...notice, resolvedAt: null, acknowledged: null, mutedUntil },
      reason: title,
      evidenceHashes: [evidenceHash],
      event: 'alert.opened',
      eventPayload: buildEventPayload(alert),
    }
  }
  if (ranks[severity] <= ranks[before.payload.severity]) return null
  return {
    status: 'ACTIVE',
    payload: { ...before.payload, ...notice, openedAt: before.payload.openedAt },
    reason: title,
    evidenceHashes: [evidenceHash],
    event: 'alert.escalated',
    eventPayload: { ...buildEventPayload(alert), previousSeverity: before.payload.severity },
  }
}

export function buildResolvedNotice(before: Notice, now: number): Version<Notice> {
  const resolvedAt = new Date(now).toISOString()
  return {
    status: 'RETIRED',
    payload: { ...before, resolvedAt },
    reason: 'The alert condition has cleared',
    evidenceHashes: [before.evidenceHash],
    event: 'alert.resolved',
    eventPayload: { ...buildEventPayload({ ...before, id: before.alertId }), resolvedAt },
  }
}

/** Event payload of an alert. It is complete, so the receiver needs no further request. */
export function buildEventPayload(
  alert: Pick<Alert, 'id' | 'kind' | 'severity' | 'title' | 'openedAt' | 'subject'>,
): Readonly<Record<string, unknown>> {
  const { id: alertId, kind, severity, title, openedAt, subject } = alert
  return { alertId, kind, severity, title, openedAt, subject }
}
