import { advanceMigration } from '@liquidity-os/engine/migration'
import { overdueNames, sweepOverdue } from '../../../jobs/overdue.ts'
import type { RecordSweeping } from '../../../services.ts'
import { type Change, emptyChange } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { transitionChange } from './deciding/append-transition.ts'
import { historyOf } from './plan-events.ts'
import { deadlineKind, deadlineName } from './plan-names.ts'
import type { PlanPayload } from './plan-types.ts'

/** Ends overdue plans: EXPIRED if no step was sent, otherwise PAUSED. */
export function expireMigrations(services: RecordSweeping): Promise<void> {
  return sweepOverdue(services, {
    overdue: overdueNames(deadlineKind),
    actor: 'migration-deadline',
    end: expire,
  })
}

async function expire(records: TenantRecords, planId: string): Promise<Change> {
  const current = await records.current<PlanPayload>('MigrationPlan', planId)
  if (!current) throw new Error(`Migration plan ${planId} does not exist.`)
  const history = await historyOf(records, planId)
  const move = { kind: 'DEADLINE' } as const
  if (typeof advanceMigration(history.machine, move) === 'string') {
    // A plan that is rolling back or has finished all steps continues without a deadline.
    const releases = [deadlineName(current.record.payload.request, planId)]
    return { ...emptyChange(records.organizationId, records.now), releases }
  }
  return transitionChange(records, {
    current,
    history,
    record: undefined,
    reason: 'The deadline has passed',
    decided: { move, step: null, situation: null },
  }).change
}
