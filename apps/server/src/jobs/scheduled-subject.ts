import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Config } from '../config.ts'
import type { Schedule } from '../family-parts.ts'

export interface ScheduledSubject {
  readonly id: string
  readonly resourceType: string
  readonly resourceVersion: string
  readonly isActive: boolean
  readonly isConcerned: boolean
  readonly everySeconds: number
  readonly since: number
}

export function subjectOf(
  schedule: Schedule,
  record: VersionedRecord,
  config: Config,
): ScheduledSubject {
  const { id, resourceType, resourceVersion, status, payload, createdAt } = record
  return {
    id,
    resourceType,
    resourceVersion,
    isActive: status === schedule.activeStatus,
    isConcerned: schedule.appliesTo?.(payload) ?? true,
    everySeconds: schedule.everySeconds(payload, config),
    since: Date.parse(createdAt),
  }
}

export interface Setting {
  readonly resourceVersion: string
  readonly isOff: boolean
  readonly everySeconds: number | null
}

export const settingOf = ({
  resourceVersion,
  status,
  payload,
}: VersionedRecord<contract.ScheduleSetting>): Setting => ({
  resourceVersion,
  isOff: status === 'PAUSED',
  everySeconds: payload.everySeconds,
})
