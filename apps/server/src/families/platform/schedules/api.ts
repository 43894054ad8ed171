import type { Change } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { scheduleName, settings } from './records.ts'

/** Copies an operator's schedule setting to the subject's successor; null without a setting. */
export async function carrySetting(
  records: TenantRecords,
  task: string,
  from: { readonly resourceType: string; readonly id: string },
  toId: string,
): Promise<Change | null> {
  const holder = await records.holder(scheduleName(`${task}:${from.id}`))
  const current = holder === null ? null : await settings.current(records, holder)
  if (!current) return null
  const { status, payload } = current.record
  const { everySeconds } = payload
  return settings.first(records, {
    status,
    payload: { task, subject: { resourceType: from.resourceType, id: toId }, everySeconds },
    reason: 'Copied from the replaced subject',
    event: 'schedule.changed',
    eventPayload: { schedule: `${task}:${toId}`, everySeconds },
  }).change
}
