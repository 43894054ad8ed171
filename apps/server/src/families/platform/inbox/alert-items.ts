import type { contract } from '@liquidity-os/contract'
import type { RequestActor } from '../../../access/request-actor.ts'
import { limits } from '../../../limits.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { ranks } from '../../intelligence/alerts/api.ts'

/** Open alerts without mute or acknowledgment of their severity, and failed jobs, from their notices. */
export async function alertItems(
  records: TenantRecords,
  actor: Pick<RequestActor, 'permissions'>,
): Promise<contract.InboxItem[]> {
  if (!actor.permissions.has('prepare')) return []
  const notices = await records.find<contract.AlertNotice>('AlertNotice', {
    status: ['ACTIVE'],
    limit: limits.inboxRead,
  })
  return notices.flatMap(({ id, resourceType, resourceVersion, payload }): contract.InboxItem[] => {
    const { acknowledged, mutedUntil, kind, title, severity, alertId } = payload
    const isMuted = mutedUntil !== null && Date.parse(mutedUntil) > records.now
    const isSeen = acknowledged !== null && ranks[acknowledged.severity] >= ranks[severity]
    if (isSeen || isMuted) return []
    const isJob = kind === 'JOB_FAILED'
    if (isJob && !actor.permissions.has('operate')) return []
    return [
      {
        kind: isJob ? 'FAILED' : 'ACKNOWLEDGE',
        title,
        subject: { resourceType, id, resourceVersion } as contract.InboxItem['subject'],
        alertId,
        dueAt: null,
        severity,
        operationId: isJob ? 'listOperatingSystemJobs' : 'acknowledgeAlert',
      },
    ]
  })
}
